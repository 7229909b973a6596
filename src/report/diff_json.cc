// The comparison as JSON, schema 1: docs/formats/report.md.
#include <string>
#include <utility>

#include "base/json_writer.h"
#include "report/diff.h"
#include "report/json.h"
#include "report/json_parts.h"

namespace latido::report {
namespace {

void write_side(JsonWriter& json, std::string_view key, const analysis::RunFacts& facts) {
  json.key(key).begin_object().key("id").string(facts.run.id).key("name").string(facts.run.name);
  json.end_object();
}

void write_messages(JsonWriter& json, std::string_view key,
                    const std::vector<model::Message>& messages) {
  json.key(key).begin_array();
  for (const model::Message& message : messages) write_message(json, message);
  json.end_array();
}

std::int64_t known(std::int64_t ns) { return ns > 0 ? ns : -1; }

void write_step(JsonWriter& json, const diagnosis::Comparison& got) {
  json.key("step").begin_object();
  write_measured_ns(json, "before_ns", known(got.before_step_ns));
  write_measured_ns(json, "after_ns", known(got.after_step_ns));
  const auto value = [&](double analysis::StepComparison::*field) {
    return got.step ? std::optional(got.step.value().*field) : std::nullopt;
  };
  write_number(json, "speedup", value(&analysis::StepComparison::speedup));
  write_number(json, "speedup_low", value(&analysis::StepComparison::speedup_low));
  write_number(json, "speedup_high", value(&analysis::StepComparison::speedup_high));
  write_number(json, "p_value", value(&analysis::StepComparison::p_value));
  write_number(json, "detectable_ratio", value(&analysis::StepComparison::detectable_ratio));
  json.key("before_count").unsigned_integer(got.step ? got.step->before_count : 0);
  json.key("after_count").unsigned_integer(got.step ? got.step->after_count : 0);
  json.key("more_than_noise").boolean(got.step && got.step->more_than_noise).end_object();
}

void write_phases(JsonWriter& json, const diagnosis::Comparison& got) {
  json.key("parts").begin_object();
  for (std::size_t i = 0; i < model::kPhaseCount; ++i) {
    const diagnosis::PhaseChange& phase = got.phases[i];
    json.key(model::to_text(model::kPhases[i])).begin_object();
    write_measured_ns(json, "before_ns", phase.before_ns);
    write_measured_ns(json, "after_ns", phase.after_ns);
    json.key("change_ns");
    if (phase.both_measured()) {
      json.integer(phase.after_ns - phase.before_ns);
    } else {
      json.null();
    }
    json.end_object();
  }
  json.end_object();
}

void write_prediction(JsonWriter& json, const diagnosis::Comparison& got) {
  json.key("prediction");
  if (!got.prediction) {
    json.null();
    return;
  }
  const diagnosis::PredictionScore& score = *got.prediction;
  json.begin_object();
  write_ns(json, "step_before_ns", score.predicted.step_before_ns);
  write_ns(json, "step_after_ns", score.predicted.step_after_ns);
  write_ns(json, "low_ns", score.predicted.low_ns);
  write_ns(json, "high_ns", score.predicted.high_ns);
  write_ns(json, "measured_ns", score.measured_ns);
  json.key("tried").boolean(score.tried);
  if (score.tried) {
    json.key("inside").boolean(score.inside).key("off_ratio").number(score.off_ratio);
  } else {
    json.key("inside").null().key("off_ratio").null();
  }
  write_messages(json, "notes", score.notes);
  json.end_object();
}

std::string_view loss_text(diagnosis::LossOutcome outcome) {
  switch (outcome) {
    case diagnosis::LossOutcome::kSame:
      return "same";
    case diagnosis::LossOutcome::kDifferent:
      return "different";
    case diagnosis::LossOutcome::kCannotTell:
      break;
  }
  return "cannot-tell";
}

void write_loss(JsonWriter& json, const diagnosis::Comparison& got) {
  json.key("loss");
  if (!got.loss) {
    json.null();
    return;
  }
  json.begin_object().key("outcome").string(loss_text(got.loss->outcome));
  json.key("before").number(got.loss->before).key("after").number(got.loss->after);
  json.key("difference_ratio").number(got.loss->difference_ratio);
  json.key("low_ratio").number(got.loss->low_ratio).key("high_ratio").number(got.loss->high_ratio);
  json.key("limit_ratio").number(got.loss->limit_ratio).end_object();
}

void write_whole(JsonWriter& json, const diagnosis::Comparison& got) {
  json.key("whole");
  if (!got.whole) {
    json.null();
    return;
  }
  json.begin_object().key("cpu").begin_object();
  write_measured_ns(json, "before_ns", got.whole->before_cpu_ns);
  write_measured_ns(json, "after_ns", got.whole->after_cpu_ns);
  json.end_object().key("zones").begin_array();
  for (const diagnosis::ZoneChange& zone : got.whole->zones) {
    json.begin_object().key("name").string(zone.name);
    write_measured_ns(json, "before_ns", zone.before_ns);
    write_measured_ns(json, "after_ns", zone.after_ns);
    json.end_object();
  }
  json.end_array().end_object();
}

void write_function(JsonWriter& json, const analysis::FunctionChanges& changes,
                    const analysis::FunctionChange& function) {
  const double before = changes.before_amount(function.before_ns);
  const double after = changes.after_amount(function.after_ns);
  json.begin_object().key("name").string(function.name);
  write_known(json, "file", function.file);
  write_ns(json, "before_ns", function.before_ns);
  write_ns(json, "after_ns", function.after_ns);
  const std::string unit = changes.per_step ? "ns_per_step" : "ratio";
  json.key("before_" + unit).number(before).key("after_" + unit).number(after);
  json.key("change_" + unit).number(after - before);
  json.key("z").number(function.z).end_object();
}

void write_functions(JsonWriter& json, const analysis::FunctionChanges& changes) {
  json.key("functions");
  if (!changes.before_sampled && !changes.after_sampled) {
    json.null();
    return;
  }
  json.begin_object().key("before_sampled").boolean(changes.before_sampled);
  json.key("after_sampled").boolean(changes.after_sampled);
  json.key("per_step").boolean(changes.per_step);
  json.key("compared").unsigned_integer(changes.compared).key("changed").begin_array();
  for (const analysis::FunctionChange& function : changes.changed) {
    write_function(json, changes, function);
  }
  json.end_array().end_object();
}

void write_gate(JsonWriter& json, const std::optional<DiffGate>& gate) {
  json.key("gate");
  if (!gate) {
    json.null();
    return;
  }
  json.begin_object().key("condition").string(gate->condition);
  json.key("exit_code").integer(gate->exit_code).end_object();
}

}  // namespace

std::string render_diff_json(const DiffInput& diff) {
  const diagnosis::Comparison& got = diff.comparison;
  JsonWriter json;
  json.begin_object().key("schema").integer(kJsonSchema);
  write_side(json, "before", diff.before);
  write_side(json, "after", diff.after);
  json.key("outcome").string(to_text(got.outcome));
  write_messages(json, "not_comparable", got.not_comparable);
  write_messages(json, "differs", got.differs);
  write_messages(json, "cautions", got.cautions);
  write_step(json, got);
  write_phases(json, got);
  write_whole(json, got);
  json.key("wall").begin_object();
  write_ns(json, "before_ns", got.before_wall_ns);
  write_ns(json, "after_ns", got.after_wall_ns);
  json.end_object().key("samples_per_s").begin_object();
  const auto positive = [](double value) {
    return value > 0 ? std::optional(value) : std::nullopt;
  };
  write_number(json, "before", positive(got.before_samples_per_s));
  write_number(json, "after", positive(got.after_samples_per_s));
  json.end_object();
  write_prediction(json, got);
  write_loss(json, got);
  write_functions(json, diff.functions);
  write_gate(json, diff.gate);
  json.end_object();
  return std::move(json).take() + "\n";
}

}  // namespace latido::report
