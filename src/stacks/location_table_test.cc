#include "stacks/location_table.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace latido::stacks {
namespace {

std::vector<std::byte> bytes_of(const std::vector<int>& values) {
  std::vector<std::byte> bytes;
  for (const int value : values) bytes.push_back(static_cast<std::byte>(value));
  return bytes;
}

// Lines of the given instruction offsets, 0 where there is none; "error" when it cannot be decoded.
std::string lines_of(LineFormat format, const std::vector<int>& table, std::int32_t first_line,
                     const std::vector<std::int64_t>& offsets) {
  const auto decoded = LineTable::decode(format, bytes_of(table), first_line);
  if (!decoded) return "error";
  std::string lines;
  for (const auto offset : offsets) lines += std::to_string(decoded.value().line_at(offset)) + " ";
  return lines;
}

TEST(LineTable, DecodesEveryKindOfLocation) {
  // As CPython writes them: 0x80 | kind << 3 | instructions - 1, then the kind's own bytes. Kind 0:
  // the same line; kind 11: the next one, for two instructions.
  EXPECT_EQ(lines_of(LineFormat::kLocations, {0x80, 0x11, 0x80 | 11 << 3 | 1, 1, 2}, 10,
                     {-2, 0, 1, 2, 5, 6}),
            "10 10 10 11 11 0 ");
  // Kind 13: a signed number, its sign in the lowest bit, 6 bits a byte: 0x43 0x01 is 67, so -33.
  EXPECT_EQ(lines_of(LineFormat::kLocations, {0x80 | 11 << 3, 1, 2, 0x80 | 13 << 3, 0x43, 1}, 100,
                     {0, 2}),
            "101 68 ");
  // Kind 14: line delta, end line delta, two columns. Kind 15: no line.
  EXPECT_EQ(lines_of(LineFormat::kLocations,
                     {0x80 | 14 << 3, 4, 1, 0x41, 2, 9, 0x80 | 15 << 3 | 7, 0x80 | 12 << 3, 0, 0},
                     5, {0, 2, 17, 18}),
            "7 0 0 9 ");
}

TEST(LineTable, DecodesTheOlderFormats) {
  // 3.8, 3.9: after 6 bytes line +1, after 8 more -2 (a loop).
  EXPECT_EQ(lines_of(LineFormat::kLineNumberTable, {6, 1, 8, 254}, 20, {-1, 0, 5, 6, 13, 14, 999}),
            "20 20 20 21 21 19 19 ");
  // 3.10: 4 bytes of the first line, 2 without line, 6 of the next one.
  EXPECT_EQ(lines_of(LineFormat::kLineDeltas, {4, 0, 2, 128, 6, 1}, 20, {0, 3, 4, 6, 11, 12}),
            "20 20 0 21 21 0 ");
}

TEST(LineTable, RefusesWhatNoCompilerWrites) {
  const struct {
    const char* name;
    LineFormat format;
    std::vector<int> table;
    std::int32_t first_line;
  } cases[] = {
      {"entry without its mark", LineFormat::kLocations, {0x11}, 1},
      {"cut short", LineFormat::kLocations, {0x80}, 1},
      {"number without end",
       LineFormat::kLocations,
       {0x80 | 13 << 3, 255, 255, 255, 255, 255, 255, 255, 255},
       1},
      {"line below zero", LineFormat::kLocations, {0x80 | 13 << 3, 9}, 1},
      {"first line below zero", LineFormat::kLineNumberTable, {2, 0}, -5},
      {"line beyond int32", LineFormat::kLineDeltas, {2, 1}, 2147483647},
  };
  for (const auto& one : cases) {
    SCOPED_TRACE(one.name);
    EXPECT_EQ(lines_of(one.format, one.table, one.first_line, {0}), "error");
  }
  EXPECT_FALSE(
      LineTable::decode(LineFormat::kLocations, std::vector<std::byte>(kMaxLineTableBytes + 1), 1));
}

TEST(LineTable, AnEmptyTableKnowsNoLine) {
  EXPECT_EQ(lines_of(LineFormat::kLocations, {}, 7, {0, 100}), "0 0 ");
}

}  // namespace
}  // namespace latido::stacks
