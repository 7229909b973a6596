#include "store/run_json.h"

#include <array>
#include <cstdint>
#include <limits>
#include <optional>
#include <type_traits>
#include <utility>

#include "base/json_reader.h"
#include "base/json_writer.h"

namespace latido::store {
namespace {

constexpr std::array<std::string_view, 5> kEndKinds{"running", "exit", "signal", "not_started",
                                                    "detached"};

model::EndKind end_kind(std::string_view text) {
  for (std::size_t i = 0; i < kEndKinds.size(); ++i) {
    if (kEndKinds[i] == text) return static_cast<model::EndKind>(i);
  }
  return model::EndKind::kRunning;
}

void put(JsonWriter& out, std::string_view key, std::string_view text) {
  out.key(key).string(text);
}
void put(JsonWriter& out, std::string_view key, std::int64_t value) { out.key(key).integer(value); }

void put_rank(JsonWriter& out, std::optional<std::int32_t> rank) {
  out.key("rank");
  rank ? out.integer(*rank) : out.null();
}

void put_end(JsonWriter& out, const model::RunEnd& end) {
  out.key("end").begin_object();
  put(out, "kind", kEndKinds[static_cast<std::size_t>(end.kind)]);
  put(out, "code", std::int64_t{end.code});
  put(out, "signal", std::int64_t{end.signal});
  put(out, "exception", end.exception);
  put(out, "file", end.file);
  put(out, "line", std::int64_t{end.line});
  put(out, "phase", end.phase);
  put(out, "open_zone", end.open_zone);
  put_rank(out, end.rank);
  out.end_object();
}

model::RunEnd get_end(const JsonValue& in) {
  model::RunEnd end;
  end.kind = end_kind(in["kind"].string_or(""));
  end.code = static_cast<std::int32_t>(in["code"].integer_or(0));
  end.signal = static_cast<std::int32_t>(in["signal"].integer_or(0));
  end.exception = in["exception"].string_or("");
  end.file = in["file"].string_or("");
  end.line = static_cast<std::uint32_t>(in["line"].integer_or(0));
  end.phase = in["phase"].string_or("");
  end.open_zone = in["open_zone"].string_or("");
  if (!in["rank"].is_null()) end.rank = static_cast<std::int32_t>(in["rank"].integer_or(0));
  return end;
}

// The texts of an Environment with their keys; one list for both directions.
using EnvironmentText = std::pair<std::string_view, std::string model::Environment::*>;
constexpr std::array<EnvironmentText, 9> kEnvironmentTexts{{
    {"host", &model::Environment::host},
    {"os", &model::Environment::os},
    {"kernel", &model::Environment::kernel},
    {"cpu", &model::Environment::cpu},
    {"container", &model::Environment::container},
    {"job", &model::Environment::job},
    {"git_commit", &model::Environment::git_commit},
    {"python", &model::Environment::python},
    {"torch", &model::Environment::torch},
}};

void put_environment(JsonWriter& out, const model::Environment& environment) {
  out.key("environment").begin_object();
  for (const auto& [key, member] : kEnvironmentTexts) put(out, key, environment.*member);
  put(out, "cores", std::int64_t{environment.cores});
  out.key("memory_bytes").unsigned_integer(environment.memory_bytes);
  out.end_object();
}

model::Environment get_environment(const JsonValue& in) {
  model::Environment environment;
  for (const auto& [key, member] : kEnvironmentTexts) environment.*member = in[key].string_or("");
  environment.cores = static_cast<std::uint32_t>(in["cores"].integer_or(0));
  environment.memory_bytes = static_cast<std::uint64_t>(in["memory_bytes"].integer_or(0));
  return environment;
}

// A parameter is ["name", value] and, for a real number, a third item: JSON does not tell 3 from 3.0.
void put_param(JsonWriter& out, const std::pair<std::string, model::ParamValue>& param) {
  out.begin_array().string(param.first);
  std::visit(
      [&](const auto& value) {
        using T = std::decay_t<decltype(value)>;
        if constexpr (std::is_same_v<T, std::int64_t>) out.integer(value);
        if constexpr (std::is_same_v<T, double>) out.number(value).string("real");
        if constexpr (std::is_same_v<T, std::string>) out.string(value);
      },
      param.second);
  out.end_array();
}

model::ParamValue get_param_value(const JsonValue::Array& items) {
  if (items.size() > 2) return items[1].number_or(std::numeric_limits<double>::quiet_NaN());
  if (const auto* const text = std::get_if<std::string>(&items[1].any())) return *text;
  return items[1].integer_or(0);
}

void put_message(JsonWriter& out, const model::Message& message) {
  out.begin_object();
  put(out, "id", message.id);
  out.key("params").begin_array();
  for (const auto& param : message.params.all) put_param(out, param);
  out.end_array().end_object();
}

model::Message get_message(const JsonValue& in) {
  model::Message message;
  message.id = in["id"].string_or("");
  for (const JsonValue& param : in["params"].items()) {
    if (param.items().size() < 2) continue;
    message.params.set(param.items()[0].string_or(""), get_param_value(param.items()));
  }
  return message;
}

void put_gain(JsonWriter& out, const std::optional<model::Gain>& gain) {
  out.key("gain");
  if (!gain) {
    out.null();
    return;
  }
  out.begin_object();
  put(out, "step_before_ns", gain->step_before_ns);
  put(out, "step_after_ns", gain->step_after_ns);
  put(out, "low_ns", gain->low_ns);
  put(out, "high_ns", gain->high_ns);
  out.end_object();
}

std::optional<model::Gain> get_gain(const JsonValue& in) {
  if (in.is_null()) return std::nullopt;
  return model::Gain{.step_before_ns = in["step_before_ns"].integer_or(0),
                     .step_after_ns = in["step_after_ns"].integer_or(0),
                     .low_ns = in["low_ns"].integer_or(0),
                     .high_ns = in["high_ns"].integer_or(0)};
}

bool is_object(const JsonValue& value) {
  return std::holds_alternative<JsonValue::Object>(value.any());
}

// parse_json() of an object.
Result<JsonValue> parse_object(std::string_view text) {
  auto value = parse_json(text);
  if (value.has_value() && !is_object(value.value())) {
    return Error{ErrorCode::kInvalidInput, "not a JSON object"};
  }
  return value;
}

}  // namespace

std::string run_to_json(const model::Run& run) {
  JsonWriter out;
  out.begin_object();
  put(out, "id", run.id);
  put(out, "name", run.name);
  out.key("command").begin_array();
  for (const std::string& word : run.command) out.string(word);
  out.end_array();
  put(out, "folder", run.folder);
  put(out, "started_wall_ns", run.started_wall_ns);
  put(out, "start_ns", run.start_ns);
  put(out, "end_ns", run.end_ns);
  put_end(out, run.end);
  put_environment(out, run.environment);
  put(out, "latido_version", run.latido_version);
  out.end_object();
  return std::move(out).take();
}

Result<model::Run> run_from_json(std::string_view text) {
  const auto parsed = parse_json(text);
  if (!parsed.has_value()) return parsed.error();
  return run_from_json(parsed.value());
}

Result<model::Run> run_from_json(const JsonValue& in) {
  if (!is_object(in)) return Error{ErrorCode::kInvalidInput, "not a JSON object"};
  model::Run run;
  run.id = in["id"].string_or("");
  run.name = in["name"].string_or("");
  for (const JsonValue& word : in["command"].items()) run.command.push_back(word.string_or(""));
  run.folder = in["folder"].string_or("");
  run.started_wall_ns = in["started_wall_ns"].integer_or(0);
  run.start_ns = in["start_ns"].integer_or(0);
  run.end_ns = in["end_ns"].integer_or(0);
  run.end = get_end(in["end"]);
  run.environment = get_environment(in["environment"]);
  run.latido_version = in["latido_version"].string_or("");
  return run;
}

std::string quality_to_json(const model::Quality& quality) {
  JsonWriter out;
  out.begin_object();
  out.key("accepted").unsigned_integer(quality.accepted);
  out.key("dropped").unsigned_integer(quality.dropped);
  out.key("malformed").unsigned_integer(quality.malformed);
  out.key("late").unsigned_integer(quality.late);
  out.key("overhead_ratio").number(quality.overhead_ratio);
  out.key("overhead_low_ratio").number(quality.overhead_low_ratio);
  out.key("overhead_high_ratio").number(quality.overhead_high_ratio);
  put(out, "overhead_how", quality.overhead_how);
  out.key("overhead_budget_ratio").number(quality.overhead_budget_ratio);
  out.key("detail_changes").begin_array();
  for (const model::DetailChange& change : quality.detail_changes) {
    out.begin_object().key("ts_ns").integer(change.ts_ns);
    put(out, "reduction", std::string(to_text(change.reduction)));
    out.end_object();
  }
  out.end_array();
  out.key("hooks").begin_array();
  for (const auto& [name, state] : quality.hooks) {
    out.begin_array().string(name).string(state).end_array();
  }
  out.end_array().key("notes").begin_array();
  for (const std::string& note : quality.notes) out.string(note);
  out.end_array().key("absent_series").begin_array();
  for (const std::string& series : quality.absent_series) out.string(series);
  out.end_array().end_object();
  return std::move(out).take();
}

Result<model::Quality> quality_from_json(std::string_view text) {
  const auto parsed = parse_object(text);
  if (!parsed.has_value()) return parsed.error();
  const JsonValue& in = parsed.value();
  const auto count = [&](std::string_view key) {
    return static_cast<std::uint64_t>(in[key].integer_or(0));
  };
  model::Quality quality;
  quality.accepted = count("accepted");
  quality.dropped = count("dropped");
  quality.malformed = count("malformed");
  quality.late = count("late");
  quality.overhead_ratio = in["overhead_ratio"].number_or(0);
  quality.overhead_low_ratio = in["overhead_low_ratio"].number_or(quality.overhead_ratio);
  quality.overhead_high_ratio = in["overhead_high_ratio"].number_or(quality.overhead_ratio);
  quality.overhead_how = in["overhead_how"].string_or("estimate");
  quality.overhead_budget_ratio = in["overhead_budget_ratio"].number_or(0);
  for (const JsonValue& change : in["detail_changes"].items()) {
    const auto reduction = model::reduction_from_text(change["reduction"].string_or(""));
    if (!reduction) continue;
    quality.detail_changes.push_back(
        {.ts_ns = change["ts_ns"].integer_or(0), .reduction = *reduction});
  }
  for (const JsonValue& hook : in["hooks"].items()) {
    if (hook.items().size() != 2) continue;
    quality.hooks.emplace_back(hook.items()[0].string_or(""), hook.items()[1].string_or(""));
  }
  for (const JsonValue& note : in["notes"].items()) quality.notes.push_back(note.string_or(""));
  for (const JsonValue& series : in["absent_series"].items()) {
    quality.absent_series.push_back(series.string_or(""));
  }
  return quality;
}

std::string finding_to_json(const model::Finding& finding) {
  JsonWriter out;
  out.begin_object();
  put(out, "rule", finding.rule);
  out.key("confidence").number(finding.confidence);
  out.key("run_saved_ratio").number(finding.run_saved_ratio);
  put_message(out.key("headline"), finding.headline);
  out.key("evidence").begin_array();
  for (const model::Evidence& evidence : finding.evidence) {
    put_message(out.begin_object().key("message"), evidence.message);
    put(out, "start_ns", evidence.start_ns);
    put(out, "end_ns", evidence.end_ns);
    out.end_object();
  }
  out.end_array();
  put_message(out.key("action"), finding.action);
  put_gain(out, finding.gain);
  out.key("limits").begin_array();
  for (const model::Message& limit : finding.limits) put_message(out, limit);
  out.end_array().end_object();
  return std::move(out).take();
}

Result<model::Finding> finding_from_json(std::string_view text) {
  const auto parsed = parse_object(text);
  if (!parsed.has_value()) return parsed.error();
  const JsonValue& in = parsed.value();
  model::Finding finding;
  finding.rule = in["rule"].string_or("");
  finding.confidence = in["confidence"].number_or(0);
  finding.run_saved_ratio = in["run_saved_ratio"].number_or(0);
  finding.headline = get_message(in["headline"]);
  for (const JsonValue& evidence : in["evidence"].items()) {
    finding.evidence.push_back({.message = get_message(evidence["message"]),
                                .start_ns = evidence["start_ns"].integer_or(0),
                                .end_ns = evidence["end_ns"].integer_or(0)});
  }
  finding.action = get_message(in["action"]);
  finding.gain = get_gain(in["gain"]);
  for (const JsonValue& limit : in["limits"].items()) finding.limits.push_back(get_message(limit));
  return finding;
}

std::string message_to_json(const model::Message& message) {
  JsonWriter out;
  put_message(out, message);
  return std::move(out).take();
}

Result<model::Message> message_from_json(std::string_view text) {
  const auto parsed = parse_object(text);
  if (!parsed.has_value()) return parsed.error();
  return get_message(parsed.value());
}

}  // namespace latido::store
