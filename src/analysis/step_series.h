// StepSeries: the steps of one rank in bounded memory, with sums that stay exact.
//
// Filled by ThreadAnalysis. Beyond the limit every second step is forgotten, again and again; the first
// ones, among which warm-up ends, are kept apart. Not thread-safe.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "analysis/found_step.h"
#include "model/step.h"

namespace latido::analysis {

struct StepSums {
  std::uint64_t count = 0;
  std::int64_t wall_ns = 0;
  std::array<std::int64_t, model::kPhaseCount> phase_ns{};
  std::array<std::int64_t, model::kOtherPartCount> other_ns{};
  std::uint64_t batches = 0;
  std::uint64_t samples = 0;
  std::uint64_t queue_known = 0;
  std::uint64_t queue_empty = 0;

  void add(const FoundStep& found) noexcept;
  void subtract(const FoundStep& found) noexcept;
  void subtract(const StepSums& other) noexcept;
};

struct LoaderCount {
  std::uint32_t loader = kUnknownId;
  std::uint64_t steps = 0;
};

class StepSeries {
 public:
  // `limit`: steps to keep, at least 1.
  explicit StepSeries(std::size_t limit) : limit_(limit < 1 ? 1 : limit) {}

  void add(const FoundStep& found);
  // Lowers or raises the limit; what was forgotten stays forgotten.
  void set_limit(std::size_t limit);

  std::uint64_t count() const noexcept { return sums_.count; }
  const StepSums& sums() const noexcept { return sums_; }
  // Of those that were looked at layer by layer; part of sums().
  const StepSums& sampled() const noexcept { return sampled_; }
  // The first kWarmupLookAhead steps.
  std::span<const FoundStep> head() const noexcept { return head_; }
  // Every stride()-th step from the first.
  std::span<const model::Step> kept() const noexcept { return kept_; }
  std::uint64_t stride() const noexcept { return stride_; }
  std::int64_t first_start_ns() const noexcept { return head_.front().step.start_ns; }
  std::int64_t last_end_ns() const noexcept { return last_end_ns_; }
  // Loaders that fed steps, by the number of steps.
  std::span<const LoaderCount> loaders() const noexcept { return loaders_; }

 private:
  static constexpr std::size_t kMaxLoaders = 64;
  void thin();

  std::size_t limit_;
  std::uint64_t stride_ = 1;
  StepSums sums_;
  StepSums sampled_;
  std::vector<FoundStep> head_;
  std::vector<model::Step> kept_;
  std::vector<LoaderCount> loaders_;
  std::int64_t last_end_ns_ = 0;
};

}  // namespace latido::analysis
