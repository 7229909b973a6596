// Rule cpu-contended: the run does not get the cores it wants, because something else has them: the
// virtual machine's host, other programs, or too many threads of its own.
#include <algorithm>
#include <optional>
#include <string_view>

#include "diagnosis/contention.h"
#include "diagnosis/finding_builder.h"
#include "diagnosis/prediction.h"
#include "diagnosis/rules/rules.h"
#include "diagnosis/step_view.h"

namespace latido::diagnosis {
namespace {

using analysis::ResourceFacts;
using model::Params;

constexpr double kMostTaken = 0.9;  // of the processor: the run got something

// What others take of the run. No prediction: nothing in the user's program changes it, so no later run of it
// could prove or refute one.
void add_cost(FindingBuilder& finding, const StepView& view, const CoreWait& cost) {
  finding.evidence(
      cost.measured ? "cpu_contended.evidence.core_wait" : "cpu_contended.evidence.cost",
      Params{}.set("lost_ns", whole_ns(cost.ns)).set("step_ns", whole_ns(view.step_ns)));
  finding.run_saved(cost.ns / view.step_ns * view.steps_ratio);
}

// Threads that wait for each other lose anything between nothing and a third; not measurable from
// outside.
void predict_fewer_threads(FindingBuilder& finding, const analysis::RunFacts& facts) {
  constexpr double kLost = 0.1;
  constexpr double kMostLost = 0.3;
  const std::optional<StepView> view = step_view(facts);
  if (!view) {
    finding.run_saved(kLost);
    return;
  }
  const double working_ns = view->step_ns - view->wait_ns;
  const Prediction predicted = predict_saving(*view, {.saved_ns = working_ns * kLost,
                                                      .least_ns = working_ns * kLost / 2,
                                                      .most_ns = working_ns * kMostLost});
  finding.step_gain(predicted.gain, view->steps_ratio).limit(predicted.widest);
}

CheckedFinding check_steal(const analysis::RunFacts& facts, const Thresholds& thresholds) {
  const std::optional<double> steal = facts.resources.cpu_steal_ratio;
  if (!steal || *steal < thresholds.steal_ratio) return std::nullopt;
  FindingBuilder finding("cpu-contended", steady_window(facts));
  finding.confidence(0.8)
      .headline("cpu_contended.headline_steal", Params{}.set("steal_ratio", *steal))
      .action("cpu_contended.action_steal")
      .evidence("cpu_contended.evidence.steal", Params{}.set("steal_ratio", *steal));
  const double lost = std::min(kMostTaken, *steal);
  const double cores = facts.resources.main_cpu_cores.value_or(1.0);
  // Taken from what runs: a program that sleeps loses nothing.
  const double most_ratio = std::min(1.0, cores) * lost / (1.0 - lost);
  if (const std::optional<StepView> view = step_view(facts)) {
    const double working_ns = view->step_ns - view->wait_ns;
    add_cost(finding, *view, {.ns = std::min(working_ns * lost, view->step_ns * most_ratio)});
  } else {
    finding.run_saved(std::min(lost, most_ratio));
  }
  return finding.take();
}

void add_waiting(FindingBuilder& finding, const ResourceFacts& resources) {
  Params waiting;
  set_known(waiting, "waiting_ratio", resources.psi_cpu_some_ratio);
  set_known(waiting, "switches_per_s", resources.involuntary_switches_per_s);
  if (!waiting.all.empty()) finding.evidence("cpu_contended.evidence.waiting", waiting);
}

void add_cores(FindingBuilder& finding, const analysis::RunFacts& facts) {
  finding.evidence("cpu_contended.evidence.cores",
                   Params{}
                       .set("busy_cores", *busy_cores(facts))
                       .set("run_cores", *facts.resources.run_cpu_cores)
                       .set("cores", usable_cores(facts)));
}

// Cores that the run would keep busy if it got them: its steps where they do not wait for input, and the
// workers while they make a batch. What a device computes is not known to want a core.
double wanted_cores(const StepView& view) {
  double wanted = computes_on_host(view) ? 1.0 - view.wait_ratio() : 0.0;
  for (const analysis::WorkerFacts& worker : view.rank->workers) {
    wanted += worker.busy_ratio.value_or(0);
  }
  return wanted;
}

// The run gets less than half of what it wants while threads stand in line for a core. The fewer cores
// it gets the surer: what it uses must not be held against it.
bool is_starved(const analysis::RunFacts& facts, const Thresholds& thresholds) {
  constexpr double kLittle = 0.5;
  const std::optional<StepView> view = step_view(facts);
  if (!view || facts.resources.psi_cpu_some_ratio.value_or(0) < thresholds.cpu_waiting_ratio) {
    return false;
  }
  const double wanted = wanted_cores(*view);
  return wanted >= thresholds.contended_run_cores &&
         *facts.resources.run_cpu_cores < kLittle * wanted;
}

// Where nothing says how long the run waited for cores: it uses some, or is starved.
bool seems_held_back(const analysis::RunFacts& facts, const Thresholds& thresholds) {
  // A program that sleeps or waits loses nothing to others; one that gets no core looks alike.
  return cores_full(facts, thresholds.cores_full_ratio) &&
         (*facts.resources.run_cpu_cores >= thresholds.contended_run_cores ||
          is_starved(facts, thresholds));
}

// Of a program without steps: how long its main thread was ready and had no core, where that thread is what
// computes; others are not in the kernel's account of it.
std::optional<double> waited_without_steps(const analysis::RunFacts& facts) {
  constexpr double kMostBeside_cores = 1.1;
  if (facts.ranks.empty() || *facts.resources.run_cpu_cores > kMostBeside_cores)
    return std::nullopt;
  return facts.ranks.front().core_wait_ratio;
}

CheckedFinding check_foreign(const analysis::RunFacts& facts, const Thresholds& thresholds) {
  const std::optional<Contention> others = contention(facts, thresholds);
  if (!others) return std::nullopt;
  const std::optional<StepView> view = step_view(facts);
  const CoreWait cost = view ? core_wait(facts, *view) : CoreWait{};
  if (cost.measured ? cost.ns < thresholds.min_gain_ratio * view->step_ns
                    : !seems_held_back(facts, thresholds)) {
    return std::nullopt;
  }
  // A program on one core of two does not want the one that others have.
  const std::optional<double> waited = view ? std::nullopt : waited_without_steps(facts);
  if (waited && *waited < thresholds.min_gain_ratio) return std::nullopt;
  FindingBuilder finding("cpu-contended", steady_window(facts));
  finding.confidence(0.7)
      .headline("cpu_contended.headline",
                Params{}.set("foreign_cores", others->foreign_cores).set("cores", others->cores))
      .action("cpu_contended.action");
  add_cores(finding, facts);
  add_waiting(finding, facts.resources);
  if (view) {
    add_cost(finding, *view, cost);
  } else {
    const double lost = std::min(kMostTaken, others->foreign_cores / others->cores);
    finding.run_saved(waited.value_or(
        std::min(lost, most_core_wait_ratio(facts, *facts.resources.run_cpu_cores, lost))));
  }
  return finding.take();
}

// Loader workers are counted with input-bound: there their number is what the model chooses.
bool has_workers(const analysis::RunFacts& facts) {
  return std::ranges::any_of(facts.ranks, [](const analysis::RankFacts& rank) {
    return rank.loader && rank.loader->workers > 0;
  });
}

CheckedFinding check_own_threads(const analysis::RunFacts& facts, const Thresholds& thresholds) {
  const ResourceFacts& resources = facts.resources;
  if (resources.psi_cpu_some_ratio.value_or(0) < thresholds.cpu_waiting_ratio ||
      resources.involuntary_switches_per_s.value_or(0) < thresholds.forced_switches_per_s ||
      has_workers(facts)) {
    return std::nullopt;
  }
  FindingBuilder finding("cpu-contended", steady_window(facts));
  Params headline =
      Params{}.set("run_cores", *resources.run_cpu_cores).set("cores", usable_cores(facts));
  set_known(headline, "switches_per_s", resources.involuntary_switches_per_s);
  finding.confidence(0.4)
      .headline("cpu_contended.headline_self", headline)
      .action("cpu_contended.action_self", Params{}.set("cores", usable_cores(facts)));
  add_cores(finding, facts);
  add_waiting(finding, resources);
  predict_fewer_threads(finding, facts);
  return finding.take();
}

}  // namespace

CheckedFinding check_cpu_contended(const analysis::RunFacts& facts, const Thresholds& thresholds) {
  if (CheckedFinding steal = check_steal(facts, thresholds)) return steal;
  if (!facts.resources.run_cpu_cores) return std::nullopt;
  if (contention(facts, thresholds)) return check_foreign(facts, thresholds);
  if (!cores_full(facts, thresholds.cores_full_ratio)) return std::nullopt;
  return check_own_threads(facts, thresholds);
}

}  // namespace latido::diagnosis
