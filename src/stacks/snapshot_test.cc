#include "stacks/snapshot.h"

#include <gtest/gtest.h>

#include "stacks/python_text.h"
#include "stacks/stack_walk.h"
#include "stacks/testing/scripted_memory.h"

namespace latido::stacks {
namespace {

using testing::ScriptedMemory;

constexpr std::uint64_t kBase = 0x10'0000;

TEST(Snapshot, ReadsAllThatIsWantedInOneCall) {
  ScriptedMemory memory;
  for (std::uint64_t k = 0; k < 100; ++k) memory.put(kBase + k * 5000, k);
  Snapshot snapshot(memory);
  for (std::uint64_t k = 0; k < 100; ++k) snapshot.want(kBase + k * 5000, 8);
  snapshot.want_last(kBase + 5000);
  ASSERT_TRUE(snapshot.fetch().has_value());
  for (std::uint64_t k = 0; k < 100; ++k) EXPECT_EQ(snapshot.u64(kBase + k * 5000), k);
  EXPECT_EQ(snapshot.last_u64(kBase + 5000), 1U);
  EXPECT_FALSE(snapshot.last_u64(kBase).has_value());
  EXPECT_EQ(memory.reads, 1);
}

TEST(Snapshot, FetchesThePageOfWhatWasMissed) {
  ScriptedMemory memory;
  memory.put(kBase + 100, 7);
  memory.put(kBase + 200, 8);
  memory.put(kBase + kPageBytes - 4, 0x1'0000'0002);  // over the edge of two pages
  Snapshot snapshot(memory);
  EXPECT_TRUE(snapshot.fetched_bytes(kBase + 100, 8).empty());
  EXPECT_EQ(snapshot.u64(kBase + 100), 7U);
  EXPECT_EQ(snapshot.u64(kBase + 200), 8U);
  EXPECT_EQ(memory.reads, 1);
  EXPECT_EQ(snapshot.u64(kBase + kPageBytes - 4), 0x1'0000'0002U);
  EXPECT_FALSE(snapshot.fetched_bytes(kBase + 100, 8).empty());
}

TEST(Snapshot, WhatIsNotMappedIsEmptyAndHarmsNothingElse) {
  ScriptedMemory memory;
  memory.put(kBase, 7);
  Snapshot snapshot(memory);
  snapshot.want(kBase, 8);
  snapshot.want(kBase + 50 * kPageBytes, 8);
  ASSERT_TRUE(snapshot.fetch().has_value());
  EXPECT_EQ(snapshot.u64(kBase), 7U);
  EXPECT_FALSE(snapshot.u64(kBase + 50 * kPageBytes).has_value());
  for (const std::uint64_t address :
       {std::uint64_t{0}, std::uint64_t{8}, ~std::uint64_t{0}, std::uint64_t{1} << 60}) {
    EXPECT_FALSE(snapshot.u64(address).has_value()) << address;
  }
  EXPECT_TRUE(snapshot.bytes(kBase, std::size_t{1} << 40).empty());
}

TEST(Snapshot, AProcessThatIsGoneIsAnErrorThatStays) {
  ScriptedMemory memory;
  memory.put(kBase, 7);
  memory.gone = true;
  Snapshot snapshot(memory);
  snapshot.want(kBase, 8);
  EXPECT_EQ(snapshot.fetch().error().code, ErrorCode::kNotFound);
  memory.gone = false;
  EXPECT_FALSE(snapshot.u64(kBase).has_value());
  snapshot.clear();
  EXPECT_EQ(snapshot.u64(kBase), 7U);
}

// ---- objects ------------------------------------------------------------------------------------

// A str of 3.12: length at 16, state at 32, characters at 40 (ASCII) or 56.
void put_str(ScriptedMemory& memory, std::uint64_t address, std::uint64_t length,
             std::uint32_t width, bool ascii) {
  memory.put(address + 16, length);
  memory.put(address + 32, width << 2 | 1U << 5 | (ascii ? 1U << 6 : 0), 4);
}

TEST(PythonText, ReadsEveryWidthOfCharacters) {
  const Layout layout = *layout_of(12);
  ScriptedMemory memory;
  put_str(memory, kBase, 3, 1, true);
  memory.put_text(kBase + 40, "a\nb");
  put_str(memory, kBase + 0x100, 1, 1, false);
  memory.put(kBase + 0x100 + 56, 0xFC, 1);
  put_str(memory, kBase + 0x200, 2, 2, false);
  memory.put(kBase + 0x200 + 56, 0x540D, 2);
  memory.put(kBase + 0x200 + 58, 0xD800, 2);  // half of a surrogate pair is no character
  put_str(memory, kBase + 0x300, 1, 4, false);
  memory.put(kBase + 0x300 + 56, 0x1F600, 4);
  Snapshot snapshot(memory);
  EXPECT_EQ(read_text(snapshot, layout, kBase), "a\nb");
  EXPECT_EQ(read_text(snapshot, layout, kBase + 0x100), "ü");
  EXPECT_EQ(read_text(snapshot, layout, kBase + 0x200).value_or("").substr(0, 6), "名\uFFFD");
  EXPECT_EQ(read_text(snapshot, layout, kBase + 0x300), "😀");
}

TEST(PythonText, CutsLongTextsAndRefusesWhatIsNone) {
  const Layout layout = *layout_of(12);
  ScriptedMemory memory;
  put_str(memory, kBase, 5000, 1, true);
  memory.put_text(kBase + 40, std::string(5000, 'x'));
  memory.put(kBase + 0x4000 + 16, 3);  // a state of zeros
  put_str(memory, kBase + 0x8000, ~std::uint64_t{0}, 1, true);
  Snapshot snapshot(memory);
  EXPECT_EQ(read_text(snapshot, layout, kBase), std::string(kMaxTextLength, 'x') + "…");
  EXPECT_FALSE(read_text(snapshot, layout, kBase + 0x4000).has_value());
  EXPECT_FALSE(read_text(snapshot, layout, kBase + 0x8000).has_value());
  EXPECT_FALSE(read_text(snapshot, layout, 0).has_value());
}

// ---- walks --------------------------------------------------------------------------------------

// Frames of 3.12, 0x100 apart; frame 0 is the outermost.
struct ScriptedStack {
  ScriptedMemory memory;
  Layout layout = *layout_of(12);
  CodeTable codes{layout, 0};

  static std::uint64_t place(std::uint64_t frame) { return kBase + frame * 0x100; }
  void put_frame(std::uint64_t frame, std::uint64_t previous, std::int32_t stack_top) {
    memory.put(place(frame) + layout.frame_previous, previous);
    memory.put(place(frame) + layout.frame_code, 0x5000'0000 + frame);
    memory.put(place(frame) + layout.frame_stack_top, static_cast<std::uint32_t>(stack_top), 4);
  }
  // Numbers of the frames, innermost first; "torn" or "cut" behind.
  std::string walk(std::uint64_t top) {
    Snapshot snapshot(memory);
    StackWindows windows;
    StackWalk found;
    walk_stack(snapshot, layout, codes, {top, top}, windows, found);
    std::string text;
    for (std::size_t k = 0; k < found.frames.size() && k < 5; ++k) {
      text += std::to_string(found.frames[k].code - 0x5000'0000) + " ";
    }
    return text + (found.torn ? "torn" : "") + (found.truncated ? "cut" : "");
  }
};

TEST(StackWalk, GoesFromTheInnermostFrameOutwards) {
  ScriptedStack stack;
  stack.put_frame(0, 0, 3);
  stack.put_frame(1, ScriptedStack::place(0), 3);
  stack.put_frame(2, ScriptedStack::place(1), -1);
  EXPECT_EQ(stack.walk(ScriptedStack::place(2)), "2 1 0 ");
  EXPECT_EQ(stack.walk(0), "");
}

TEST(StackWalk, DropsFramesThatWereLeftBehindAboveTheOneThatRuns) {
  ScriptedStack stack;
  stack.put_frame(0, 0, 3);
  stack.put_frame(1, ScriptedStack::place(0), -1);  // runs: it waits for nothing
  stack.put_frame(2, ScriptedStack::place(1), 3);
  stack.put_frame(3, ScriptedStack::place(2), -1);
  EXPECT_EQ(stack.walk(ScriptedStack::place(3)), "1 0 ");
}

TEST(StackWalk, KeepsCallsThatGoThroughC) {
  ScriptedStack stack;
  stack.put_frame(0, 0, -1);  // calls sorted(), say: to Python it runs
  stack.put_frame(1, ScriptedStack::place(0), 0);
  stack.memory.put(ScriptedStack::place(1) + stack.layout.frame_owner, 3, 1);  // C's own frame
  stack.put_frame(2, ScriptedStack::place(1), -1);
  EXPECT_EQ(stack.walk(ScriptedStack::place(2)), "2 0 ");
}

TEST(StackWalk, EndsOnCirclesOnUnmappedMemoryAndOnEndlessChains) {
  ScriptedStack circle;
  circle.put_frame(0, ScriptedStack::place(2), 3);
  circle.put_frame(1, ScriptedStack::place(0), 3);
  circle.put_frame(2, ScriptedStack::place(1), 3);
  EXPECT_TRUE(circle.walk(ScriptedStack::place(2)).ends_with("torn"));
  ScriptedStack wild;
  wild.put_frame(0, 0xDEAD'BEEF'0000, 3);
  EXPECT_EQ(wild.walk(ScriptedStack::place(0)), "0 torn");
  ScriptedStack deep;
  for (std::uint64_t k = 0; k < 3000; ++k) {
    deep.put_frame(k, k == 0 ? 0 : ScriptedStack::place(k - 1), 3);
  }
  EXPECT_EQ(deep.walk(ScriptedStack::place(2999)), "2999 2998 2997 2996 2995 cut");
}

}  // namespace
}  // namespace latido::stacks
