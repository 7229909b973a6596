#include "stacks/memory_map.h"

#include <gtest/gtest.h>

namespace latido::stacks {
namespace {

TEST(MemoryMap, FindsWhereFilesBegin) {
  const auto files = parse_memory_map(
      "00400000-00421000 r--p 00000000 fe:00 131 /usr/bin/python3.11\n"
      "00421000-006e8000 r-xp 00021000 fe:00 131 /usr/bin/python3.11\n"
      "0a000000-0b000000 rw-p 00000000 00:00 0 [heap]\n"
      "7f0000000000-7f0000001000 r--p 00000000 fe:00 9 /opt/a b/libpython3.8.so.1.0 (deleted)\n"
      "7f0000100000-7f0000101000 r--p 00000000 fe:00 9 /opt/a b/libpython3.8.so.1.0 (deleted)\n"
      "7f0000200000-7f0000201000 rw-p 00000000 00:00 0\n");
  const std::vector<MappedFile> want = {{0x400000, "/usr/bin/python3.11"},
                                        {0x7f0000000000, "/opt/a b/libpython3.8.so.1.0"}};
  EXPECT_EQ(files, want);
}

TEST(MemoryMap, LeavesOutLinesThatMakeNoSense) {
  EXPECT_TRUE(parse_memory_map("").empty());
  EXPECT_TRUE(parse_memory_map("\n\nzzz\n12-13 r--p zz 0 0 /a\n-1 r 0 0 0 /a\nq").empty());
}

TEST(MemoryMap, ReadsTheVersionOutOfNames) {
  EXPECT_EQ(minor_in_name("/usr/lib/libpython3.8.so.1.0"), 8);
  EXPECT_EQ(minor_in_name("/usr/bin/python3.13"), 13);
  EXPECT_EQ(minor_in_name("/usr/bin/python3"), -1);
  EXPECT_EQ(minor_in_name("/opt/python3.9/bin/tool"), -1);
  EXPECT_TRUE(is_named_like_python("/usr/bin/python3"));
  EXPECT_FALSE(is_named_like_python("/opt/python3.9/bin/tool"));
}

}  // namespace
}  // namespace latido::stacks
