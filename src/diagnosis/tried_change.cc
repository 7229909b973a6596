#include "diagnosis/tried_change.h"

#include <algorithm>
#include <cmath>
#include <optional>
#include <string>
#include <string_view>

#include "diagnosis/comparable.h"
#include "diagnosis/finding_builder.h"
#include "diagnosis/pipeline_model.h"
#include "diagnosis/step_view.h"

namespace latido::diagnosis {
namespace {

using analysis::LoaderFacts;
using analysis::RankFacts;
using analysis::RunFacts;

// A fifth less is a change; less than that, runs differ by themselves.
constexpr double kFifthLess = 0.8;
constexpr double kHalf = 0.5;

struct Pair {
  const model::Finding& finding;
  const RunFacts& before;
  const RunFacts& after;
};

std::optional<double> number_in(const model::Finding& finding, std::string_view name) {
  const model::ParamValue* value = finding.action.params.find(name);
  if (value == nullptr) return std::nullopt;
  if (const auto* whole = std::get_if<std::int64_t>(value)) return static_cast<double>(*whole);
  if (const auto* real = std::get_if<double>(value)) return *real;
  return std::nullopt;
}

Tried as_asked_if(bool seen) { return seen ? Tried::kAsAsked : Tried::kNot; }

bool fell_to(const std::optional<double>& before, const std::optional<double>& after,
             double share) {
  return before && after && *before > 0 && *after <= share * *before;
}

const LoaderFacts* loader_of(const RunFacts& facts) {
  const RankFacts* rank = lead_rank(facts);
  return rank != nullptr && rank->loader ? &*rank->loader : nullptr;
}

// `now` was `before` and should have become `asked`.
Tried tried_to_set(double before, double now, double asked) {
  if (std::abs(now - asked) < 0.01) return Tried::kAsAsked;
  return std::abs(now - before) < 0.01 ? Tried::kNot : Tried::kOtherwise;
}

Tried workers(const Pair& runs) {
  const LoaderFacts* before = loader_of(runs.before);
  const LoaderFacts* after = loader_of(runs.after);
  const auto asked = number_in(runs.finding, "workers_after");
  if (after == nullptr || !asked) return Tried::kNot;
  const double was =
      before != nullptr ? before->workers : number_in(runs.finding, "workers_before").value_or(-1);
  return tried_to_set(was, after->workers, *asked);
}

Tried cores(const Pair& runs) {
  const auto asked = number_in(runs.finding, "cores_after");
  if (!asked) return Tried::kNot;
  return tried_to_set(usable_cores(runs.before), usable_cores(runs.after), *asked);
}

Tried prefetch(const Pair& runs) {
  const LoaderFacts* before = loader_of(runs.before);
  const LoaderFacts* after = loader_of(runs.after);
  return as_asked_if(before != nullptr && after != nullptr &&
                     after->prefetch_factor > before->prefetch_factor);
}

// Of one batch in a worker. With none, and so nothing but the wait itself, by the making in the loop.
std::optional<double> make_ns(const RunFacts& facts) {
  const LoaderFacts* loader = loader_of(facts);
  if (loader == nullptr || loader->made_mean_ns <= 0) return std::nullopt;
  return static_cast<double>(loader->made_mean_ns);
}

Tried cheaper_batches(const Pair& runs) {
  return as_asked_if(fell_to(make_ns(runs.before), make_ns(runs.after), kFifthLess));
}

std::optional<double> read_bytes_per_step(const RunFacts& facts) {
  const RankFacts* rank = lead_rank(facts);
  const auto rate = facts.resources.run_read_bytes_per_s;
  if (rank == nullptr || !rate) return std::nullopt;
  return *rate * static_cast<double>(rank->stats.mean_ns) / 1e9;
}

// Less is read from the disk, or a batch takes its makers less time.
Tried less_reading(const Pair& runs) {
  const bool less =
      fell_to(read_bytes_per_step(runs.before), read_bytes_per_step(runs.after), kFifthLess);
  return less ? Tried::kAsAsked : cheaper_batches(runs);
}

Tried smaller_batches(const Pair& runs) {
  const auto bytes = [](const RunFacts& facts) -> std::optional<double> {
    const RankFacts* rank = lead_rank(facts);
    if (rank == nullptr) return std::nullopt;
    const std::int64_t size = batch_bytes(rank->batch_shape);
    return size > 0 ? std::optional(static_cast<double>(size)) : std::nullopt;
  };
  return as_asked_if(fell_to(bytes(runs.before), bytes(runs.after), kFifthLess));
}

// The training process keeps more cores busy.
Tried more_threads(const Pair& runs) {
  const auto before = runs.before.resources.main_cpu_cores;
  const auto after = runs.after.resources.main_cpu_cores;
  return as_asked_if(fell_to(after, before, kFifthLess));
}

Tried fewer_threads(const Pair& runs) {
  return as_asked_if(fell_to(runs.before.resources.involuntary_switches_per_s,
                             runs.after.resources.involuntary_switches_per_s, kHalf));
}

Tried less_throttled(const Pair& runs) {
  return as_asked_if(fell_to(runs.before.resources.cgroup_throttled_ratio,
                             runs.after.resources.cgroup_throttled_ratio, kHalf));
}

Tried less_swapping(const Pair& runs) {
  const auto traffic = [](const RunFacts& facts) -> std::optional<double> {
    const auto& in = facts.resources.swap_in_bytes_per_s;
    const auto& out = facts.resources.swap_out_bytes_per_s;
    if (!in && !out) return std::nullopt;
    return in.value_or(0) + out.value_or(0);
  };
  return as_asked_if(fell_to(traffic(runs.before), traffic(runs.after), kHalf));
}

// The zone takes less of each step, or is gone from it.
Tried faster_zone(const Pair& runs) {
  const model::ParamValue* name = runs.finding.action.params.find("zone");
  const auto* zone = name == nullptr ? nullptr : std::get_if<std::string>(name);
  if (zone == nullptr) return Tried::kNot;
  const auto mean_ns = [&](const RunFacts& facts) -> std::optional<double> {
    const RankFacts* rank = lead_rank(facts);
    if (rank == nullptr) return std::nullopt;
    const auto it = std::ranges::find(rank->zones, *zone, &analysis::NamedTime::name);
    return it == rank->zones.end() ? 0.0 : static_cast<double>(it->mean_per_step_ns);
  };
  return as_asked_if(fell_to(mean_ns(runs.before), mean_ns(runs.after), kFifthLess));
}

// Every action with a predicted gain. Those without one ask for no change of the program's speed.
constexpr struct {
  std::string_view action;
  Tried (*tried)(const Pair&);
} kActions[] = {
    {"input_bound.action.set_workers", workers},
    {"input_bound.action.cheaper_batches", cheaper_batches},
    {"input_bound.action.faster_reads", less_reading},
    {"input_bound.action.even_batches", prefetch},
    {"input_bound.action.less_to_hand_over", smaller_batches},
    {"disk_bound.action", less_reading},
    {"swap_bound.action", less_swapping},
    {"cpu_compute_bound.action", cores},
    {"one_core_bound.action", more_threads},
    {"cpu_throttled.action", less_throttled},
    {"cpu_contended.action_self", fewer_threads},
    {"other_heavy.action_zone", faster_zone},
    {"other_heavy.action_zone_alone", faster_zone},
};

model::Message why_no_score(const Pair& runs, Tried tried) {
  if (tried == Tried::kNot) return message("compare.prediction.not_tried");
  const LoaderFacts* loader = loader_of(runs.after);
  if (const auto asked = number_in(runs.finding, "workers_after"); asked && loader != nullptr) {
    return message("compare.prediction.other_change",
                   model::Params{}
                       .set("workers_predicted", std::llround(*asked))
                       .set("workers_after", std::int64_t{loader->workers}));
  }
  return message("compare.prediction.other_cores",
                 model::Params{}
                     .set("cores_predicted", number_in(runs.finding, "cores_after").value_or(0))
                     .set("cores", usable_cores(runs.after)));
}

}  // namespace

TriedChange tried_change(const model::Finding& finding, const RunFacts& before,
                         const RunFacts& after) {
  const Pair runs{.finding = finding, .before = before, .after = after};
  TriedChange change;
  for (const auto& [action, tried] : kActions) {
    if (finding.action.id == action) change.tried = tried(runs);
  }
  if (change.tried != Tried::kAsAsked) change.notes.push_back(why_no_score(runs, change.tried));
  return change;
}

}  // namespace latido::diagnosis
