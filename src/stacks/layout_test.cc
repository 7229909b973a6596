#include "stacks/layout.h"

#include <gtest/gtest.h>

#include <vector>

namespace latido::stacks {
namespace {

// A table of offsets as a 3.13 process has it: every offset is its own position.
std::vector<std::byte> declared(std::uint64_t version, std::uint64_t free_threaded) {
  std::vector<std::byte> bytes(kDebugOffsetsBytes);
  const auto put = [&bytes](std::size_t at, std::uint64_t value) {
    for (std::size_t k = 0; k < 8; ++k) bytes[at + k] = static_cast<std::byte>(value >> (8 * k));
  };
  for (std::size_t at = 24; at < bytes.size(); at += 8) put(at, at);
  put(0, 0x7970'6775'6265'6478);
  put(8, version);
  put(16, free_threaded);
  return bytes;
}

TEST(Layout, TheTableHasTheVersionsThatAreSupported) {
  for (int minor = kOldestMinor; minor <= kNewestMinor; ++minor) {
    SCOPED_TRACE(minor);
    const auto layout = layout_of(minor);
    ASSERT_TRUE(layout.has_value());
    EXPECT_EQ(layout->has_frame_objects(), minor < 11);
    EXPECT_EQ(layout->cframe_frame != kAbsent, minor == 11 || minor == 12);
    EXPECT_EQ(layout->runtime_gil == kAbsent, minor >= 12);
  }
  EXPECT_FALSE(layout_of(kOldestMinor - 1).has_value());
  EXPECT_FALSE(layout_of(kNewestMinor + 1).has_value());
}

TEST(Layout, TakesWhatAProcessDeclaresAndTheRestFromTheTable) {
  const auto layout = parse_debug_offsets(declared(0x030D'00F0, 0));
  ASSERT_TRUE(layout.has_value()) << layout.error().message;
  EXPECT_EQ(layout.value().minor, 13U);
  EXPECT_EQ(layout.value().runtime_interpreters, 40U);
  EXPECT_EQ(layout.value().gil_locked, 136U - 120U);
  EXPECT_EQ(layout.value().code_bytecode, 344U);
  EXPECT_EQ(layout.value().frame_stack_top, layout_of(13)->frame_stack_top);
}

TEST(Layout, RefusesOtherBuildsAndImpossibleOffsets) {
  const auto code_of = [](const std::vector<std::byte>& bytes) {
    const auto layout = parse_debug_offsets(bytes);
    return layout ? std::string("accepted") : layout.error().message;
  };
  EXPECT_EQ(code_of(declared(0x030D'00F0, 1)),
            "this is a free-threaded build of Python 3.13, which is not supported");
  EXPECT_EQ(code_of(declared(0x030E'00F0, 0)), "Python 3.14 is not supported (3.8 to 3.13 are)");
  auto impossible = declared(0x030D'00F0, 0);
  impossible[47] = std::byte{1};
  EXPECT_EQ(code_of(impossible), "the interpreter's table of offsets holds impossible ones");
  auto cut = declared(0x030D'00F0, 0);
  cut.pop_back();
  EXPECT_EQ(code_of(cut), "the interpreter's table of offsets is not where it should be");
  EXPECT_EQ(code_of(std::vector<std::byte>(kDebugOffsetsBytes)),
            "the interpreter's table of offsets is not where it should be");
}

}  // namespace
}  // namespace latido::stacks
