#include "stacks/stack_walk.h"

#include <algorithm>

#include "stacks/byte_view.h"

namespace latido::stacks {
namespace {

// Frames that C code puts between Python's own, from 3.12 on: they have no Python code.
constexpr std::uint8_t kOwnedByCStack = 3;
constexpr std::uint64_t kGrowthBytes = 512;

constexpr int kMaxNewFrames = 8;  // entered between the copies of pointer and frames
constexpr std::int32_t kRuns = -1;

std::size_t frame_bytes(const Layout& layout) noexcept {
  const std::uint32_t owner = layout.frame_owner == kAbsent ? 0 : layout.frame_owner;
  return std::max({layout.frame_previous, layout.frame_code, layout.frame_instruction, owner}) +
         sizeof(std::uint64_t);
}

// What a walk needs of one frame.
struct FrameView {
  std::uint64_t previous = 0;
  RawFrame raw;
  bool from_c = false;    // has no code of its own
  bool is_entry = false;  // C code called it
  bool runs = false;      // it is not waiting for a Python function that it called

  FrameView(const Layout& layout, std::span<const std::byte> bytes) noexcept {
    ByteView view(bytes);
    previous = view.u64(layout.frame_previous);
    raw.code = view.u64(layout.frame_code);
    raw.instruction = layout.has_frame_objects() ? view.u32(layout.frame_instruction)
                                                 : view.u64(layout.frame_instruction);
    from_c = layout.frame_owner != kAbsent && view.u8(layout.frame_owner) == kOwnedByCStack;
    if (layout.frame_stack_top == kAbsent) return;
    is_entry = layout.frame_is_entry != kAbsent && view.u8(layout.frame_is_entry) != 0;
    runs = static_cast<std::int32_t>(view.u32(layout.frame_stack_top)) == kRuns;
  }
};

// Whether a frame at `address` was called by the one at `caller`, as copied.
bool is_callee(const Snapshot& snapshot, const Layout& layout, std::uint64_t address,
               std::uint64_t caller) {
  const auto bytes = snapshot.fetched_bytes(address, frame_bytes(layout));
  return !bytes.empty() && FrameView(layout, bytes).previous == caller;
}

// The frame that was innermost when the frames were copied: that at `pointers.before`, or one that
// was entered since.
std::uint64_t innermost(const Snapshot& snapshot, const Layout& layout, const CodeTable& codes,
                        FramePointers pointers) {
  std::uint64_t frame = pointers.before;
  if (layout.frame_stack_top == kAbsent || pointers.after == pointers.before) return frame;
  for (int k = 0; k < kMaxNewFrames; ++k) {
    const auto bytes = snapshot.fetched_bytes(frame, frame_bytes(layout));
    if (bytes.empty()) break;
    const FrameView view(layout, bytes);
    const Code* code = codes.find(view.raw.code);
    if (view.from_c || view.runs || code == nullptr) break;
    if (is_callee(snapshot, layout, frame + code->frame_bytes, frame)) {
      frame += code->frame_bytes;
    } else if (is_callee(snapshot, layout, pointers.after, frame)) {
      frame = pointers.after;  // a generator's frame lies elsewhere
    } else {
      break;
    }
  }
  return frame;
}

}  // namespace

void StackWindows::add(std::uint64_t frame, std::size_t bytes) {
  const std::uint64_t end = frame + bytes;
  if (!windows_.empty()) {
    Window& last = windows_.back();
    const bool same_page = last.begin / kPageBytes == frame / kPageBytes;
    if (same_page) {
      last = {std::min(last.begin, frame), std::max(last.end, end)};
      return;
    }
  }
  windows_.push_back({frame, end});
}

void StackWindows::want(Snapshot& snapshot) const {
  bool innermost = true;
  for (const Window& window : windows_) {
    const std::uint64_t page_end = ((window.end - 1) / kPageBytes + 1) * kPageBytes;
    const std::uint64_t end =
        innermost ? std::min(window.end + kGrowthBytes, page_end) : window.end;
    innermost = false;
    snapshot.want(window.begin, static_cast<std::size_t>(end - window.begin));
  }
}

void walk_stack(Snapshot& snapshot, const Layout& layout, const CodeTable& codes,
                FramePointers pointers, StackWindows& windows, StackWalk& walk) {
  walk.frames.clear();
  walk.truncated = walk.torn = false;
  windows.clear();
  const std::size_t size = frame_bytes(layout);
  std::size_t visited = 0;
  std::uint64_t landmark = 0;  // a frame met twice: what was read of two moments made a circle
  bool waited_for = false;     // the last frame was called by Python code, which waits for it
  for (std::uint64_t frame = innermost(snapshot, layout, codes, pointers); frame != 0; ++visited) {
    if (walk.frames.size() == kMaxFrames) {
      walk.truncated = true;
      return;
    }
    const auto bytes = snapshot.bytes(frame, size);
    if (bytes.empty() || visited > 4 * kMaxFrames || frame == landmark) {
      walk.torn = true;
      return;
    }
    if ((visited & (visited - 1)) == 0) landmark = frame;
    windows.add(frame, size);
    const FrameView view(layout, bytes);
    if (view.runs && waited_for) walk.frames.clear();  // those were left behind
    if (!view.from_c) walk.frames.push_back(view.raw);
    waited_for = !view.from_c && !view.is_entry;
    frame = view.previous;
  }
}

std::optional<std::int64_t> bytecode_offset(const Layout& layout, const RawFrame& frame,
                                            const Code& code) noexcept {
  std::int64_t offset = 0;
  if (layout.has_frame_objects()) {
    offset = static_cast<std::int32_t>(frame.instruction & 0xFFFF'FFFF);
    if (layout.minor == 10 && offset > 0) offset *= 2;  // 3.10 counts instructions
  } else {
    offset = static_cast<std::int64_t>(frame.instruction - code.bytecode);
  }
  if (offset < -2 || offset >= static_cast<std::int64_t>(code.bytecode_bytes)) return std::nullopt;
  return offset;
}

}  // namespace latido::stacks
