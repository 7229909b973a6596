// What one look at a Python process gives: its threads, and what each was doing. Plain values.
#pragma once

#include <sys/types.h>

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "stacks/function_table.h"
#include "stacks/task_folder.h"

namespace latido::stacks {

struct Frame {
  FunctionId function = FunctionTable::kOther;
  std::int32_t line = 0;  // 0: not known

  bool operator==(const Frame&) const = default;
};

// One thread that has a Python thread state. Threads that never ran Python are not among them.
struct ThreadStack {
  pid_t tid = 0;                  // as this process sees it; 0: could not be told
  std::uint32_t first_frame = 0;  // in Sample::frames, innermost frame first
  std::uint32_t frame_count = 0;  // 0: it is in no Python code, or `invalid`
  Activity activity = Activity::kUnknown;
  bool holds_gil = false;
  bool truncated = false;  // there were more frames, further out, than kMaxFrames
  bool invalid = false;    // it changed while it was read, also when read again: no frames
  bool unchanged = false;  // the same frames and lines as at the sample before
};

// Used again for each sample, so that nothing is allocated once it has grown.
struct Sample {
  std::vector<ThreadStack> threads;
  std::vector<Frame> frames;

  std::span<const Frame> stack_of(const ThreadStack& thread) const {
    return std::span(frames).subspan(thread.first_frame, thread.frame_count);
  }
};

// Since the target was opened.
struct Counters {
  std::uint64_t samples = 0;
  std::uint64_t stacks = 0;            // threads of all samples
  std::uint64_t invalid_stacks = 0;    // of these: could not be read consistently
  std::uint64_t invalid_samples = 0;   // samples with such a stack, or a broken list of threads
  std::uint64_t truncated_stacks = 0;  // of these: deeper than kMaxFrames
  std::uint64_t repeated_reads = 0;    // stacks that had to be read again
  std::uint64_t threads_seen = 0;      // different thread states
  std::uint64_t replaced_codes = 0;    // code objects whose address another one took over
};

}  // namespace latido::stacks
