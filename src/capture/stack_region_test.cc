#include "capture/stack_region.h"

#include <gtest/gtest.h>

#include <string_view>
#include <vector>

namespace latido::capture {
namespace {

constexpr std::string_view kMaps =
    "00400000-00500000 r-xp 00000000 fe:01 1234   /usr/bin/program\n"
    "7f0000000000-7f0000100000 rw-p 00000000 00:00 0 \n"
    "7f0000100000-7f0000101000 ---p 00000000 00:00 0 \n"
    "7f0000101000-7f0000201000 rw-p 00000000 00:00 0 \n"
    "7ffffffde000-7ffffffff000 rw-p 00000000 00:00 0                          [stack]\n";

bool scan(std::string_view text, std::uintptr_t address, std::size_t piece, StackRegion& region) {
  MapsScanner scanner(address);
  for (std::size_t at = 0; at < text.size(); at += piece) {
    const std::string_view bytes = text.substr(at, piece);
    if (!scanner.scan(bytes.data(), bytes.size())) continue;
    region = scanner.region();
    return true;
  }
  return false;
}

TEST(MapsScanner, FindsTheRegionInPiecesOfAnySize) {
  struct Case {
    const char* name;
    std::uintptr_t address;
    bool found;
    std::uintptr_t low;
    std::uintptr_t high;
  };
  const std::vector<Case> cases{
      {"first byte", 0x7f0000101000, true, 0x7f0000101000, 0x7f0000201000},
      {"last byte", 0x7f0000200fff, true, 0x7f0000101000, 0x7f0000201000},
      {"guard page", 0x7f0000100000, true, 0x7f0000100000, 0x7f0000101000},
      {"main stack, with room to grow", 0x7ffffffff000 - 1, true, 0x7ffffbfff000, 0x7ffffffff000},
      {"nothing there", 0x600000, false, 0, 0},
      {"above all", 0x7ffffffff000, false, 0, 0},
  };
  for (const Case& c : cases) {
    for (const std::size_t piece : {std::size_t{1}, std::size_t{7}, kMaps.size()}) {
      SCOPED_TRACE(c.name);
      StackRegion region;
      EXPECT_EQ(scan(kMaps, c.address, piece, region), c.found);
      EXPECT_EQ(region.low, c.low);
      EXPECT_EQ(region.high, c.high);
    }
  }
}

TEST(StackRegions, FindTheStackThatThisRunsOn) {
  StackRegions regions;
  const int here = 0;
  const auto address = reinterpret_cast<std::uintptr_t>(&here);
  const StackRegion* const region = regions.find(address);
  ASSERT_NE(region, nullptr);
  EXPECT_TRUE(region->holds(address));
  EXPECT_EQ(regions.find(address), region) << "remembered";
  EXPECT_EQ(regions.find(1), nullptr);
}

}  // namespace
}  // namespace latido::capture
