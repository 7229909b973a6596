#include "report/json.h"

#include <array>
#include <optional>
#include <utility>

#include "base/json_writer.h"
#include "report/catalogue.h"
#include "report/json_parts.h"
#include "report/json_ranks.h"
#include "report/next_steps.h"
#include "report/report_pieces.h"
#include "report/run_summary.h"

namespace latido::report {
namespace {

using analysis::RunFacts;

std::string_view kind_text(model::EndKind kind) {
  switch (kind) {
    case model::EndKind::kExit:
      return "exit";
    case model::EndKind::kSignal:
      return "signal";
    case model::EndKind::kNotStarted:
      return "not_started";
    case model::EndKind::kDetached:
      return "detached";
    case model::EndKind::kRunning:
      break;
  }
  return "running";
}

void write_optional(JsonWriter& json, std::string_view key, bool known, std::int64_t value) {
  json.key(key);
  if (known) {
    json.integer(value);
  } else {
    json.null();
  }
}

void write_end(JsonWriter& json, const model::RunEnd& end) {
  json.key("end").begin_object().key("kind").string(kind_text(end.kind));
  const bool has_code =
      end.kind == model::EndKind::kExit || end.kind == model::EndKind::kNotStarted;
  write_optional(json, "code", has_code, end.code);
  write_optional(json, "signal", end.kind == model::EndKind::kSignal, end.signal);
  write_known(json, "phase", end.phase);
  write_optional(json, "rank", end.rank.has_value(), end.rank.value_or(0));
  write_known(json, "file", end.file);
  write_optional(json, "line", end.line > 0, end.line);
  write_known(json, "exception", end.exception);
  write_known(json, "open_zone", end.open_zone);
  json.end_object();
}

void write_parts(JsonWriter& json, const RunFacts& facts) {
  json.key("parts");
  const analysis::RankFacts* lead = lead_rank(facts);
  if (lead == nullptr) {
    json.null();
    return;
  }
  const analysis::RunParts& parts = lead->parts;
  json.begin_object();
  write_ns(json, "startup", parts.startup_ns);
  write_ns(json, "warmup", parts.warmup_ns);
  write_ns(json, "steps", parts.steps_ns);
  write_ns(json, "evaluation", parts.evaluation_ns);
  write_ns(json, "checkpoint", parts.checkpoint_ns);
  write_ns(json, "other", parts.other_ns);
  json.end_object();
  json.key("evaluations").unsigned_integer(parts.evaluations);
  json.key("checkpoints").unsigned_integer(parts.checkpoints);
}

void write_environment(JsonWriter& json, const model::Environment& environment) {
  json.key("environment").begin_object();
  write_known(json, "host", environment.host);
  write_known(json, "os", environment.os);
  write_known(json, "kernel", environment.kernel);
  write_known(json, "cpu", environment.cpu);
  write_optional(json, "cores", environment.cores > 0, environment.cores);
  write_optional(json, "memory_bytes", environment.memory_bytes > 0,
                 static_cast<std::int64_t>(environment.memory_bytes));
  write_known(json, "container", environment.container);
  write_known(json, "job", environment.job);
  write_known(json, "git_commit", environment.git_commit);
  write_known(json, "python", environment.python);
  write_known(json, "torch", environment.torch);
  json.end_object();
}

void write_run(JsonWriter& json, const RunFacts& facts) {
  const model::Run& run = facts.run;
  json.key("run").begin_object().key("id").string(run.id).key("name").string(run.name);
  write_ns(json, "wall_ns", run.wall_ns());
  write_end(json, run.end);
  write_parts(json, facts);
  json.key("command").begin_array();
  for (const std::string& word : run.command) json.string(word);
  json.end_array();
  write_known(json, "folder", run.folder);
  write_optional(json, "started_wall_ns", run.started_wall_ns > 0, run.started_wall_ns);
  write_environment(json, run.environment);
  json.end_object();
}

void write_evidence(JsonWriter& json, const model::Finding& finding, std::int64_t origin_ns) {
  json.key("evidence").begin_array();
  for (const model::Evidence& evidence : finding.evidence) {
    const bool placed = evidence.end_ns > evidence.start_ns;
    json.begin_object().key("id").string(evidence.message.id).key("params");
    write_params(json, evidence.message.params);
    write_optional(json, "start_ns", placed, evidence.start_ns - origin_ns);
    write_optional(json, "end_ns", placed, evidence.end_ns - origin_ns);
    json.end_object();
  }
  json.end_array();
}

void write_gain(JsonWriter& json, const std::optional<model::Gain>& gain) {
  json.key("gain");
  if (!gain) {
    json.null();
    return;
  }
  json.begin_object();
  write_ns(json, "step_before_ns", gain->step_before_ns);
  write_ns(json, "step_after_ns", gain->step_after_ns);
  write_ns(json, "low_ns", gain->low_ns);
  write_ns(json, "high_ns", gain->high_ns);
  json.end_object();
}

void write_findings(JsonWriter& json, const RunFacts& facts, const model::Diagnosis& diagnosis) {
  json.key("findings").begin_array();
  for (const model::Finding& finding : diagnosis.findings) {
    json.begin_object().key("rule").string(finding.rule);
    json.key("confidence").number(finding.confidence);
    write_evidence(json, finding, facts.run.start_ns);
    json.key("action");
    write_message(json, finding.action);
    write_gain(json, finding.gain);
    json.key("verify").string(check_command(facts));
    json.key("headline");
    write_message(json, finding.headline);
    json.key("limits").begin_array();
    for (const model::Message& limit : finding.limits) write_message(json, limit);
    json.end_array().end_object();
  }
  json.end_array();
  json.key("verdict").string(diagnosis.verdict);
  json.key("verdict_covers").string(to_text(verdict_scope(facts.run.end)));
  json.key("headline");
  if (diagnosis.headline.id.empty()) {
    json.null();
  } else {
    write_message(json, diagnosis.headline);
  }
}

void write_quality(JsonWriter& json, const RunFacts& facts) {
  const model::Quality& quality = facts.quality;
  json.key("quality").begin_object();
  json.key("accepted").unsigned_integer(quality.accepted);
  json.key("dropped").unsigned_integer(quality.dropped);
  json.key("malformed").unsigned_integer(quality.malformed);
  json.key("late").unsigned_integer(quality.late);
  json.key("overhead").begin_object().key("ratio").number(quality.overhead_ratio);
  json.key("how").string(quality.overhead_how);
  // Recordings of earlier versions have no interval.
  const bool known = quality.overhead_high_ratio > 0;
  write_number(json, "low", known ? std::optional(quality.overhead_low_ratio) : std::nullopt);
  write_number(json, "high", known ? std::optional(quality.overhead_high_ratio) : std::nullopt);
  const double budget_ratio = quality.overhead_budget_ratio;
  write_number(json, "budget", budget_ratio > 0 ? std::optional(budget_ratio) : std::nullopt);
  json.key("reductions").begin_array();
  for (const model::DetailChange& change : quality.detail_changes) {
    json.begin_object().key("start_ns").integer(change.ts_ns - facts.run.start_ns);
    json.key("detail").string(to_text(change.reduction)).end_object();
  }
  json.end_array().end_object();
  json.key("hooks").begin_array();
  for (const auto& [name, state] : quality.hooks) {
    json.begin_object().key("name").string(name).key("state").string(state).end_object();
  }
  json.end_array().key("notes").begin_array();
  for (const std::string& note : quality.notes) json.string(note);
  json.end_array().key("absent_series").begin_array();
  for (const std::string& series : quality.absent_series) json.string(series);
  json.end_array().end_object();
}

void write_processes(JsonWriter& json, const RunFacts& facts) {
  json.key("processes").begin_array();
  for (std::size_t i = 0; i < facts.processes.size(); ++i) {
    const model::Process& process = facts.processes[i];
    const analysis::ProcessFacts* use = nullptr;
    for (const analysis::ProcessFacts& each : facts.process_use) {
      if (model::index_of(each.process) == i) use = &each;
    }
    json.begin_object().key("pid").integer(process.pid);
    write_optional(json, "parent_pid", process.parent_pid > 0, process.parent_pid);
    write_ns(json, "start_ns", process.start_ns - facts.run.start_ns);
    write_optional(json, "end_ns", process.end_ns >= 0, process.end_ns - facts.run.start_ns);
    json.key("role").string(process.role == model::ProcessRole::kWorker ? "worker" : "other");
    write_optional(json, "rank", process.rank.has_value(), process.rank.value_or(0));
    write_known(json, "command", process.command);
    write_optional(json, "cpu_ns", use != nullptr && use->cpu_ns > 0, use ? use->cpu_ns : 0);
    write_optional(json, "rss_peak_bytes", use != nullptr && use->rss_peak_bytes > 0,
                   use ? use->rss_peak_bytes : 0);
    json.end_object();
  }
  json.end_array();
}

void write_resources(JsonWriter& json, const analysis::ResourceFacts& use) {
  const std::pair<std::string_view, std::optional<double>> values[] = {
      {"cores", use.cores > 0 ? std::optional(use.cores) : std::nullopt},
      {"machine_cores", use.machine_cores},
      {"cpu_busy_cores", use.cpu_busy_cores},
      {"cpu_iowait_ratio", use.cpu_iowait_ratio},
      {"cpu_steal_ratio", use.cpu_steal_ratio},
      {"run_cpu_cores", use.run_cpu_cores},
      {"main_cpu_cores", use.main_cpu_cores},
      {"top_core_busy_ratio", use.top_core_busy_ratio},
      {"major_faults_per_s", use.major_faults_per_s},
      {"swap_in_bytes_per_s", use.swap_in_bytes_per_s},
      {"swap_out_bytes_per_s", use.swap_out_bytes_per_s},
      {"disk_read_bytes_per_s", use.disk_read_bytes_per_s},
      {"disk_write_bytes_per_s", use.disk_write_bytes_per_s},
      {"disk_busy_ratio", use.disk_busy_ratio},
      {"run_read_bytes_per_s", use.run_read_bytes_per_s},
      {"run_read_chars_per_s", use.run_read_chars_per_s},
      {"net_bytes_per_s", use.net_bytes_per_s},
      {"psi_cpu_some_ratio", use.psi_cpu_some_ratio},
      {"psi_memory_full_ratio", use.psi_memory_full_ratio},
      {"psi_io_full_ratio", use.psi_io_full_ratio},
      {"cgroup_throttled_ratio", use.cgroup_throttled_ratio},
      {"memory_limit_bytes", use.memory_limit_bytes},
      {"memory_available_bytes", use.memory_available_bytes},
      {"run_rss_peak_bytes", use.run_rss_peak_bytes},
      {"involuntary_switches_per_s", use.involuntary_switches_per_s},
      {"rss_growth_bytes_per_step", use.rss_growth_bytes_per_step},
      {"rss_growth_low_bytes_per_step", use.rss_growth_low_bytes_per_step},
      {"rss_growth_high_bytes_per_step", use.rss_growth_high_bytes_per_step},
  };
  json.key("resources").begin_object();
  for (const auto& [name, value] : values) write_number(json, name, value);
  json.end_object();
}

void write_function_list(JsonWriter& json, const RunFacts& facts) {
  json.key("function_list");
  if (facts.function_list.empty()) {
    json.null();
    return;
  }
  json.begin_array();
  for (const analysis::ListedFunction& function : facts.function_list) {
    json.begin_object().key("name").string(function.name);
    write_known(json, "file", function.file);
    write_optional(json, "line", function.line > 0, function.line);
    json.key("calls").unsigned_integer(function.calls);
    json.key("state").string(to_text(function.state)).end_object();
  }
  json.end_array();
}

}  // namespace

std::string render_json(const RunFacts& facts, const model::Diagnosis& diagnosis) {
  JsonWriter json;
  json.begin_object().key("schema").integer(kJsonSchema);
  json.key("sources").begin_array().begin_object().key("kind").string("recording");
  write_known(json, "version", facts.run.latido_version);
  json.end_object().end_array();
  write_run(json, facts);
  write_ranks(json, facts);
  write_findings(json, facts, diagnosis);
  write_quality(json, facts);
  write_processes(json, facts);
  write_resources(json, facts.resources);
  write_function_list(json, facts);
  json.end_object();
  return std::move(json).take() + "\n";
}

}  // namespace latido::report
