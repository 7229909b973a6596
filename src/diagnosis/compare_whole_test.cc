#include "diagnosis/compare_whole.h"

#include <gtest/gtest.h>

#include <string>
#include <utility>
#include <vector>

#include "diagnosis/compare.h"
#include "diagnosis/facts_fixture.h"

namespace latido::diagnosis {
namespace {

analysis::RunFacts job(std::int64_t cpu_ns,
                       std::vector<std::pair<std::string, std::int64_t>> zones) {
  analysis::RunFacts facts;
  facts.run.end_ns = 10 * kMs;
  facts.process_use.push_back({.cpu_ns = cpu_ns});
  facts.ranks.emplace_back();
  for (const auto& [name, ns] : zones) {
    analysis::NamedTime zone;
    zone.name = name;
    zone.total_ns = 9 * kMs;
    zone.self_ns = ns;
    facts.ranks.front().zones.push_back(zone);
  }
  return facts;
}

TEST(CompareWhole, SetsCpuTimeAndZonesBesideEachOther) {
  const auto got =
      compare_whole(job(8, {{"load", 5}, {"fit", 3}}), job(6, {{"fit", 7}, {"save", 1}}));
  ASSERT_TRUE(got.has_value());
  EXPECT_EQ(got->before_cpu_ns, 8);
  EXPECT_EQ(got->after_cpu_ns, 6);
  ASSERT_EQ(got->zones.size(), 3U);
  EXPECT_EQ(got->zones[0].name, "fit");
  EXPECT_EQ(got->zones[0].before_ns, 3);
  EXPECT_EQ(got->zones[0].after_ns, 7);
  EXPECT_EQ(got->zones[1].name, "load");
  EXPECT_EQ(got->zones[1].after_ns, model::kNotMeasured);
  EXPECT_EQ(got->zones[2].before_ns, model::kNotMeasured);
}

TEST(CompareWhole, TakesTheLongestZonesOnly) {
  std::vector<std::pair<std::string, std::int64_t>> zones;
  for (int i = 1; i <= 20; ++i) zones.emplace_back("z" + std::to_string(i), i);
  const auto got = compare_whole(job(0, zones), job(0, {}));
  ASSERT_TRUE(got.has_value());
  ASSERT_EQ(got->zones.size(), 8U);
  EXPECT_EQ(got->zones.front().name, "z20");
  EXPECT_EQ(got->before_cpu_ns, model::kNotMeasured) << "not sampled";
}

TEST(CompareWhole, IsForRunsWithoutSteps) {
  const analysis::RunFacts steps = steady_run({}, 40);
  EXPECT_FALSE(compare_whole(steps, job(1, {})).has_value());
  EXPECT_FALSE(compare_whole(job(1, {}), steps).has_value());
  EXPECT_FALSE(compare(steps, steps).whole.has_value());
  const Comparison got = compare(job(1, {}), job(1, {}));
  EXPECT_TRUE(got.whole.has_value());
  EXPECT_EQ(got.outcome, Outcome::kCannotTell);
}

TEST(Compare, SaysWhoseMachineWasContended) {
  struct Case {
    bool before, after;
    std::vector<std::string> want;
  };
  const Case cases[] = {{false, false, {}},
                        {true, false, {"compare.caution.contended_before"}},
                        {false, true, {"compare.caution.contended_after"}},
                        {true, true, {"compare.caution.contended_both"}}};
  for (const Case& c : cases) {
    const Comparison got =
        compare(job(1, {}), job(1, {}), {.before_contended = c.before, .after_contended = c.after});
    std::vector<std::string> ids;
    for (const model::Message& message : got.cautions) ids.push_back(message.id);
    EXPECT_EQ(ids, c.want);
  }
}

}  // namespace
}  // namespace latido::diagnosis
