// StackReader: one sample after the other out of a process's memory. The core of PythonTarget, on a
// MemorySource, so that tests can give it memory that changes at will.
//
// What is read at a sample: the threads whose stacks changed lately, the one that holds the GIL, and,
// only if the GIL went to another thread since the last sample, some of the sleeping ones in turn. A
// Python stack changes only under the GIL; so a sleeper that woke is seen when it holds the GIL or
// when its turn comes.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "base/result.h"
#include "stacks/code_table.h"
#include "stacks/layout.h"
#include "stacks/memory_source.h"
#include "stacks/sample.h"
#include "stacks/snapshot.h"
#include "stacks/task_folder.h"
#include "stacks/thread_list.h"

namespace latido::stacks {

class StackReader {
 public:
  // Addresses of _PyRuntime and PyCode_Type (0: not known). `memory` and `tasks` must outlive this.
  StackReader(const Layout& layout, std::uint64_t runtime, std::uint64_t code_type,
              MemorySource& memory, const TaskFolder& tasks);

  // As PythonTarget::sample.
  Status sample(Sample& out);

  const FunctionTable& functions() const noexcept { return codes_.functions(); }
  Counters counters() const noexcept;

 private:
  void want_thread(Snapshot& snapshot, const KnownThread& thread) const;
  void choose_likely();
  void note_new_list();
  void touch(std::size_t index, bool read);
  void choose_rest();
  Status read_stacks();
  void read_stack(Snapshot& snapshot, KnownThread& thread);
  void resolve_codes(Snapshot& snapshot, const std::vector<KnownThread*>& threads);
  bool name_frames(KnownThread& thread);
  void read_again(KnownThread& thread);
  void check_activity();
  ThreadStack describe(const KnownThread& thread) const;
  void write(Sample& out);
  void leave_out_gone(Sample& out) const;

  Layout layout_;
  const TaskFolder* tasks_;
  Snapshot snapshot_;
  Snapshot retry_;
  ThreadList threads_;
  CodeTable codes_;
  Counters counters_;
  std::size_t stack_turn_ = 0;  // next sleeping thread whose stack is read
  std::size_t state_turn_ = 0;  // next sleeping thread whose state is asked of the kernel
  std::size_t held_files_ = 0;
  // Threads by their place in the list. A sleeping one is not looked at, not even in our own memory:
  // with 200 of them that would cost more than all that is read.
  std::uint64_t generation_ = 0;
  std::vector<std::uint64_t> addresses_;
  std::vector<std::size_t> watched_;  // those that do not sleep, as far as is known
  std::vector<std::size_t> touched_;  // those of this sample, each once
  std::vector<bool> is_touched_;
  Sample last_;
  std::vector<KnownThread*> due_;
  std::vector<KnownThread*> one_thread_;
  std::vector<std::uint64_t> code_addresses_;
  std::vector<Frame> frames_;
  StackWalk walk_;
};

}  // namespace latido::stacks
