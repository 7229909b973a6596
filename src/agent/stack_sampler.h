// StackSampler: looks at the Python stacks of a run's processes at a steady rhythm, on a thread of its
// own, from outside: nothing in the processes changes or waits.
//
// Made and asked by the agent's owner; all calls may be made from one other thread. Ends with the object.
#pragma once

#include <sys/types.h>

#include <atomic>
#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "agent/call_tree_builder.h"
#include "agent/look_budget.h"
#include "model/ids.h"
#include "stacks/python_target.h"

namespace latido::agent {

class StackSampler {
 public:
  // `hz`: looks a second at each process, 1 to 10,000. `core_ratio`: fewer where they would take more of
  // a core than this in the long run; 0: whatever they take.
  StackSampler(double hz, double core_ratio);
  ~StackSampler();
  StackSampler(const StackSampler&) = delete;
  StackSampler& operator=(const StackSampler&) = delete;

  // The processes to look at from now on; those that run no Python yet are tried again for
  // some seconds.
  void watch(std::vector<std::pair<pid_t, model::ProcessId>> processes);

  // From now on only this share of the looks, 0 to 1; 0: none, and what passes meanwhile is not counted.
  void set_share(double share) noexcept;

  // The first step of the run is over: what passes from now on is kept apart from its start-up.
  void note_first_step() noexcept { from_first_step_ = true; }

  CallTreeBuilder::Changes take_changes();
  // A copy of everything so far.
  model::CallTree tree() const;
  // Why processes that run Python are not looked at, each reason once.
  std::vector<std::string> refusals() const;

 private:
  // A process that is looked at; its frames' names belong to it.
  struct Target {
    Target(stacks::PythonTarget opened, model::ProcessId id)
        : python(std::move(opened)), names(python.functions()), process(id) {}
    stacks::PythonTarget python;
    CallTreeBuilder::Names names;
    model::ProcessId process;
    std::map<pid_t, std::uint32_t> last_node;  // of threads, for stacks that have not changed
    std::int64_t last_ns = 0;
  };

  void run(const std::stop_token& stop);
  std::int64_t next_interval_ns() const noexcept;
  void pause();
  void look_at_all(std::int64_t now_ns);
  bool look_at(Target& target, std::int64_t now_ns);
  void open_new();

  const std::int64_t full_interval_ns_;
  std::atomic<std::int64_t> interval_ns_;  // 0: pausing
  std::atomic<bool> from_first_step_ = false;
  LookBudget budget_;         // of the sampler's thread
  mutable std::mutex mutex_;  // of all below
  CallTreeBuilder builder_;
  std::vector<std::pair<pid_t, model::ProcessId>> wanted_;
  std::int64_t next_open_ns_ = 0;
  std::map<pid_t, std::unique_ptr<Target>> targets_;
  std::map<std::pair<pid_t, model::ProcessId>, int> tries_;
  std::vector<std::string> refusals_;
  stacks::Sample sample_;  // reused
  std::jthread thread_;    // last: it uses what is above
};

}  // namespace latido::agent
