// Walks the frames of one Python thread in a Snapshot, from the innermost outwards.
//
// Called by the sampling loop. What it walks changes all the time: it promises to end, not to be
// right; that is judged when the frames' code objects are known.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "stacks/code_table.h"
#include "stacks/layout.h"
#include "stacks/snapshot.h"

namespace latido::stacks {

// Frames beyond these are left out, the outermost ones, and the stack is marked as truncated.
inline constexpr std::size_t kMaxFrames = 1024;

struct RawFrame {
  std::uint64_t code = 0;
  std::uint64_t instruction = 0;  // address; before 3.11 the number f_lasti

  bool operator==(const RawFrame&) const = default;
};

// Where a thread's frames lay, by page: what to copy at the next sample.
class StackWindows {
 public:
  void clear() noexcept { windows_.clear(); }
  void add(std::uint64_t frame, std::size_t frame_bytes);
  // With some room above the innermost frame, since it will have moved.
  void want(Snapshot& snapshot) const;

 private:
  struct Window {
    std::uint64_t begin = 0;
    std::uint64_t end = 0;
  };
  std::vector<Window> windows_;
};

struct StackWalk {
  std::vector<RawFrame> frames;  // innermost first
  bool truncated = false;
  bool torn = false;  // it led to where no frame is
};

// The two frame pointers of a thread that enclose the copy of its frames. The stack goes on in
// between, so that neither need be the innermost frame of the copy.
struct FramePointers {
  std::uint64_t before = 0;  // 0: no frames
  std::uint64_t after = 0;
};

// Fills `walk` and `windows` with the stack as it was when the frames were copied. From 3.11 frames
// lie one behind the other and say whether they run or wait for a call, so that
//   frames that were left behind above the one that runs are dropped, and
//   frames that were entered since `before` was read are found (where `codes` knows their callers).
// Without the first a sampler shows stacks that never existed: measured, 4 % of all samples where
// calls last 50 ns.
void walk_stack(Snapshot& snapshot, const Layout& layout, const CodeTable& codes,
                FramePointers pointers, StackWindows& windows, StackWalk& walk);

// Where in the bytecode of `code` the frame stands, in bytes; -1 or -2: about to begin. Empty: the
// frame is not one of this code, so what was read was torn.
std::optional<std::int64_t> bytecode_offset(const Layout& layout, const RawFrame& frame,
                                            const Code& code) noexcept;

}  // namespace latido::stacks
