#include "formats/chrome_json/chrome_writer.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "base/json_writer.h"
#include "formats/chrome_json/json_text.h"
#include "formats/chrome_json/micros.h"

namespace latido::formats::chrome_json {
namespace {

// Beyond every process id that Linux gives (2^22), so that nothing is shown under another's name.
constexpr std::int32_t kMachinePid = 1 << 22;
constexpr std::int32_t kFirstOwnPid = kMachinePid + 1;

void append_number(std::string& out, std::int64_t number) { out += std::to_string(number); }

std::string number_text(double value) {
  JsonWriter json;
  json.number(value);
  return std::move(json).take();
}

bool is_function(const model::Site& site) { return site.category == model::Category::kFunction; }

// "train.py:88"; empty when the place is not known.
std::string place_of(const model::Site& site) {
  if (site.file.empty() || site.line == 0) return site.file;
  return site.file + ":" + std::to_string(site.line);
}

}  // namespace

ChromeWriter::ChromeWriter(const model::Run& run, std::string_view version)
    : start_ns_(run.start_ns), end_ns_(run.end_ns) {
  out_ = "{\"displayTimeUnit\":\"ns\",\"otherData\":{\"run_id\":" + quoted(run.id);
  const auto put = [this](std::string_view key, std::string_view value) {
    out_ += "," + quoted(key) + ":" + quoted(value);
  };
  put("run", run.name);
  put("recorded_by", "latido " + run.latido_version);
  put("exported_by", "latido " + std::string(version));
  // As text: readers that take every number for a double would round these.
  put("start_unix_ns", std::to_string(run.started_wall_ns));
  put("start_monotonic_ns", std::to_string(run.start_ns));
  out_ += "},\"traceEvents\":[\n";
}

void ChromeWriter::append(std::span<const model::Event> events, const model::Tables& tables) {
  for (const model::Event& event : events) write(event, tables);
}

void ChromeWriter::append_series(const model::Series& series,
                                 std::span<const model::Sample> samples,
                                 const model::Tables& tables) {
  if (samples.empty()) return;
  const std::int32_t pid = pid_of(series.process, tables);
  const std::string name =
      quoted(series.label.empty() ? series.metric : series.metric + " " + series.label);
  for (const model::Sample& sample : samples) {
    write_counter(name, pid, sample.ts_ns, sample.value);
  }
}

void ChromeWriter::finish(const model::Tables& tables) {
  for (std::size_t i = 0; i < threads_.size(); ++i) {
    if (!threads_[i].used) continue;
    const std::size_t process = model::index_of(tables.tracks[i].process);
    const bool has_end = process < tables.processes.size() && tables.processes[process].end_ns >= 0;
    ended_.clear();
    threads_[i].spans.end_all(has_end ? tables.processes[process].end_ns : end_ns_, ended_);
    for (const Ended& span : ended_) write_span(span, threads_[i], tables);
  }
  write_names(tables);
  out_ += "\n]}\n";
}

std::string ChromeWriter::take() { return std::exchange(out_, std::string()); }

void ChromeWriter::write(const model::Event& event, const model::Tables& tables) {
  Thread* const thread = thread_of(event.track, tables);
  const std::size_t site = model::index_of(event.site);
  if (thread == nullptr || site >= tables.sites.size()) {
    ++counts_.malformed;
    return;
  }
  switch (event.kind) {
    case model::EventKind::kBegin:
      thread->spans.begin(event.site, is_function(tables.sites[site]), event.ts_ns);
      break;
    case model::EventKind::kEnd:
      ended_.clear();
      thread->spans.end(event.site, is_function(tables.sites[site]), event.ts_ns, ended_);
      for (const Ended& span : ended_) write_span(span, *thread, tables);
      break;
    case model::EventKind::kArg:
      thread->spans.arg(event.site, event.payload);
      break;
    case model::EventKind::kValue:
      write_counter(quoted(tables.sites[site].name), thread->pid, event.ts_ns, event.value());
      break;
    case model::EventKind::kInstant:
    case model::EventKind::kText:
      write_point(event, *thread, tables);
      break;
  }
}

void ChromeWriter::write_span(const Ended& span, const Thread& thread,
                              const model::Tables& tables) {
  ++counts_.spans;
  if (span.cut) ++counts_.unfinished;
  const std::string& name = name_of(span.site, tables);
  if (span.loose) {
    const std::string id = ",\"id\":\"" + std::to_string(++loose_spans_) + "\"";
    open_event("b", name, thread.pid, thread.tid, span.begin_ns);
    out_ += id;
    put_args(span, tables);
    open_event("e", name, thread.pid, thread.tid, span.end_ns);
    out_ += id + "}";
    return;
  }
  open_event("X", name, thread.pid, thread.tid, span.begin_ns);
  out_ += ",\"dur\":";
  append_micros(out_, span.end_ns - span.begin_ns);
  put_args(span, tables);
}

void ChromeWriter::write_point(const model::Event& event, const Thread& thread,
                               const model::Tables& tables) {
  const bool is_text = event.kind == model::EventKind::kText;
  if (is_text && event.payload >= tables.texts.size()) {
    ++counts_.malformed;
    return;
  }
  open_event("i", name_of(event.site, tables), thread.pid, thread.tid, event.ts_ns);
  out_ += ",\"s\":\"t\",\"args\":{";
  if (is_text) {
    out_ += "\"text\":" + quoted(tables.texts[event.payload]);
  } else {
    out_ += "\"number\":" + std::to_string(event.payload);
  }
  out_ += "}}";
}

void ChromeWriter::write_counter(std::string_view quoted_name, std::int32_t pid, std::int64_t ts_ns,
                                 double value) {
  if (!std::isfinite(value)) {
    ++counts_.not_finite;
    return;
  }
  open_event("C", "\"name\":" + std::string(quoted_name), pid, 0, ts_ns);
  out_ += ",\"args\":{\"value\":" + number_text(value) + "}}";
}

void ChromeWriter::write_name(std::string_view what, std::int32_t pid, std::int32_t tid,
                              std::string_view name) {
  open_event("M", "\"name\":" + quoted(what), pid, tid, start_ns_);
  out_ += ",\"args\":{\"name\":" + quoted(name) + "}}";
}

void ChromeWriter::write_names(const model::Tables& tables) {
  if (machine_used_) write_name("process_name", kMachinePid, 0, "machine");
  for (std::size_t i = 0; i < pids_.size(); ++i) {
    if (pids_[i] == 0) continue;
    const model::Process& process = tables.processes[i];
    std::string name = process.command;
    if (process.rank) name = "rank " + std::to_string(*process.rank) + " · " + name;
    if (process.role == model::ProcessRole::kWorker) name = "worker · " + name;
    // Its id went to an earlier process.
    if (pids_[i] != process.pid) name += " (" + std::to_string(process.pid) + ")";
    write_name("process_name", pids_[i], 0, name);
  }
  for (std::size_t i = 0; i < threads_.size(); ++i) {
    const Thread& thread = threads_[i];
    const model::Track& track = tables.tracks[i];
    if (thread.used && !track.name.empty()) {
      write_name("thread_name", thread.pid, thread.tid, track.name);
    }
  }
}

void ChromeWriter::open_event(std::string_view phase, std::string_view name, std::int32_t pid,
                              std::int32_t tid, std::int64_t ts_ns) {
  out_ += any_ ? ",\n{\"ph\":\"" : "{\"ph\":\"";
  any_ = true;
  out_.append(phase).append("\",").append(name).append(",\"pid\":");
  append_number(out_, pid);
  out_ += ",\"tid\":";
  append_number(out_, tid);
  out_ += ",\"ts\":";
  append_micros(out_, ts_ns - start_ns_);
}

void ChromeWriter::put_args(const Ended& span, const model::Tables& tables) {
  std::string args;
  const auto put = [&args](std::string_view name, const std::string& value) {
    args += (args.empty() ? "" : ",") + quoted(name) + ":" + value;
  };
  const std::string place = place_of(tables.sites[model::index_of(span.site)]);
  if (!place.empty()) put("at", quoted(place));
  for (const auto& [site, number] : span.args) {
    put(tables.sites[model::index_of(site)].name, std::to_string(number));
  }
  if (span.cut) put("unfinished", "true");
  if (!args.empty()) out_ += ",\"args\":{" + args + "}";
  out_ += "}";
}

const std::string& ChromeWriter::name_of(model::SiteId site, const model::Tables& tables) {
  const std::size_t index = model::index_of(site);
  if (index >= names_.size()) names_.resize(tables.sites.size());
  std::string& name = names_[index];
  if (name.empty()) {
    name = "\"name\":" + quoted(tables.sites[index].name) +
           ",\"cat\":" + quoted(to_text(tables.sites[index].category));
  }
  return name;
}

ChromeWriter::Thread* ChromeWriter::thread_of(model::TrackId track, const model::Tables& tables) {
  const std::size_t index = model::index_of(track);
  if (index >= tables.tracks.size()) return nullptr;
  const model::Track& described = tables.tracks[index];
  if (index >= threads_.size()) threads_.resize(index + 1);
  Thread& thread = threads_[index];
  if (!thread.used) {
    thread.used = true;
    thread.pid = pid_of(described.process, tables);
    thread.tid = described.tid;
  }
  return &thread;
}

std::int32_t ChromeWriter::pid_of(model::ProcessId process, const model::Tables& tables) {
  const std::size_t index = model::index_of(process);
  if (index >= tables.processes.size()) {
    machine_used_ = true;
    return kMachinePid;
  }
  if (index >= pids_.size()) pids_.resize(index + 1, 0);
  if (pids_[index] == 0) {
    const std::int32_t pid = tables.processes[index].pid;
    const bool is_free = pid > 0 && pid < kMachinePid && owners_.emplace(pid, process).second;
    pids_[index] = is_free ? pid : kFirstOwnPid + static_cast<std::int32_t>(index);
  }
  return pids_[index];
}

}  // namespace latido::formats::chrome_json
