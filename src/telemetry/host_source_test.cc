#include "telemetry/host_source.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>
#include <string>
#include <vector>

#include "model/metric_catalogue.h"
#include "telemetry/recorded_tree.h"

namespace latido::telemetry {
namespace {

// The names "host.*" and "cgroup.*" that a round gave or called absent.
std::set<std::string> known_after_round(HostSource& source) {
  model::SeriesTable table;
  std::vector<model::Sample> out;
  source.sample(7, table, out);
  std::set<std::string> names;
  for (const model::Series& series : table.all()) names.insert(series.metric);
  for (const std::string& line : source.absent()) names.insert(line.substr(0, line.find(':')));
  return names;
}

std::set<std::string> catalogued() {
  std::set<std::string> names;
  for (const model::Metric& metric : model::kMetricCatalogue) {
    if (metric.name.starts_with("host.") || metric.name.starts_with("cgroup.")) {
      names.insert(std::string(metric.name));
    }
  }
  return names;
}

TEST(HostSource, AccountsForEveryCataloguedSeriesOnThisMachine) {
  HostSource source;
  EXPECT_EQ(known_after_round(source), catalogued());
}

TEST(HostSource, AccountsForEveryCataloguedSeriesWhereNothingCanBeRead) {
  const RecordedTree tree;
  HostSource source{tree.root()};
  model::SeriesTable table;
  std::vector<model::Sample> out;
  source.sample(7, table, out);
  EXPECT_TRUE(out.empty());
  EXPECT_EQ(source.absent().size(), catalogued().size());
  EXPECT_EQ(known_after_round(source), catalogued());
}

TEST(HostSource, StampsSamplesAndLetsCountersGrow) {
  HostSource source;
  model::SeriesTable table;
  std::vector<model::Sample> first;
  source.sample(100, table, first);
  const std::size_t count = table.all().size();
  std::vector<model::Sample> second;
  source.sample(200, table, second);
  ASSERT_FALSE(first.empty());
  EXPECT_EQ(table.all().size(), count) << "the second round finds the same series";
  EXPECT_TRUE(std::ranges::all_of(first, [](const auto& s) { return s.ts_ns == 100; }));
  EXPECT_TRUE(std::ranges::all_of(second, [](const auto& s) { return s.ts_ns == 200; }));
  ASSERT_EQ(first.size(), second.size());
  for (std::size_t i = 0; i < first.size(); ++i) {
    const model::Series& series = table.all()[model::index_of(first[i].series)];
    SCOPED_TRACE(series.metric + " " + series.label);
    ASSERT_EQ(first[i].series, second[i].series);
    EXPECT_EQ(series.process, model::kHost);
    if (model::find_metric(series.metric)->kind == model::Kind::kCounter) {
      EXPECT_GE(second[i].value, first[i].value);
    }
  }
}

}  // namespace
}  // namespace latido::telemetry
