// ThreadList: the interpreters and Python threads of a process, kept from sample to sample.
//
// The list is a chain of pointers in the other process. It is followed once, and again when a link
// that was read differs from what is known: a new thread comes first in its chain, so that its head
// changes; one that ends changes the link of the thread before it.
#pragma once

#include <sys/types.h>

#include <cstdint>
#include <memory>
#include <unordered_map>
#include <vector>

#include "stacks/layout.h"
#include "stacks/sample.h"
#include "stacks/snapshot.h"
#include "stacks/stack_walk.h"
#include "stacks/task_folder.h"

namespace latido::stacks {

// A Python thread, and what is remembered of it between samples.
struct KnownThread {
  std::uint64_t address = 0;      // of its PyThreadState
  std::uint64_t next = 0;         // the one after it in the chain
  std::uint64_t interpreter = 0;  // address of its PyInterpreterState
  std::uint64_t frame_place = 0;  // where the pointer to its innermost frame lies
  std::uint64_t pthread = 0;      // pthread_self()
  std::uint64_t native_id = 0;    // what the interpreter says; 0: nothing
  pid_t tid = 0;
  TaskProbe probe;
  StackWindows windows;
  StackWalk walk;
  std::vector<Frame> frames;
  std::uint32_t quiet_samples = 0;  // reads since its stack last changed
  bool due = false;                 // is read at this sample
  bool changed = true;              // since the sample before
  bool invalid = false;
  bool gone = false;  // it ended while it was read
  Activity activity = Activity::kUnknown;
};

struct Gil {
  std::uint64_t address = 0;
  std::uint64_t holder = 0;  // the thread state that has it; 0: none
  std::uint64_t last_holder = 0;
  std::uint64_t switches = 0;
  bool switched = true;  // another thread had it since the sample before
};

struct Interpreter {
  std::uint64_t address = 0;
  std::uint64_t next = 0;
  std::uint64_t first_thread = 0;
  Gil gil;
};

class ThreadList {
 public:
  ThreadList(const Layout& layout, std::uint64_t runtime) noexcept
      : layout_(layout), runtime_(runtime) {}

  // Asks for all that refresh() reads of known interpreters.
  void want(Snapshot& snapshot) const;

  // Reads interpreters and GILs, and follows the chains where they differ from what is known.
  // False: a chain was broken while it was followed; what could be read is there. `tasks` tells the
  // number of each new thread. kNotFound: the process, or its interpreter, is gone.
  Result<bool> refresh(Snapshot& snapshot, const TaskFolder& tasks);

  // Asks for what read_head() needs.
  void want_head(Snapshot& snapshot, const KnownThread& thread) const;

  // Reads a thread's links, numbers and the place of its frame pointer. False: there is no such
  // thread any more. Then, and when its link changed, the list is followed anew at the next refresh.
  bool read_head(Snapshot& snapshot, const TaskFolder& tasks, KnownThread& thread);

  std::vector<std::unique_ptr<KnownThread>>& threads() noexcept { return threads_; }
  const std::vector<std::unique_ptr<KnownThread>>& threads() const noexcept { return threads_; }
  const std::vector<Interpreter>& interpreters() const noexcept { return interpreters_; }
  const Gil* gil_of(const KnownThread& thread) const noexcept;
  bool has_switched() const noexcept;
  std::uint64_t threads_seen() const noexcept { return threads_seen_; }
  // Some thread is gone or new: the chains are not what is known.
  bool is_stale() const noexcept { return must_follow_; }
  // Rises whenever threads() may have other elements than before.
  std::uint64_t generation() const noexcept { return generation_; }

 private:
  bool read_interpreters(Snapshot& snapshot);
  void read_gil(Snapshot& snapshot, Interpreter& interpreter) const;
  bool follow_threads(Snapshot& snapshot, const TaskFolder& tasks);
  std::size_t head_bytes() const noexcept;
  void identify(Snapshot& snapshot, const TaskFolder& tasks, KnownThread& thread);

  Layout layout_;
  std::uint64_t runtime_;
  std::vector<Interpreter> interpreters_;
  std::vector<std::unique_ptr<KnownThread>> threads_;  // in the order of the chains
  std::unordered_map<pid_t, pid_t> tasks_;             // as of this refresh; may be empty
  bool must_follow_ = true;
  std::uint64_t threads_seen_ = 0;
  std::uint64_t generation_ = 0;
};

}  // namespace latido::stacks
