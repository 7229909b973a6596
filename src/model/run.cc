#include "model/run.h"

#include <algorithm>
#include <array>

namespace latido::model {
namespace {

constexpr std::array<std::string_view, 4> kReductions{"none", "adaptive", "no_rearm", "steps_only"};

}  // namespace

std::string_view to_text(Reduction reduction) noexcept {
  return kReductions[static_cast<std::size_t>(reduction)];
}

std::optional<Reduction> reduction_from_text(std::string_view text) noexcept {
  const auto* const it = std::ranges::find(kReductions, text);
  if (it == kReductions.end()) return std::nullopt;
  return static_cast<Reduction>(it - kReductions.begin());
}

}  // namespace latido::model
