#include "diagnosis/fail_if.h"

#include <gtest/gtest.h>

#include <string_view>

namespace latido::diagnosis {
namespace {

TEST(ParseFailIf, ReadsEverySpelling) {
  struct Case {
    std::string_view text;
    FailIf want;
  };
  const Case cases[] = {
      {"step > +3 %", {"step", true, 0.03}},
      {"step>+3%", {"step", true, 0.03}},
      {"  step\t>  3 %  ", {"step", true, 0.03}},
      {"step < -10%", {"step", false, -0.10}},
      {"data_wait > 0.5 %", {"data_wait", true, 0.005}},
      {"h2d > 5 %", {"h2d", true, 0.05}},
      {"loss > 2 %", {"loss", true, 0.02}},
  };
  for (const Case& c : cases) {
    SCOPED_TRACE(c.text);
    const auto got = parse_fail_if(c.text);
    ASSERT_TRUE(got.has_value()) << got.error().message;
    EXPECT_EQ(got.value().metric, c.want.metric);
    EXPECT_EQ(got.value().above, c.want.above);
    EXPECT_DOUBLE_EQ(got.value().limit_ratio, c.want.limit_ratio);
  }
}

TEST(ParseFailIf, RefusesAndSaysWhatItExpected) {
  struct Case {
    std::string_view text;
    std::string_view part;
  };
  const Case cases[] = {
      {"", "expected step, loss or a phase"},
      {"steps > 3 %", "expected step, loss or a phase"},
      {"step 3 %", "expected > or <"},
      {"step > three %", "expected a number"},
      {"step > inf %", "expected a number"},
      {"step > nan %", "expected a number"},
      {"step > 3", "expected % after"},
      {"step > 0.03", "expected % after"},
      {"step > 3 % and loss > 1 %", "nothing may follow"},
  };
  for (const Case& c : cases) {
    SCOPED_TRACE(c.text);
    const auto got = parse_fail_if(c.text);
    ASSERT_FALSE(got.has_value());
    EXPECT_EQ(got.error().code, ErrorCode::kInvalidInput);
    EXPECT_NE(got.error().message.find(c.part), std::string::npos) << got.error().message;
  }
}

// A comparison whose step changed by low..high.
Comparison changed_by(double low, double high) {
  Comparison comparison;
  comparison.step = analysis::StepComparison{};
  comparison.step->speedup_high = 1 / (1 + low);
  comparison.step->speedup_low = 1 / (1 + high);
  return comparison;
}

TEST(Judge, PassesFailsOrCannotTell) {
  struct Case {
    std::string_view name;
    FailIf condition;
    Comparison comparison;
    GateAnswer want;
  };
  Comparison loss;
  loss.loss = LossComparison{.low_ratio = 0.05, .high_ratio = 0.06};
  loss.not_comparable.push_back({"compare.not_comparable.host", {}});
  Comparison incomparable = changed_by(0.1, 0.2);
  incomparable.not_comparable.push_back({"compare.not_comparable.host", {}});
  const Case cases[] = {
      {"clearly slower", {"step", true, 0.03}, changed_by(0.05, 0.09), GateAnswer::kRegression},
      {"clearly not", {"step", true, 0.03}, changed_by(-0.01, 0.02), GateAnswer::kPass},
      {"faster", {"step", true, 0.03}, changed_by(-0.5, -0.4), GateAnswer::kPass},
      {"noise across the limit",
       {"step", true, 0.03},
       changed_by(0.01, 0.05),
       GateAnswer::kCannotTell},
      {"too much faster", {"step", false, -0.1}, changed_by(-0.5, -0.4), GateAnswer::kRegression},
      {"not so much faster", {"step", false, -0.1}, changed_by(-0.05, 0.01), GateAnswer::kPass},
      {"not comparable", {"step", true, 0.03}, incomparable, GateAnswer::kCannotTell},
      {"no steps", {"step", true, 0.03}, Comparison{}, GateAnswer::kCannotTell},
      {"phase without a test", {"h2d", true, 0.03}, Comparison{}, GateAnswer::kCannotTell},
      {"no loss", {"loss", true, 0.03}, changed_by(0, 0), GateAnswer::kCannotTell},
      {"loss, on another machine", {"loss", true, 0.03}, loss, GateAnswer::kRegression},
  };
  for (const Case& c : cases) {
    SCOPED_TRACE(c.name);
    EXPECT_EQ(judge(c.condition, c.comparison), c.want);
  }
}

}  // namespace
}  // namespace latido::diagnosis
