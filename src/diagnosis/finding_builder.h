// FindingBuilder: puts a Finding together, so that a rule reads as what it says.
//
// Called by the rules only. Every piece of evidence gets the same time range: the steady window.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "diagnosis/step_view.h"
#include "model/finding.h"

namespace latido::diagnosis {

model::Message message(std::string_view id, model::Params params = {});

// Leaves the parameter out where the value is unknown: only for parameters marked '?' in
// message_ids.h.
model::Params& set_known(model::Params& params, const char* name,
                         const std::optional<double>& value);

// Nanoseconds as a parameter.
std::int64_t whole_ns(double ns) noexcept;

class FindingBuilder {
 public:
  FindingBuilder(std::string_view rule, Window window);

  FindingBuilder& headline(std::string_view id, model::Params params = {});
  FindingBuilder& action(std::string_view id, model::Params params = {});
  FindingBuilder& evidence(std::string_view id, model::Params params = {});
  FindingBuilder& limit(model::Message message);
  FindingBuilder& confidence(double value);
  // A vague gain is not promised: what it could be at best becomes a limit, before the other ones.
  // `steps_ratio`: share of the run's wall time that consists of such steps.
  FindingBuilder& step_gain(const model::Gain& gain, double steps_ratio);
  FindingBuilder& run_saved(double ratio);

  model::Finding take() { return std::move(finding_); }

 private:
  model::Finding finding_;
  bool vague_ = false;
  Window window_;
};

}  // namespace latido::diagnosis
