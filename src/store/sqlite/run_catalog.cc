#include "store/sqlite/run_catalog.h"

#include <cmath>

#include "store/run_json.h"

namespace latido::store {
namespace {

Error damaged(const Error& error, std::string_view what) {
  return {ErrorCode::kDataLoss,
          "run.db: " + std::string(what) + " cannot be read: " + error.message};
}

std::optional<std::int64_t> measured(std::int64_t ns) {
  return ns == model::kNotMeasured ? std::nullopt : std::optional(ns);
}

// SQLite keeps NaN as NULL.
void bind_step(Statement& insert, const model::Step& step) {
  insert.bind(step.start_ns).bind(step.wall_ns);
  for (const std::int64_t ns : step.phase_ns) insert.bind_or_null(measured(ns));
  for (const std::int64_t ns : step.other_ns) insert.bind_or_null(measured(ns));
  insert.bind(std::int64_t{step.batches})
      .bind(std::int64_t{step.backwards})
      .bind(std::int64_t{step.optimizer_calls})
      .bind(std::int64_t{step.samples})
      .bind(double{step.loss})
      .bind(double{step.grad_norm})
      .bind(double{step.learning_rate})
      .bind(std::int64_t{step.flags});
}

model::Step read_step(const Statement& row) {
  int column = 0;
  const auto integer = [&] { return row.integer(column++); };
  const auto measured_ns = [&] {
    const std::int64_t ns = row.is_null(column) ? model::kNotMeasured : row.integer(column);
    ++column;
    return ns;
  };
  const auto real = [&] { return static_cast<float>(row.real(column++)); };
  model::Step step;
  step.start_ns = integer();
  step.wall_ns = integer();
  for (std::int64_t& ns : step.phase_ns) ns = measured_ns();
  for (std::int64_t& ns : step.other_ns) ns = measured_ns();
  step.batches = static_cast<std::uint32_t>(integer());
  step.backwards = static_cast<std::uint32_t>(integer());
  step.optimizer_calls = static_cast<std::uint32_t>(integer());
  step.samples = static_cast<std::uint32_t>(integer());
  step.loss = real();
  step.grad_norm = real();
  step.learning_rate = real();
  step.flags = static_cast<std::uint8_t>(integer());
  return step;
}

model::Process read_process(const Statement& row) {
  model::Process process;
  process.pid = static_cast<std::int32_t>(row.integer(1));
  process.parent_pid = static_cast<std::int32_t>(row.integer(2));
  process.start_ns = row.integer(3);
  process.end_ns = row.is_null(4) ? -1 : row.integer(4);
  process.command = row.text(5);
  process.role = row.text(6) == "worker" ? model::ProcessRole::kWorker : model::ProcessRole::kOther;
  if (!row.is_null(7)) process.rank = static_cast<std::int32_t>(row.integer(7));
  return process;
}

std::optional<std::int64_t> wide(std::optional<std::int32_t> value) {
  return value ? std::optional<std::int64_t>(*value) : std::nullopt;
}

// Calls `row(statement)` for every row.
template <typename Row>
Status for_each_row(Statement& statement, Row row) {
  while (true) {
    const auto more = statement.step();
    if (!more.has_value()) return more.error();
    if (!more.value()) return ok();
    row(statement);
  }
}

}  // namespace

Status RunCatalog::put_meta(std::string_view key, std::string_view value) {
  auto insert = database_.prepare("INSERT OR REPLACE INTO meta VALUES (?, ?)");
  if (!insert.has_value()) return std::move(insert).error();
  return insert.value().bind(key).bind(value).run();
}

Result<std::string> RunCatalog::meta(std::string_view key) {
  auto query = database_.prepare("SELECT value FROM meta WHERE key = ?");
  if (!query.has_value()) return std::move(query).error();
  const auto row = query.value().bind(key).step();
  if (!row.has_value()) return row.error();
  if (!row.value()) {
    return Error{ErrorCode::kNotFound, "run.db has no " + std::string(key)};
  }
  return std::string(query.value().text(0));
}

Status RunCatalog::put_run(const model::Run& run) { return put_meta("run", run_to_json(run)); }

Result<model::Run> RunCatalog::run() {
  const auto text = meta("run");
  if (!text.has_value()) return text.error();
  auto run = run_from_json(text.value());
  if (!run.has_value()) return damaged(run.error(), "the run");
  return run;
}

Status RunCatalog::put_quality(const model::Quality& quality) {
  return put_meta("quality", quality_to_json(quality));
}

Result<model::Quality> RunCatalog::quality() {
  const auto text = meta("quality");
  if (!text.has_value()) return text.error();
  auto quality = quality_from_json(text.value());
  if (!quality.has_value()) return damaged(quality.error(), "the quality");
  return quality;
}

Status RunCatalog::put_processes(std::span<const model::Process> processes) {
  return database_.transaction([&]() -> Status {
    auto insert =
        database_.prepare("INSERT OR REPLACE INTO processes VALUES (?, ?, ?, ?, ?, ?, ?, ?)");
    if (!insert.has_value()) return std::move(insert).error();
    std::int64_t id = 0;
    for (const model::Process& process : processes) {
      const bool worker = process.role == model::ProcessRole::kWorker;
      Status done = insert.value()
                        .bind(id++)
                        .bind(std::int64_t{process.pid})
                        .bind(std::int64_t{process.parent_pid})
                        .bind(process.start_ns)
                        .bind_or_null(measured(process.end_ns))
                        .bind(process.command)
                        .bind(std::string_view(worker ? "worker" : "other"))
                        .bind_or_null(wide(process.rank))
                        .run();
      if (!done.has_value()) return done;
    }
    return ok();
  });
}

Result<std::vector<model::Process>> RunCatalog::processes() {
  auto query = database_.prepare("SELECT * FROM processes ORDER BY id");
  if (!query.has_value()) return std::move(query).error();
  std::vector<model::Process> processes;
  const Status done = for_each_row(
      query.value(), [&](const Statement& row) { processes.push_back(read_process(row)); });
  if (!done.has_value()) return done.error();
  return processes;
}

Status RunCatalog::put_steps(model::ProcessId process, std::uint64_t first,
                             std::span<const model::Step> steps) {
  return database_.transaction([&]() -> Status {
    auto insert = database_.prepare(
        "INSERT OR REPLACE INTO steps VALUES "
        "(?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?)");
    if (!insert.has_value()) return std::move(insert).error();
    auto number = static_cast<std::int64_t>(first);
    for (const model::Step& step : steps) {
      insert.value().bind(static_cast<std::int64_t>(process)).bind(number++);
      bind_step(insert.value(), step);
      if (Status done = insert.value().run(); !done.has_value()) return done;
    }
    return ok();
  });
}

Result<std::vector<model::Step>> RunCatalog::steps(model::ProcessId process) {
  auto query = database_.prepare(
      "SELECT start_ns, wall_ns, data_wait_ns, h2d_ns, forward_ns, backward_ns, comm_wait_ns,"
      " optimizer_ns, other_ns, checkpoint_ns, evaluation_ns, loader_start_ns, zones_ns, "
      "unnamed_ns,"
      " batches, backwards, optimizer_calls, samples, loss, grad_norm, learning_rate, flags"
      " FROM steps WHERE process = ? ORDER BY number");
  if (!query.has_value()) return std::move(query).error();
  query.value().bind(static_cast<std::int64_t>(process));
  std::vector<model::Step> steps;
  const Status done =
      for_each_row(query.value(), [&](const Statement& row) { steps.push_back(read_step(row)); });
  if (!done.has_value()) return done.error();
  return steps;
}

Result<std::int64_t> RunCatalog::mean_step_ns() {
  auto query = database_.prepare("SELECT AVG(wall_ns) FROM steps WHERE (flags & ?) = 0");
  if (!query.has_value()) return std::move(query).error();
  query.value().bind(std::int64_t{model::StepFlags::kWarmup});
  const auto row = query.value().step();
  if (!row.has_value()) return row.error();
  if (!row.value() || query.value().is_null(0)) {
    return Error{ErrorCode::kNotFound, "no steady step"};
  }
  return std::llround(query.value().real(0));
}

Status RunCatalog::put_segment(const SegmentEntry& entry) {
  auto insert = database_.prepare("INSERT OR REPLACE INTO segments VALUES (?, ?, ?, ?, ?)");
  if (!insert.has_value()) return std::move(insert).error();
  return insert.value()
      .bind(std::int64_t{entry.number})
      .bind(static_cast<std::int64_t>(entry.bytes))
      .bind(entry.min_ns)
      .bind(entry.max_ns)
      .bind(static_cast<std::int64_t>(entry.events))
      .run();
}

Result<std::vector<SegmentEntry>> RunCatalog::segments() {
  auto query = database_.prepare("SELECT * FROM segments ORDER BY number");
  if (!query.has_value()) return std::move(query).error();
  std::vector<SegmentEntry> entries;
  const Status done = for_each_row(query.value(), [&](const Statement& row) {
    entries.push_back({.number = static_cast<std::uint32_t>(row.integer(0)),
                       .bytes = static_cast<std::uint64_t>(row.integer(1)),
                       .min_ns = row.integer(2),
                       .max_ns = row.integer(3),
                       .events = static_cast<std::uint64_t>(row.integer(4))});
  });
  if (!done.has_value()) return done.error();
  return entries;
}

Status RunCatalog::put_diagnosis(const model::Diagnosis& diagnosis) {
  return database_.transaction([&]() -> Status {
    Status done = put_meta("verdict", diagnosis.verdict);
    if (done.has_value()) done = put_meta("headline", message_to_json(diagnosis.headline));
    if (done.has_value()) done = database_.execute("DELETE FROM findings");
    if (!done.has_value()) return done;
    auto insert = database_.prepare("INSERT INTO findings VALUES (?, ?, ?)");
    if (!insert.has_value()) return std::move(insert).error();
    std::int64_t position = 0;
    for (const model::Finding& finding : diagnosis.findings) {
      insert.value().bind(position++).bind(finding.rule).bind(finding_to_json(finding));
      if (done = insert.value().run(); !done.has_value()) return done;
    }
    return ok();
  });
}

Result<model::Diagnosis> RunCatalog::diagnosis() {
  const auto verdict = meta("verdict");
  if (!verdict.has_value()) return verdict.error();
  const auto headline = meta("headline");
  if (!headline.has_value()) return headline.error();
  auto message = message_from_json(headline.value());
  if (!message.has_value()) return damaged(message.error(), "the headline");
  model::Diagnosis diagnosis;
  diagnosis.verdict = verdict.value();
  diagnosis.headline = message.value();
  auto query = database_.prepare("SELECT finding FROM findings ORDER BY position");
  if (!query.has_value()) return std::move(query).error();
  Status good = ok();
  const Status done = for_each_row(query.value(), [&](const Statement& row) {
    auto finding = finding_from_json(row.text(0));
    if (finding.has_value()) {
      diagnosis.findings.push_back(std::move(finding).value());
    } else {
      good = damaged(finding.error(), "a finding");
    }
  });
  if (!done.has_value()) return done.error();
  if (!good.has_value()) return good.error();
  return diagnosis;
}

}  // namespace latido::store
