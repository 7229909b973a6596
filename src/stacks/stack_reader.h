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
  void choose_rest();
  Status read_stacks();
  void read_stack(Snapshot& snapshot, KnownThread& thread);
  void resolve_codes(Snapshot& snapshot, const std::vector<KnownThread*>& threads);
  bool name_frames(KnownThread& thread);
  void read_again(KnownThread& thread);
  void check_activity();
  void write(Sample& out);

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
  std::vector<KnownThread*> due_;
  std::vector<KnownThread*> one_thread_;
  std::vector<std::uint64_t> code_addresses_;
  std::vector<Frame> frames_;
  StackWalk walk_;
};

}  // namespace latido::stacks
