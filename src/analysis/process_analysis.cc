#include "analysis/process_analysis.h"

#include <algorithm>
#include <limits>

#include "analysis/json_text.h"
#include "base/utf8.h"

namespace latido::analysis {

using model::Category;

namespace {

// A program can send any number of texts: what is kept of them is bounded.
constexpr std::size_t kMaxLoaders = 256;
constexpr std::size_t kMaxWorkerPids = 4096;
constexpr std::size_t kMaxColumns = 1000;

std::uint32_t line_of(const JsonText& json) {
  const std::int64_t line = json.integer("line").value_or(0);
  return line > 0 && line <= std::numeric_limits<std::int32_t>::max()
             ? static_cast<std::uint32_t>(line)
             : 0;
}

std::optional<std::int32_t> small_number(const JsonText& json, const std::string& key) {
  const auto number = json.integer(key);
  if (!number || *number < 0 || *number > std::numeric_limits<std::int32_t>::max()) {
    return std::nullopt;
  }
  return static_cast<std::int32_t>(*number);
}

// "64x3 float32" with the sign that people know from papers.
std::string with_times_signs(const std::string& shape) {
  std::string result;
  for (std::size_t i = 0; i < shape.size(); ++i) {
    const bool between_sizes =
        shape[i] == 'x' && i > 0 && shape[i - 1] >= '0' && shape[i - 1] <= '9';
    result += between_sizes ? std::string("×") : std::string(1, shape[i]);
  }
  return result;
}

}  // namespace

std::string clean_text(std::string_view text) {
  return utf8_truncate(to_valid_utf8(text.substr(0, 4 * kMaxColumns)), kMaxColumns);
}

void ProcessAnalysis::compact() {
  constexpr std::size_t kBinsAfterEnd = 16;
  if (worker_) worker_->tasks.compact(kBinsAfterEnd);
}

WorkerLog& ProcessAnalysis::worker_log() {
  if (!worker_) worker_ = std::make_unique<WorkerLog>();
  return *worker_;
}

void ProcessAnalysis::on_closed(const ClosedSpan& closed, bool in_step) {
  const OpenSpan& span = closed.span;
  switch (span.category) {
    case Category::kZone:
      return zones_.add(closed, in_step);
    case Category::kWorkerTask: {
      WorkerLog& log = worker_log();
      log.tasks.add(span.begin.ts_ns, closed.end.ts_ns);
      if (const auto number = span.args.get(ArgName::kWorker)) {
        log.number = static_cast<std::int32_t>(*number & 0x7FFF'FFFF);
      }
      if (const auto loader = span.args.get(ArgName::kLoader)) {
        log.loader = static_cast<std::uint32_t>(*loader);
      }
      return;
    }
    case Category::kDataWait: {
      const auto pid = span.args.get(ArgName::kWorkerPid);
      if (!pid || *pid == 0) return;
      const auto key = static_cast<std::uint32_t>(*pid);
      if (waits_.size() >= kMaxWorkerPids && !waits_.contains(key)) return;
      WaitSum& wait = waits_[key];
      ++wait.count;
      wait.sum_ns += closed.duration_ns();
      return;
    }
    default:
      return;
  }
}

void ProcessAnalysis::on_text(Category category, TextName name, std::string_view text,
                              std::int64_t ts_ns) {
  if (category == Category::kException) return on_exception(text, ts_ns);
  switch (name) {
    case TextName::kLoaderFacts:
      return on_loader_facts(text);
    case TextName::kWorkerStart:
      return on_worker_start(text);
    case TextName::kProcessFacts:
      return on_process_facts(text);
    case TextName::kBatchShape:
      // The first one: the last is often a shorter batch at the end of the data.
      if (batch_shape_.empty()) batch_shape_ = with_times_signs(clean_text(text));
      return;
    case TextName::kOther:
      return;
  }
}

void ProcessAnalysis::on_loader_facts(std::string_view text) {
  const auto json = JsonText::parse(text);
  if (!json) return;
  const auto number = small_number(*json, "loader");
  if (!number || loaders_.size() >= kMaxLoaders) return;
  LoaderText& loader = loaders_[static_cast<std::uint32_t>(*number)];
  loader.file = clean_text(json->string("file"));
  loader.line = line_of(*json);
  loader.workers = json->integer("workers").value_or(-1);
  loader.prefetch_factor = json->integer("prefetch_factor").value_or(-1);
  loader.dataset_length = json->integer("dataset_length").value_or(-1);
  loader.batch_size = json->integer("batch_size").value_or(-1);
}

void ProcessAnalysis::on_worker_start(std::string_view text) {
  const auto json = JsonText::parse(text);
  if (!json) return;
  WorkerLog& log = worker_log();
  log.number = small_number(*json, "worker").value_or(log.number);
  log.parent_pid = small_number(*json, "parent").value_or(0);
  // Loaders count from 1; 0 is one that the hooks did not see being made.
  if (const auto loader = small_number(*json, "loader"); loader && *loader > 0) {
    log.loader = static_cast<std::uint32_t>(*loader);
  }
}

void ProcessAnalysis::on_process_facts(std::string_view text) {
  const auto json = JsonText::parse(text);
  if (!json) return;
  if (const auto rank = small_number(*json, "rank")) rank_ = rank;
  if (const std::string python = clean_text(json->string("python")); !python.empty())
    python_ = python;
  functions_in_windows_ = json->integer("functions_in_windows").value_or(0) != 0;
  if (const std::string torch = clean_text(json->string("torch")); !torch.empty()) torch_ = torch;
}

void ProcessAnalysis::on_exception(std::string_view text, std::int64_t ts_ns) {
  const auto json = JsonText::parse(text);
  if (!json) return;
  ExceptionText exception;
  exception.what = clean_text(json->string("type"));
  const std::string message = clean_text(json->string("message"));
  if (!message.empty()) exception.what += ": " + message;
  exception.file = clean_text(json->string("file"));
  exception.line = line_of(*json);
  exception.ts_ns = ts_ns;
  exception_ = std::move(exception);
}

const LoaderText* ProcessAnalysis::loader(std::uint32_t number) const noexcept {
  const auto it = loaders_.find(number);
  return it == loaders_.end() ? nullptr : &it->second;
}

}  // namespace latido::analysis
