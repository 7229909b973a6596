#include "store/ulid.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <string_view>
#include <vector>

namespace latido::store {
namespace {

TEST(Ulid, EncodesTimeAndRandom) {
  struct Case {
    std::string_view name;
    std::int64_t wall_ns;
    std::uint8_t fill;
    std::string_view want;
  };
  const std::vector<Case> cases{
      {"zero", 0, 0, "00000000000000000000000000"},
      {"before 1970", -5, 0, "00000000000000000000000000"},
      // 1469918176385 ms is the example of the ULID specification: 01ARYZ6S41.
      {"known time", 1'469'918'176'385'000'000, 0, "01ARYZ6S410000000000000000"},
      {"all random bits", 0, 0xFF, "0000000000ZZZZZZZZZZZZZZZZ"},
  };
  for (const Case& c : cases) {
    SCOPED_TRACE(c.name);
    UlidRandom random;
    random.fill(c.fill);
    EXPECT_EQ(make_ulid(c.wall_ns, random), c.want);
  }
}

TEST(Ulid, SortsByTime) { EXPECT_LT(make_ulid(1'000'000, {0xFF, 0xFF}), make_ulid(2'000'000, {})); }

TEST(Ulid, NewOnesAreValidAndDiffer) {
  const auto a = new_ulid();
  const auto b = new_ulid();
  ASSERT_TRUE(a.has_value() && b.has_value());
  EXPECT_TRUE(is_ulid(a.value()));
  EXPECT_NE(a.value(), b.value());
}

TEST(Ulid, RejectsOtherTexts) {
  for (const std::string_view text :
       {"", "01ARYZ6S41", "01ARYZ6S41000000000000000I", "81ARYZ6S410000000000000000",
        "01aryz6s410000000000000000", "01ARYZ6S41000000000000000/"}) {
    SCOPED_TRACE(text);
    EXPECT_FALSE(is_ulid(text));
  }
}

}  // namespace
}  // namespace latido::store
