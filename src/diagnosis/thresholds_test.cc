#include "diagnosis/thresholds.h"

#include <gtest/gtest.h>

#include <limits>
#include <set>
#include <string_view>

namespace latido::diagnosis {
namespace {

TEST(Thresholds, EveryFieldIsReachedByItsOwnName) {
  std::set<std::string_view> names;
  for (const ThresholdField& field : threshold_fields()) {
    SCOPED_TRACE(field.name);
    EXPECT_TRUE(names.insert(field.name).second);
    Thresholds thresholds;
    ASSERT_TRUE(set_threshold(thresholds, field.name, field.high).has_value());
    EXPECT_EQ(thresholds.*(field.value), field.high);
    EXPECT_NE(thresholds, Thresholds{});
  }
}

TEST(Thresholds, DefaultsLieInTheirRange) {
  const Thresholds defaults;
  for (const ThresholdField& field : threshold_fields()) {
    EXPECT_GE(defaults.*(field.value), field.low) << field.name;
    EXPECT_LE(defaults.*(field.value), field.high) << field.name;
  }
}

TEST(SetThreshold, RefusesWhatItCannotUse) {
  struct Case {
    std::string_view name;
    std::string_view key;
    double value;
    ErrorCode want;
  };
  const Case cases[] = {
      {"unknown key", "input_wait", 0.2, ErrorCode::kNotFound},
      {"empty key", "", 0.2, ErrorCode::kNotFound},
      {"percent instead of ratio", "input_wait_ratio", 20, ErrorCode::kInvalidInput},
      {"negative", "input_wait_ratio", -0.1, ErrorCode::kInvalidInput},
      {"not a number", "input_wait_ratio", std::numeric_limits<double>::quiet_NaN(),
       ErrorCode::kInvalidInput},
      {"infinite", "long_step_ns", std::numeric_limits<double>::infinity(),
       ErrorCode::kInvalidInput},
  };
  for (const Case& c : cases) {
    SCOPED_TRACE(c.name);
    Thresholds thresholds;
    const Status got = set_threshold(thresholds, c.key, c.value);
    ASSERT_FALSE(got.has_value());
    EXPECT_EQ(got.error().code, c.want);
    EXPECT_EQ(thresholds, Thresholds{});
  }
}

}  // namespace
}  // namespace latido::diagnosis
