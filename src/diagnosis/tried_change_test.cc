#include "diagnosis/tried_change.h"

#include <gtest/gtest.h>

#include <functional>
#include <set>
#include <string>
#include <string_view>

#include "diagnosis/diagnose.h"
#include "diagnosis/facts_fixture.h"
#include "diagnosis/message_ids.h"
#include "diagnosis/rule.h"

namespace latido::diagnosis {
namespace {

using analysis::RunFacts;
using model::Params;

model::Finding finding_with(std::string action, Params params = {}) {
  model::Finding finding;
  finding.action = {.id = std::move(action), .params = std::move(params)};
  finding.gain = model::Gain{100 * kMs, 50 * kMs, 40 * kMs, 60 * kMs};
  return finding;
}

RunFacts base_run() {
  RunFacts facts = steady_run();
  add_loader(facts, 2, 100);
  facts.ranks.front().zones = {{"augment", "train.py", 40, 100, 0, 0, 20 * kMs}};
  facts.resources.swap_in_bytes_per_s = 30e6;
  facts.resources.cgroup_throttled_ratio = 0.4;
  facts.resources.involuntary_switches_per_s = 400;
  facts.resources.main_cpu_cores = 1.0;
  return facts;
}

struct Case {
  std::string_view name;
  model::Finding finding;
  std::function<void(RunFacts&)> change;  // of the run after
  Tried want;
};

void expect_all(const std::vector<Case>& cases) {
  for (const Case& c : cases) {
    SCOPED_TRACE(c.name);
    const RunFacts before = base_run();
    RunFacts after = base_run();
    c.change(after);
    const TriedChange got = tried_change(c.finding, before, after);
    EXPECT_EQ(static_cast<int>(got.tried), static_cast<int>(c.want));
    EXPECT_EQ(got.notes.empty(), c.want == Tried::kAsAsked);
    for (const model::Message& note : got.notes) EXPECT_EQ(mismatch(note), "");
    EXPECT_EQ(static_cast<int>(tried_change(c.finding, before, before).tried),
              static_cast<int>(Tried::kNot));
  }
}

TEST(TriedChange, IsSeenInTheInput) {
  const auto workers = finding_with(
      "input_bound.action.set_workers",
      Params{}.set("workers_before", std::int64_t{2}).set("workers_after", std::int64_t{6}));
  const auto loader = [](RunFacts& f) -> analysis::LoaderFacts& { return *f.ranks[0].loader; };
  expect_all({
      {"workers as asked", workers, [&](RunFacts& f) { loader(f).workers = 6; }, Tried::kAsAsked},
      {"other workers", workers, [&](RunFacts& f) { loader(f).workers = 4; }, Tried::kOtherwise},
      {"no loader", workers, [](RunFacts& f) { f.ranks[0].loader.reset(); }, Tried::kNot},
      {"prefetch", finding_with("input_bound.action.even_batches"),
       [&](RunFacts& f) { loader(f).prefetch_factor = 8; }, Tried::kAsAsked},
      {"a batch takes less", finding_with("input_bound.action.cheaper_batches"),
       [&](RunFacts& f) { loader(f).made_mean_ns = 80 * kMs; }, Tried::kAsAsked},
      {"a batch takes hardly less", finding_with("input_bound.action.cheaper_batches"),
       [&](RunFacts& f) { loader(f).made_mean_ns = 85 * kMs; }, Tried::kNot},
      {"reads faster", finding_with("input_bound.action.faster_reads"),
       [&](RunFacts& f) { loader(f).made_mean_ns = 50 * kMs; }, Tried::kAsAsked},
      {"reads less", finding_with("disk_bound.action"),
       [](RunFacts& f) { f.resources.run_read_bytes_per_s = 1e3; }, Tried::kAsAsked},
      {"smaller batches", finding_with("input_bound.action.less_to_hand_over"),
       [](RunFacts& f) { f.ranks[0].batch_shape = "64\u00d73\u00d732\u00d732 uint8"; },
       Tried::kAsAsked},
  });
}

TEST(TriedChange, IsSeenInTheMachine) {
  const auto more_cores =
      finding_with("cpu_compute_bound.action",
                   Params{}.set("cores", 8.0).set("cores_after", 16.0).set("compute_ns", kMs));
  const auto zone = finding_with("other_heavy.action_zone", Params{}.set("zone", "augment"));
  const auto zone_alone =
      finding_with("other_heavy.action_zone_alone", Params{}.set("zone", "augment"));
  expect_all({
      {"more cores", more_cores, [](RunFacts& f) { f.resources.cores = 16; }, Tried::kAsAsked},
      {"not as many", more_cores, [](RunFacts& f) { f.resources.cores = 12; }, Tried::kOtherwise},
      {"threads", finding_with("one_core_bound.action"),
       [](RunFacts& f) { f.resources.main_cpu_cores = 3.0; }, Tried::kAsAsked},
      {"as many threads", finding_with("one_core_bound.action"),
       [](RunFacts& f) { f.resources.main_cpu_cores = 1.1; }, Tried::kNot},
      {"fewer threads", finding_with("cpu_contended.action_self"),
       [](RunFacts& f) { f.resources.involuntary_switches_per_s = 20; }, Tried::kAsAsked},
      {"a faster zone where no loader is", zone_alone,
       [](RunFacts& f) { f.ranks.front().zones.front().mean_per_step_ns = 5 * kMs; },
       Tried::kAsAsked},
      {"a higher limit", finding_with("cpu_throttled.action"),
       [](RunFacts& f) { f.resources.cgroup_throttled_ratio = 0; }, Tried::kAsAsked},
      {"less memory", finding_with("swap_bound.action"),
       [](RunFacts& f) { f.resources.swap_in_bytes_per_s = 0; }, Tried::kAsAsked},
      {"the zone is faster", zone,
       [](RunFacts& f) { f.ranks[0].zones[0].mean_per_step_ns = 5 * kMs; }, Tried::kAsAsked},
      {"the zone is gone", zone, [](RunFacts& f) { f.ranks[0].zones.clear(); }, Tried::kAsAsked},
      {"not sampled", finding_with("one_core_bound.action"), [](RunFacts& f) { f.resources = {}; },
       Tried::kNot},
  });
}

TEST(TriedChange, AFasterStepAloneProvesNothing) {
  const RunFacts before = base_run();
  RunFacts after = steady_run({.forward_ms = 5, .backward_ms = 5, .optimizer_ms = 1});
  add_loader(after, 2, 100);
  for (const std::string_view action :
       {"cpu_contended.action", "cpu_contended.action_steal", "other_heavy.action",
        "input_bound.action.look_inside", "an action of a later version"}) {
    const TriedChange got = tried_change(finding_with(std::string(action)), before, after);
    EXPECT_EQ(static_cast<int>(got.tried), static_cast<int>(Tried::kNot)) << action;
    ASSERT_EQ(got.notes.size(), 1U);
    EXPECT_EQ(got.notes.front().id, "compare.prediction.not_tried");
  }
}

}  // namespace
}  // namespace latido::diagnosis
