#include "model/category.h"

#include <algorithm>
#include <array>

namespace latido::model {
namespace {

constexpr std::array<std::string_view, kCategoryCount> kTexts{
    "zone",           "data_wait", "loader_start", "h2d",        "forward",
    "forward_nograd", "backward",  "comm_wait",    "optimizer",  "scaler_step",
    "zero_grad",      "clip_grad", "worker_task",  "checkpoint", "step",
    "series",         "hook",      "exception",    "mark",       "arg",
    "function",       "detail",    "excluded",     "layer",      "layer_sample",
};

}  // namespace

std::string_view to_text(Category category) noexcept {
  return kTexts[static_cast<std::size_t>(category)];
}

Category category_from_text(std::string_view text) noexcept {
  const auto* const it = std::ranges::find(kTexts, text);
  return it == kTexts.end() ? Category::kZone : static_cast<Category>(it - kTexts.begin());
}

}  // namespace latido::model
