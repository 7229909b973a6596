#include "analysis/run_facts.h"

namespace latido::analysis {

std::string_view to_text(StepSource source) noexcept {
  switch (source) {
    case StepSource::kOptimizer:
      return "optimizer";
    case StepSource::kApi:
      return "api";
    case StepSource::kNone:
      break;
  }
  return "none";
}

std::string_view to_text(FunctionState state) noexcept {
  switch (state) {
    case FunctionState::kElided:
      return "elided";
    case FunctionState::kExcluded:
      return "excluded";
    case FunctionState::kRecorded:
      break;
  }
  return "recorded";
}

}  // namespace latido::analysis
