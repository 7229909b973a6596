// Step: one optimizer update, with its exclusive phases. The phases add up to the step.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <string_view>

namespace latido::model {

// In the order in which every report lists them.
enum class Phase : std::uint8_t {
  kDataWait,
  kH2d,
  kForward,
  kBackward,
  kCommWait,
  kOptimizer,
  kOther,
};
inline constexpr std::size_t kPhaseCount = 7;
inline constexpr std::array<Phase, kPhaseCount> kPhases{
    Phase::kDataWait, Phase::kH2d,       Phase::kForward, Phase::kBackward,
    Phase::kCommWait, Phase::kOptimizer, Phase::kOther};

// "data_wait", "h2d", …: the key in JSON and SQL.
std::string_view to_text(Phase phase) noexcept;

// What "other" is made of.
enum class OtherPart : std::uint8_t {
  kCheckpoint,
  kEvaluation,  // forwards without gradients
  kLoaderStart,
  kZones,    // the user's own zones
  kUnnamed,  // between the hooks: Python, logging
};
inline constexpr std::size_t kOtherPartCount = 5;
std::string_view to_text(OtherPart part) noexcept;

struct StepFlags {
  static constexpr std::uint8_t kWarmup = 1;   // before the run was steady
  static constexpr std::uint8_t kSkipped = 2;  // GradScaler found infinities: no update
  static constexpr std::uint8_t kSampled = 4;  // looked at layer by layer, which makes it slower
  static constexpr std::uint8_t kCounted = 8;  // of these: FLOPs were counted, nothing was timed
  // The two highest bits: the Reduction (model/run.h) that was in force at its end.
  static constexpr unsigned kReductionShift = 6;
};

// Where a value was not measured.
inline constexpr std::int64_t kNotMeasured = -1;

struct Step {
  std::int64_t start_ns = 0;  // CLOCK_MONOTONIC
  std::int64_t wall_ns = 0;
  std::array<std::int64_t, kPhaseCount> phase_ns{};  // exclusive; kNotMeasured where no hook saw
  std::array<std::int64_t, kOtherPartCount> other_ns{};  // adds up to phase_ns[kOther]
  std::uint32_t batches = 0;
  std::uint32_t backwards = 0;
  std::uint32_t optimizer_calls = 0;
  std::uint32_t samples = 0;                             // sum of the batches' sizes; 0: unknown
  float loss = std::numeric_limits<float>::quiet_NaN();  // mean over the micro-batches
  float grad_norm = std::numeric_limits<float>::quiet_NaN();
  float learning_rate = std::numeric_limits<float>::quiet_NaN();
  std::uint8_t flags = 0;
  // The most resident memory that a look saw in it; kNotMeasured: none came in its time. Not stored: looks are.
  std::int64_t rss_peak_bytes = kNotMeasured;

  std::int64_t end_ns() const noexcept { return start_ns + wall_ns; }
  std::int64_t phase(Phase p) const noexcept { return phase_ns[static_cast<std::size_t>(p)]; }
  bool warmup() const noexcept { return (flags & StepFlags::kWarmup) != 0; }
  bool skipped() const noexcept { return (flags & StepFlags::kSkipped) != 0; }
  bool counted() const noexcept { return (flags & StepFlags::kCounted) != 0; }
  bool sampled() const noexcept { return (flags & StepFlags::kSampled) != 0; }
  std::uint8_t reduction() const noexcept {
    return static_cast<std::uint8_t>(flags >> StepFlags::kReductionShift);
  }
};

}  // namespace latido::model
