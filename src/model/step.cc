#include "model/step.h"

namespace latido::model {
namespace {

constexpr std::array<std::string_view, kPhaseCount> kPhaseTexts{
    "data_wait", "h2d", "forward", "backward", "comm_wait", "optimizer", "other"};
constexpr std::array<std::string_view, kOtherPartCount> kOtherPartTexts{
    "checkpoint", "evaluation", "loader_start", "zones", "unnamed"};

}  // namespace

std::string_view to_text(Phase phase) noexcept {
  return kPhaseTexts[static_cast<std::size_t>(phase)];
}

std::string_view to_text(OtherPart part) noexcept {
  return kOtherPartTexts[static_cast<std::size_t>(part)];
}

}  // namespace latido::model
