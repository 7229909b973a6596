// ProcessAnalysis: what is learnt about one process from all its threads.
//
// Owned by RunAnalysis, one a process. Texts come from the recorded program: bounded and checked here.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "analysis/detail_log.h"
#include "analysis/function_table.h"
#include "analysis/thread_analysis.h"
#include "analysis/time_bins.h"
#include "analysis/value_table.h"
#include "analysis/zone_table.h"
#include "model/run.h"

namespace latido::analysis {

// What the program said of a DataLoader when it made it; -1: it did not say.
struct LoaderText {
  std::string file;
  std::uint32_t line = 0;
  std::int64_t workers = -1;
  std::int64_t prefetch_factor = -1;
  std::int64_t dataset_length = -1;
  std::int64_t batch_size = -1;
};

struct ExceptionText {
  std::string what;  // "ValueError: bad batch"
  std::string file;
  std::uint32_t line = 0;
  std::int64_t ts_ns = 0;  // when it was told: when the interpreter ended
};

// A process that makes batches.
struct WorkerLog {
  std::int32_t number = -1;
  std::uint32_t loader = kUnknownId;
  std::int32_t parent_pid = 0;  // as the program sees it
  TimeBins tasks;
};

// Waits of the training for the batches of one process.
struct WaitSum {
  std::uint64_t count = 0;
  std::int64_t sum_ns = 0;
};

// Text of a program, made valid and of bounded length.
std::string clean_text(std::string_view text);

class ProcessAnalysis : public SpanSink {
 public:
  void on_begun(model::Category category) override {
    seen_ |= 1U << static_cast<unsigned>(category);
  }
  void on_closed(const ClosedSpan& closed, bool in_step) override;
  void on_zones_of_first_step(const ZoneTable& zones) override { zones_.credit_steps(zones); }
  void on_function(const FunctionCall& call, bool in_step) override {
    functions_.add(call, in_step);
  }
  void on_function_elided(model::SiteId site) override { functions_.set_elided(site); }
  LayerTable& layers() override { return layers_; }
  void on_detail(std::int64_t ts_ns, std::uint64_t number) override { detail_.add(ts_ns, number); }
  // A text of category exception or mark.
  void on_text(model::Category category, TextName name, std::string_view text,
               std::int64_t ts_ns = 0);
  // A value that the program recorded itself.
  void on_value(std::string_view name, std::int64_t ts_ns, double value) {
    values_.add(name, ts_ns, value);
  }
  // It has ended: what is kept of it may become coarser.
  void compact();

  bool has_seen(model::Category category) const noexcept {
    return (seen_ >> static_cast<unsigned>(category) & 1U) != 0;
  }
  const ZoneTable& zones() const noexcept { return zones_; }
  const FunctionTable& functions() const noexcept { return functions_; }
  const LayerTable& layers() const noexcept { return layers_; }
  const ValueTable& values() const noexcept { return values_; }
  const DetailLog& detail() const noexcept { return detail_; }
  const WorkerLog* worker() const noexcept { return worker_.get(); }
  const LoaderText* loader(std::uint32_t number) const noexcept;
  const std::map<std::uint32_t, WaitSum>& waits_by_worker_pid() const noexcept { return waits_; }
  const std::optional<ExceptionText>& exception() const noexcept { return exception_; }
  std::optional<std::int32_t> rank() const noexcept { return rank_; }
  const std::string& python() const noexcept { return python_; }
  // Functions were recorded in some stretches of time only.
  bool functions_in_windows() const noexcept { return functions_in_windows_; }
  const std::string& torch() const noexcept { return torch_; }
  const std::string& batch_shape() const noexcept { return batch_shape_; }

 private:
  WorkerLog& worker_log();
  void on_loader_facts(std::string_view text);
  void on_worker_start(std::string_view text);
  void on_process_facts(std::string_view text);
  void on_exception(std::string_view text, std::int64_t ts_ns);

  std::uint32_t seen_ = 0;  // one bit a category
  ZoneTable zones_;
  FunctionTable functions_;
  LayerTable layers_;
  ValueTable values_;
  DetailLog detail_;
  std::unique_ptr<WorkerLog> worker_;
  std::map<std::uint32_t, LoaderText> loaders_;
  std::map<std::uint32_t, WaitSum> waits_;
  std::optional<ExceptionText> exception_;
  std::optional<std::int32_t> rank_;
  std::string python_;
  std::string torch_;
  std::string batch_shape_;
  bool functions_in_windows_ = false;
};

}  // namespace latido::analysis
