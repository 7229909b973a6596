#include "analysis/worker_facts.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <unordered_map>

namespace latido::analysis {
namespace {

// With a fork server the workers are its children, not the training's.
constexpr int kMostGenerations = 4;

// Of processes with the same pid the latest counts.
using ProcessOfPid = std::unordered_map<std::int32_t, std::size_t>;

ProcessOfPid index_by_pid(const std::vector<model::Process>& processes) {
  ProcessOfPid index;
  for (std::size_t i = 0; i < processes.size(); ++i) index[processes[i].pid] = i;
  return index;
}

bool descends_from(const std::vector<model::Process>& processes, const ProcessOfPid& by_pid,
                   std::size_t child, std::size_t owner) {
  std::int32_t parent_pid = processes[child].parent_pid;
  for (int i = 0; i < kMostGenerations && parent_pid > 0; ++i) {
    if (parent_pid == processes[owner].pid) return true;
    const auto parent = by_pid.find(parent_pid);
    if (parent == by_pid.end()) return false;
    parent_pid = processes[parent->second].parent_pid;
  }
  return false;
}

// What the processes of one worker number add up to.
struct WorkerSum {
  std::size_t last_process = 0;
  TimeBins::Sum tasks;
  double alive_ns = 0;
  std::optional<double> cpu_ns;
  std::optional<double> run_delay_ns;
  WaitSum waits;
};

TimeRange life_in_window(const WorkerInput& input, std::size_t process) {
  const model::Process& record = input.context.processes[process];
  TimeRange life = input.context.window;
  if (record.start_ns > 0) life.begin_ns = std::max(life.begin_ns, record.start_ns);
  if (record.end_ns >= 0) life.end_ns = std::min(life.end_ns, record.end_ns);
  return life;
}

void add_process(WorkerSum& sum, const WorkerInput& input, std::size_t process) {
  const TimeRange life = life_in_window(input, process);
  const TimeRange& window = input.context.window;
  sum.last_process = process;
  const TimeBins::Sum tasks =
      input.processes[process]->worker()->tasks.within(window.begin_ns, window.end_ns);
  sum.tasks.busy_ns += tasks.busy_ns;
  sum.tasks.count += tasks.count;
  sum.alive_ns += static_cast<double>(life.length_ns());
  if (life.length_ns() > 0) {
    const auto id = static_cast<model::ProcessId>(process);
    if (const auto cpu_ns = input.resources.cpu_ns(input.context, id, life)) {
      sum.cpu_ns = sum.cpu_ns.value_or(0) + *cpu_ns;
    }
    if (const auto delay_ns = input.resources.run_delay_ns(input.context, id, life)) {
      sum.run_delay_ns = sum.run_delay_ns.value_or(0) + *delay_ns;
    }
  }
  const auto& waits = input.processes[input.owner]->waits_by_worker_pid();
  const auto wait = waits.find(static_cast<std::uint32_t>(input.context.processes[process].pid));
  if (wait == waits.end()) return;
  sum.waits.count += wait->second.count;
  sum.waits.sum_ns += wait->second.sum_ns;
}

WorkerFacts facts_of(const WorkerSum& sum, const WorkerInput& input) {
  WorkerFacts facts;
  facts.process = static_cast<model::ProcessId>(sum.last_process);
  facts.pid = input.context.processes[sum.last_process].pid;
  facts.number = input.processes[sum.last_process]->worker()->number;
  facts.batches = static_cast<std::uint64_t>(std::llround(sum.tasks.count));
  if (sum.tasks.count > 0) {
    facts.batch_mean_ns = std::llround(sum.tasks.busy_ns / sum.tasks.count);
  }
  // A worker that lives on through an evaluation is not to blame for idling then.
  const double could_work_ns = std::min(sum.alive_ns, static_cast<double>(input.steps_ns));
  if (could_work_ns > 0) facts.busy_ratio = std::min(1.0, sum.tasks.busy_ns / could_work_ns);
  if (sum.cpu_ns && sum.tasks.busy_ns > 0) {
    facts.cpu_ratio = std::min(1.0, *sum.cpu_ns / sum.tasks.busy_ns);
  }
  if (sum.run_delay_ns && sum.tasks.busy_ns > 0) {
    facts.core_wait_ratio = std::min(1.0, *sum.run_delay_ns / sum.tasks.busy_ns);
  }
  if (sum.waits.count > 0) {
    facts.wait_mean_ns = sum.waits.sum_ns / static_cast<std::int64_t>(sum.waits.count);
  }
  return facts;
}

}  // namespace

std::vector<std::size_t> find_workers(const WorkerInput& input) {
  const auto& records = input.context.processes;
  std::vector<std::size_t> workers;
  const std::size_t count = std::min(input.processes.size(), records.size());
  if (input.owner >= count) return workers;
  const ProcessOfPid by_pid = index_by_pid(records);
  for (std::size_t i = 0; i < count; ++i) {
    if (!input.processes[i] || input.processes[i]->worker() == nullptr) continue;
    const WorkerLog& log = *input.processes[i]->worker();
    const bool own_child = descends_from(records, by_pid, i, input.owner) ||
                           log.parent_pid == records[input.owner].pid;
    const bool own_loader =
        log.loader == kUnknownId || input.loader == kUnknownId || log.loader == input.loader;
    if (own_child && own_loader) workers.push_back(i);
  }
  return workers;
}

std::vector<WorkerFacts> make_workers(const WorkerInput& input,
                                      std::span<const std::size_t> workers) {
  std::map<std::int64_t, WorkerSum> sums;
  for (const std::size_t process : workers) {
    const std::int32_t number = input.processes[process]->worker()->number;
    // Workers without a number are told apart by their process.
    const std::int64_t key =
        number >= 0 ? number : (std::int64_t{1} << 32U) + static_cast<std::int64_t>(process);
    add_process(sums[key], input, process);
  }
  std::vector<WorkerFacts> facts;
  facts.reserve(sums.size());
  for (const auto& [key, sum] : sums) facts.push_back(facts_of(sum, input));
  return facts;
}

std::int64_t mean_made_ns(const WorkerInput& input, std::span<const std::size_t> workers) {
  const TimeRange& window = input.context.window;
  TimeBins::Sum tasks;
  for (const std::size_t process : workers) {
    const TimeBins::Sum own =
        input.processes[process]->worker()->tasks.within(window.begin_ns, window.end_ns);
    tasks.busy_ns += own.busy_ns;
    tasks.count += own.count;
  }
  return tasks.count > 0 ? std::llround(tasks.busy_ns / tasks.count) : 0;
}

}  // namespace latido::analysis
