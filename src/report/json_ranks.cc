#include "report/json_ranks.h"

#include <string>

#include "report/json_layers.h"
#include "report/json_parts.h"

namespace latido::report {
namespace {

using analysis::RankFacts;

// 0 stands for "not known" in facts, and only there.
void write_positive(JsonWriter& json, std::string_view key, std::int64_t value) {
  write_measured_ns(json, key, value > 0 ? value : -1);
}

void write_phases(JsonWriter& json, const model::Step& step) {
  json.key("parts").begin_object();
  for (const model::Phase phase : model::kPhases) {
    write_measured_ns(json, model::to_text(phase), step.phase(phase));
  }
  json.end_object();
}

void write_flags(JsonWriter& json, const model::Step& step) {
  json.key("flags").begin_array();
  if (step.warmup()) json.string("warmup");
  if (step.skipped()) json.string("skipped");
  if (step.sampled()) json.string("sampled");
  if (step.counted()) json.string("counted");
  json.end_array();
}

void write_steps(JsonWriter& json, const RankFacts& rank, std::int64_t origin_ns) {
  json.key("steps").begin_array();
  std::uint64_t number = 1;
  for (const model::Step& step : rank.steps) {
    json.begin_object().key("name").string("step " + std::to_string(number));
    number += rank.step_stride;
    write_ns(json, "start_ns", step.start_ns - origin_ns);
    write_ns(json, "wall_ns", step.wall_ns);
    write_phases(json, step);
    json.key("device_parts").null();
    write_flags(json, step);
    json.key("batches").unsigned_integer(step.batches);
    json.key("backwards").unsigned_integer(step.backwards);
    write_positive(json, "samples", step.samples);
    json.key("loss_backward").number(static_cast<double>(step.loss));
    json.key("grad_norm").number(static_cast<double>(step.grad_norm));
    json.key("learning_rate").number(static_cast<double>(step.learning_rate));
    write_positive(json, "rss_peak_bytes", step.rss_peak_bytes);
    json.end_object();
  }
  json.end_array();
}

void write_not_measured(JsonWriter& json, const RankFacts& rank) {
  json.key("not_measured").begin_object();
  for (const model::Phase phase : model::kPhases) {
    const analysis::PhaseStats& stats = rank.phases[static_cast<std::size_t>(phase)];
    if (stats.mean_ns == model::kNotMeasured) json.key(model::to_text(phase)).string(stats.reason);
  }
  json.end_object();
}

void write_stats(JsonWriter& json, const RankFacts& rank) {
  const bool any = rank.stats.count > 0;
  json.key("step_stats").begin_object().key("count").unsigned_integer(rank.stats.count);
  write_measured_ns(json, "mean_ns", any ? rank.stats.mean_ns : -1);
  write_measured_ns(json, "p50_ns", any ? rank.stats.p50_ns : -1);
  write_measured_ns(json, "p95_ns", any ? rank.stats.p95_ns : -1);
  write_measured_ns(json, "p99_ns", any ? rank.stats.p99_ns : -1);
  write_measured_ns(json, "mean_half_width_ns", any ? rank.stats.mean_half_width_ns : -1);
  json.key("parts").begin_object();
  for (const model::Phase phase : model::kPhases) {
    const std::int64_t mean_ns = rank.phases[static_cast<std::size_t>(phase)].mean_ns;
    write_measured_ns(json, model::to_text(phase), any ? mean_ns : -1);
  }
  json.end_object().key("other_parts").begin_object();
  for (std::size_t i = 0; i < model::kOtherPartCount; ++i) {
    const auto part = static_cast<model::OtherPart>(i);
    write_measured_ns(json, model::to_text(part), any ? rank.other_mean_ns[i] : -1);
  }
  json.end_object().end_object();
}

// Resident memory by phase; null where a phase has no sample.
void write_memory(JsonWriter& json, const RankFacts& rank) {
  json.key("memory");
  if (!rank.memory) {
    json.null();
    return;
  }
  const auto write_use = [&json](std::string_view key, const analysis::MemoryUse& use) {
    json.key(key);
    if (use.samples == 0) {
      json.null();
      return;
    }
    json.begin_object().key("samples").unsigned_integer(use.samples);
    json.key("mean_bytes").integer(use.mean_bytes).key("peak_bytes").integer(use.peak_bytes);
    json.end_object();
  };
  json.begin_object().key("phases").begin_object();
  for (const model::Phase phase : model::kPhases) {
    write_use(model::to_text(phase), rank.memory->phases[static_cast<std::size_t>(phase)]);
  }
  json.end_object();
  write_use("outside", rank.memory->outside);
  json.end_object();
}

void write_zones(JsonWriter& json, std::string_view key,
                 const std::vector<analysis::NamedTime>& zones) {
  json.key(key).begin_array();
  for (const analysis::NamedTime& zone : zones) {
    json.begin_object().key("name").string(zone.name);
    write_known(json, "file", zone.file);
    write_positive(json, "line", zone.line);
    json.key("calls").unsigned_integer(zone.calls);
    write_ns(json, "total_ns", zone.total_ns);
    write_ns(json, "self_ns", zone.self_ns);
    write_ns(json, "mean_per_step_ns", zone.mean_per_step_ns);
    json.end_object();
  }
  json.end_array();
}

void write_functions(JsonWriter& json, std::string_view key,
                     const std::vector<analysis::FunctionTime>& functions) {
  json.key(key).begin_array();
  for (const analysis::FunctionTime& function : functions) {
    const auto when_known = [&](std::string_view name, std::int64_t ns) {
      write_measured_ns(json, name, ns > 0 ? ns : -1);
    };
    json.begin_object().key("name").string(function.name);
    write_known(json, "file", function.file);
    write_positive(json, "line", function.line);
    json.key("calls").unsigned_integer(function.calls);
    write_ns(json, "total_ns", function.total_ns);
    write_ns(json, "self_ns", function.self_ns);
    write_ns(json, "mean_per_step_ns", function.mean_per_step_ns);
    when_known("p50_ns", function.p50_ns);
    when_known("p95_ns", function.p95_ns);
    when_known("p99_ns", function.p99_ns);
    json.key("elided").boolean(function.elided);
    write_measured_ns(json, "sampled_self_ns", function.sampled_self_ns);
    write_measured_ns(json, "sampled_total_ns", function.sampled_total_ns);
    json.end_object();
  }
  json.end_array();
}

void write_lines(JsonWriter& json, std::string_view key,
                 const std::vector<analysis::LineTime>& lines) {
  json.key(key).begin_array();
  for (const analysis::LineTime& line : lines) {
    json.begin_object().key("file").string(line.file);
    json.key("line").unsigned_integer(line.line).key("function").string(line.function);
    write_ns(json, "sampled_self_ns", line.self_ns);
    write_ns(json, "sampled_total_ns", line.total_ns);
    if (!line.source.empty()) json.key("source").string(line.source);
    json.end_object();
  }
  json.end_array();
}

void write_loader(JsonWriter& json, const RankFacts& rank) {
  json.key("loader");
  if (!rank.loader) {
    json.null();
    return;
  }
  const analysis::LoaderFacts& loader = *rank.loader;
  json.begin_object();
  write_known(json, "file", loader.file);
  write_positive(json, "line", loader.line);
  json.key("workers").unsigned_integer(loader.workers);
  write_positive(json, "prefetch_factor", loader.prefetch_factor);
  write_measured_ns(json, "dataset_length", loader.dataset_length);
  write_measured_ns(json, "batch_size", loader.batch_size);
  json.key("batches").unsigned_integer(loader.batches);
  json.key("queue_empty").unsigned_integer(loader.queue_empty);
  json.key("passes").unsigned_integer(loader.passes);
  json.key("pass_batches");
  if (loader.pass_batches > 0) {
    json.unsigned_integer(loader.pass_batches);
  } else {
    json.null();
  }
  write_positive(json, "made_mean_ns", loader.made_mean_ns);
  json.end_object();
}

void write_workers(JsonWriter& json, const RankFacts& rank) {
  json.key("workers").begin_array();
  for (const analysis::WorkerFacts& worker : rank.workers) {
    json.begin_object().key("pid").integer(worker.pid);
    write_measured_ns(json, "number", worker.number);
    json.key("batches").unsigned_integer(worker.batches);
    write_positive(json, "batch_mean_ns", worker.batch_mean_ns);
    write_number(json, "busy_ratio", worker.busy_ratio);
    write_number(json, "cpu_ratio", worker.cpu_ratio);
    write_measured_ns(json, "wait_mean_ns", worker.wait_mean_ns);
    json.end_object();
  }
  json.end_array();
}

void write_loss(JsonWriter& json, const RankFacts& rank) {
  json.key("loss").begin_array();
  for (const analysis::SeriesPoint& point : rank.loss) {
    json.begin_array().unsigned_integer(point.step).number(point.value).end_array();
  }
  json.end_array();
}

void write_series(JsonWriter& json, const RankFacts& rank) {
  json.key("series").begin_array();
  for (const analysis::LoggedSeries& series : rank.series) {
    json.begin_object().key("name").string(series.name);
    json.key("count").unsigned_integer(series.count);
    json.key("not_finite").unsigned_integer(series.not_finite);
    json.key("first").number(series.first).key("last").number(series.last);
    json.key("min").number(series.min).key("max").number(series.max);
    json.end_object();
  }
  json.end_array();
  json.key("series_beyond").unsigned_integer(rank.series_beyond);
}

void write_rank(JsonWriter& json, const analysis::RunFacts& facts, const RankFacts& rank) {
  json.begin_object().key("rank");
  if (rank.rank) {
    json.integer(*rank.rank);
  } else {
    json.null();
  }
  json.key("gpu").null();
  write_steps(json, rank, facts.run.start_ns);
  write_not_measured(json, rank);
  write_stats(json, rank);
  write_memory(json, rank);
  json.key("step_source").string(analysis::to_text(rank.step_source));
  json.key("critical_path").null();
  const std::size_t at = model::index_of(rank.process);
  const bool known = at < facts.processes.size();
  write_positive(json, "pid", known ? facts.processes[at].pid : 0);
  write_number(json, "samples_per_s",
               rank.samples_per_s > 0 ? std::optional(rank.samples_per_s) : std::nullopt);
  write_known(json, "batch_shape", rank.batch_shape);
  json.key("step_count").unsigned_integer(rank.step_count);
  json.key("step_stride").unsigned_integer(rank.step_stride);
  write_loader(json, rank);
  write_workers(json, rank);
  write_zones(json, "zones", rank.zones);
  write_zones(json, "worker_zones", rank.worker_zones);
  write_measured_ns(json, "sampled_steps_ns",
                    rank.sampled_steps_ns > 0 ? rank.sampled_steps_ns : model::kNotMeasured);
  write_functions(json, "functions", rank.functions);
  write_functions(json, "worker_functions", rank.worker_functions);
  write_lines(json, "lines", rank.lines);
  write_lines(json, "worker_lines", rank.worker_lines);
  json.key("functions_recorded").unsigned_integer(rank.function_counts.recorded);
  json.key("functions_elided").unsigned_integer(rank.function_counts.elided);
  json.key("functions_excluded").unsigned_integer(rank.function_counts.excluded);
  json.key("functions_in_windows").boolean(rank.function_counts.in_windows);
  write_layers(json, rank.layers);
  write_loss(json, rank);
  write_series(json, rank);
  json.end_object();
}

}  // namespace

void write_ranks(JsonWriter& json, const analysis::RunFacts& facts) {
  json.key("ranks").begin_array();
  for (const RankFacts& rank : facts.ranks) write_rank(json, facts, rank);
  json.end_array();
}

}  // namespace latido::report
