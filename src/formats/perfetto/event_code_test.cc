#include "formats/perfetto/event_code.h"

#include <gtest/gtest.h>

#include <array>
#include <string>

namespace latido::formats::perfetto {
namespace {

std::string hex(const std::string& bytes) {
  constexpr char kDigits[] = "0123456789ABCDEF";
  std::string text;
  for (const char c : bytes) {
    const auto byte = static_cast<unsigned char>(c);
    text += kDigits[byte >> 4U];
    text += kDigits[byte & 0xFU];
  }
  return text;
}

// The worked example of docs/formats/segments.md.
TEST(EventCode, WritesTheDocumentedBytes) {
  std::string out;
  append_begin(out, 2, begin_code(model::SiteId{4}, 5, true), 300);
  EXPECT_EQ(hex(out), "0A12500268025A0948011805900205500540AC02");
  out.clear();
  append_end(out, 2, 200);
  EXPECT_EQ(hex(out), "0A0B500268025A02480240C801");
}

TEST(EventCode, StaysShortWithTheLargestNumbers) {
  std::string out;
  append_begin(out, 0xFFFF'FFFF, begin_code(model::SiteId{0xFFFF'FFFF}, 20, true), ~0ULL);
  EXPECT_LT(out.size(), 64U);
  EXPECT_EQ(static_cast<std::size_t>(out[1]), out.size() - 2);
}

TEST(PutVarint, UsesSevenBitsAByte) {
  struct Case {
    std::uint64_t value;
    std::string want;
  };
  for (const Case& c : {Case{0, "00"}, Case{127, "7F"}, Case{128, "8001"}, Case{300, "AC02"},
                        Case{~0ULL, "FFFFFFFFFFFFFFFFFF01"}}) {
    std::array<char, 10> bytes;
    EXPECT_EQ(hex(std::string(bytes.data(), put_varint(bytes.data(), c.value))), c.want);
  }
}

}  // namespace
}  // namespace latido::formats::perfetto
