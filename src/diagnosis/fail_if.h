// FailIf: the condition of `latido diff --fail-if`, for a gate in continuous integration.
//
//   step > +3 %        the mean step became more than 3 % longer
//   forward > 5%       the same of one phase
//   step < -10 %       (as a wish turned round) it became more than 10 % shorter
//   loss > +2 %        the loss at equal samples became more than 2 % higher
// Pure.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "base/result.h"
#include "diagnosis/compare.h"

namespace latido::diagnosis {

struct FailIf {
  std::string metric;      // "step", a text of model::Phase, or "loss"
  bool above = true;       // the change is more than the limit; else less
  double limit_ratio = 0;  // 0.03 for "+3 %"

  bool operator==(const FailIf&) const = default;
};

// kInvalidInput with what was expected. Blanks may stand anywhere but inside a word or number.
Result<FailIf> parse_fail_if(std::string_view text);

enum class GateAnswer : std::uint8_t {
  kPass,
  kRegression,  // the condition holds, by more than noise
  kCannotTell,  // the noise reaches across the limit, or the runs are not comparable
};

GateAnswer judge(const FailIf& condition, const Comparison& comparison);

}  // namespace latido::diagnosis
