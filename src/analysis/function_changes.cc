#include "analysis/function_changes.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <string_view>
#include <tuple>
#include <utility>

#include "analysis/counted_calls.h"
#include "analysis/start_up_calls.h"

namespace latido::analysis {
namespace {

using Key = std::pair<std::string, std::string>;  // name, file

struct Times {
  std::int64_t before_ns = 0;
  std::int64_t after_ns = 0;
};

// Adds the own times to `times`; returns their sum.
std::int64_t add_own_times(const model::CallTree& calls, std::int64_t Times::*side,
                           std::map<Key, Times>& times) {
  std::vector<std::int64_t> own_ns(calls.frames.size(), 0);
  std::int64_t sum_ns = 0;
  for (const model::CallTime& time : calls.times) {
    if (time.node == model::CallTree::kRoot || time.node >= calls.nodes.size()) continue;
    const std::uint32_t frame = calls.nodes[time.node].frame;
    if (frame >= own_ns.size()) continue;
    const std::int64_t ns = std::max<std::int64_t>(counted_ns(time), 0);
    own_ns[frame] += ns;
    sum_ns += ns;
  }
  for (std::size_t i = 0; i < own_ns.size(); ++i) {
    if (own_ns[i] == 0) continue;
    times[Key(calls.frames[i].function, calls.frames[i].file)].*side += own_ns[i];
  }
  return sum_ns;
}

std::uint64_t most_steps(const RunFacts& facts) {
  std::uint64_t steps = 0;
  for (const RankFacts& rank : facts.ranks) steps = std::max(steps, rank.step_count);
  return steps;
}

double amount(std::int64_t ns, bool per_step, std::uint64_t steps, std::int64_t total_ns) noexcept {
  const double whole = per_step ? static_cast<double>(steps) : static_cast<double>(total_ns);
  return whole > 0 ? static_cast<double>(ns) / whole : 0;
}

// Where the script lies that was run: "/home/ana/vision/"; empty when it is none.
std::string script_folder(const model::Run& run) {
  const auto script = std::ranges::find_if(
      run.command, [](const std::string& word) { return word.ends_with(".py"); });
  if (script == run.command.end()) return {};
  const std::size_t slash = script->rfind('/');
  if (slash == std::string::npos) return {};  // where the run was started
  const std::string folder = script->substr(0, slash + 1);
  return folder.starts_with('/') ? folder : run.folder + "/" + folder;
}

// How much of `file` tells only where things are installed: that much differs between two machines.
std::size_t folder_bytes(const std::string& file, const std::array<std::string_view, 2>& folders) {
  for (const std::string_view library : {"/site-packages/", "/dist-packages/"}) {
    const std::size_t at = file.rfind(library);
    if (at != std::string::npos) return at + library.size();
  }
  for (const std::string_view folder : folders) {
    if (!folder.empty() && file.starts_with(folder)) return folder.size();
  }
  return 0;
}

}  // namespace

double FunctionChanges::before_amount(std::int64_t ns) const noexcept {
  return amount(ns, per_step, before_steps, before_total_ns);
}

double FunctionChanges::after_amount(std::int64_t ns) const noexcept {
  return amount(ns, per_step, after_steps, after_total_ns);
}

double FunctionChanges::z_of(std::int64_t before_ns, std::int64_t after_ns) const noexcept {
  if (!(before_interval_ns > 0) || !(after_interval_ns > 0)) return 0;
  // A rate of samples per step depends on how often they are taken: exposures are samples that one
  // step, or the whole, would have.
  const auto exposure = [&](std::uint64_t steps, std::int64_t total_ns, double interval_ns) {
    return (per_step ? static_cast<double>(steps) : static_cast<double>(total_ns)) / interval_ns;
  };
  return count_change_z({static_cast<double>(before_ns) / before_interval_ns,
                         exposure(before_steps, before_total_ns, before_interval_ns)},
                        {static_cast<double>(after_ns) / after_interval_ns,
                         exposure(after_steps, after_total_ns, after_interval_ns)});
}

bool start_up_can_be_left_out(const RunFacts& before, const RunFacts& after) noexcept {
  return has_calls_of_steps(before.calls) && has_calls_of_steps(after.calls);
}

model::CallTree comparable_calls(const RunFacts& facts, bool of_steps) {
  model::CallTree calls = counted_calls(facts);
  if (of_steps) calls = calls_of_steps(std::move(calls));
  const std::string script = script_folder(facts.run);
  const std::string start = facts.run.folder.empty() ? "" : facts.run.folder + "/";
  for (model::CallFrame& frame : calls.frames) {
    frame.file.erase(0, folder_bytes(frame.file, {script, start}));
    frame.line = 0;
  }
  return calls;
}

FunctionChanges compare_functions(const RunFacts& before, const RunFacts& after) {
  FunctionChanges changes;
  changes.before_sampled = !before.calls.empty();
  changes.after_sampled = !after.calls.empty();
  changes.before_steps = most_steps(before);
  changes.after_steps = most_steps(after);
  changes.per_step = changes.before_steps > 0 && changes.after_steps > 0;
  changes.before_interval_ns = sample_interval_ns(before.calls);
  changes.after_interval_ns = sample_interval_ns(after.calls);
  std::map<Key, Times> times;
  changes.of_steps = start_up_can_be_left_out(before, after);
  changes.before_total_ns =
      add_own_times(comparable_calls(before, changes.of_steps), &Times::before_ns, times);
  changes.after_total_ns =
      add_own_times(comparable_calls(after, changes.of_steps), &Times::after_ns, times);
  changes.compared = times.size();
  if (!changes.comparable()) return changes;
  for (const auto& [key, time] : times) {
    const double z = changes.z_of(time.before_ns, time.after_ns);
    if (!beyond_chance(z, times.size())) continue;
    changes.changed.push_back({key.first, key.second, time.before_ns, time.after_ns, z});
  }
  std::ranges::sort(changes.changed, {}, [&](const FunctionChange& change) {
    const double amount =
        changes.after_amount(change.after_ns) - changes.before_amount(change.before_ns);
    return std::tuple(-std::abs(amount), change.name, change.file);
  });
  return changes;
}

}  // namespace latido::analysis
