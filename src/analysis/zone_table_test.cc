#include "analysis/zone_table.h"

#include <gtest/gtest.h>

#include <string>

namespace latido::analysis {
namespace {

model::Tables tables_with(std::size_t sites) {
  model::Tables tables;
  tables.sites.resize(sites);
  for (std::size_t i = 0; i < sites; ++i) tables.sites[i].name = "zone" + std::to_string(i);
  return tables;
}

ClosedSpan span_of(std::uint32_t site, std::int64_t ns, std::int64_t children_ns = 0) {
  ClosedSpan closed;
  closed.span.site = model::SiteId{site};
  closed.span.children_ns = children_ns;
  closed.end.ts_ns = ns;
  return closed;
}

TEST(ZoneTable, SumsCallsAndTimesOfASite) {
  ZoneTable zones;
  zones.add(span_of(0, 100), true);
  zones.add(span_of(0, 300, 200), false);
  ClosedSpan inner = span_of(0, 50);
  inner.span.recursive = true;
  zones.add(inner, false);
  const auto all = zones.largest(tables_with(1), 10, 5);
  ASSERT_EQ(all.size(), 1U);
  EXPECT_EQ(all[0].name, "zone0");
  EXPECT_EQ(all[0].calls, 3U);
  EXPECT_EQ(all[0].total_ns, 400);
  EXPECT_EQ(all[0].self_ns, 250);
  EXPECT_EQ(all[0].mean_per_step_ns, 20);
}

TEST(ZoneTable, ListsTheLargestFirstAndOnlySoMany) {
  ZoneTable zones;
  for (std::uint32_t i = 0; i < 20; ++i) zones.add(span_of(i, 1000 + i), false);
  const auto all = zones.largest(tables_with(20), 3, 0);
  ASSERT_EQ(all.size(), 3U);
  EXPECT_EQ(all[0].name, "zone19");
  EXPECT_EQ(all[2].name, "zone17");
  EXPECT_EQ(all[0].mean_per_step_ns, 0);
}

TEST(ZoneTable, SitesBeyondItsBoundAreOneEntry) {
  ZoneTable zones;
  const std::uint32_t sites = ZoneTable::kMaxSites + 50;
  for (std::uint32_t i = 0; i < sites; ++i) zones.add(span_of(i, 10), false);
  const auto all = zones.largest(tables_with(sites), 1, 0);
  ASSERT_EQ(all.size(), 1U);
  EXPECT_EQ(all[0].name, "(other zones)");
  EXPECT_EQ(all[0].calls, 50U);
  EXPECT_EQ(zones.total_self_ns(), sites * 10);
}

TEST(ZoneTable, WhatIsStillOpenCountsUntilNow) {
  SpanStack stack;
  stack.begin(model::SiteId{0}, model::Category::kZone, 100);
  stack.begin(model::SiteId{1}, model::Category::kForward, 150);
  stack.begin(model::SiteId{2}, model::Category::kZone, 170);
  ZoneTable zones;
  zones.add_open(stack, 200, false);
  const auto all = zones.largest(tables_with(3), 10, 0);
  ASSERT_EQ(all.size(), 2U);
  EXPECT_EQ(all[0].name, "zone0");
  EXPECT_EQ(all[0].total_ns, 100);
  EXPECT_EQ(all[0].self_ns, 50);
  EXPECT_EQ(all[1].self_ns, 30);
}

}  // namespace
}  // namespace latido::analysis
