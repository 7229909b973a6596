#include "diagnosis/finding_builder.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "diagnosis/prediction.h"

namespace latido::diagnosis {

model::Message message(std::string_view id, model::Params params) {
  return {.id = std::string(id), .params = std::move(params)};
}

model::Params& set_known(model::Params& params, const char* name,
                         const std::optional<double>& value) {
  if (value) params.set(name, *value);
  return params;
}

std::int64_t whole_ns(double ns) noexcept {
  return std::isnan(ns) ? 0 : std::llround(std::clamp(ns, -9e18, 9e18));
}

FindingBuilder::FindingBuilder(std::string_view rule, Window window) : window_(window) {
  finding_.rule = std::string(rule);
}

FindingBuilder& FindingBuilder::headline(std::string_view id, model::Params params) {
  finding_.headline = message(id, std::move(params));
  return *this;
}

FindingBuilder& FindingBuilder::action(std::string_view id, model::Params params) {
  finding_.action = message(id, std::move(params));
  return *this;
}

FindingBuilder& FindingBuilder::evidence(std::string_view id, model::Params params) {
  finding_.evidence.push_back({.message = message(id, std::move(params)),
                               .start_ns = window_.start_ns,
                               .end_ns = window_.end_ns});
  return *this;
}

FindingBuilder& FindingBuilder::limit(model::Message message) {
  // There is no interval to explain.
  if (vague_ && message.id.starts_with("interval.") && message.id != "interval.up_to") return *this;
  finding_.limits.push_back(std::move(message));
  return *this;
}

FindingBuilder& FindingBuilder::confidence(double value) {
  finding_.confidence = std::clamp(value, 0.0, 1.0);
  return *this;
}

FindingBuilder& FindingBuilder::step_gain(const model::Gain& gain, double steps_ratio) {
  vague_ = is_vague(gain);
  if (vague_) {
    model::Params params = model::Params{}.set("best_ns", gain.low_ns);
    if (gain.low_ns > 0) {
      const auto factor =
          static_cast<double>(gain.step_before_ns) / static_cast<double>(gain.low_ns);
      params.set("factor", std::round(factor * 10) / 10);
    }
    limit(message("interval.up_to", std::move(params)));
  } else {
    finding_.gain = gain;
  }
  if (gain.step_before_ns > 0) {
    finding_.run_saved_ratio = static_cast<double>(gain.saved_ns()) /
                               static_cast<double>(gain.step_before_ns) * steps_ratio;
  }
  return *this;
}

FindingBuilder& FindingBuilder::run_saved(double ratio) {
  finding_.run_saved_ratio = std::clamp(ratio, 0.0, 1.0);
  return *this;
}

}  // namespace latido::diagnosis
