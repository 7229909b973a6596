#include "diagnosis/thresholds.h"

#include <algorithm>
#include <array>
#include <string>

namespace latido::diagnosis {
namespace {

constexpr double kMany = 1e18;

constexpr std::array kFields{
    ThresholdField{"min_steady_steps", &Thresholds::min_steady_steps, 2, kMany},
    ThresholdField{"provisional_steps", &Thresholds::provisional_steps, 2, kMany},
    ThresholdField{"long_step_ns", &Thresholds::long_step_ns, 0, kMany},
    ThresholdField{"no_steps_wall_ns", &Thresholds::no_steps_wall_ns, 0, kMany},
    ThresholdField{"noise_half_widths", &Thresholds::noise_half_widths, 0, kMany},
    ThresholdField{"uneven_steps_ratio", &Thresholds::uneven_steps_ratio, 1, kMany},
    ThresholdField{"min_gain_ratio", &Thresholds::min_gain_ratio, 0, 1},
    ThresholdField{"input_wait_ratio", &Thresholds::input_wait_ratio, 0, 1},
    ThresholdField{"input_affected_ratio", &Thresholds::input_affected_ratio, 0, 1},
    ThresholdField{"worker_busy_ratio", &Thresholds::worker_busy_ratio, 0, 1},
    ThresholdField{"worker_io_cpu_ratio", &Thresholds::worker_io_cpu_ratio, 0, 1},
    ThresholdField{"worker_knee_ratio", &Thresholds::worker_knee_ratio, 0, 1},
    ThresholdField{"cores_full_ratio", &Thresholds::cores_full_ratio, 0, 1},
    ThresholdField{"disk_busy_ratio", &Thresholds::disk_busy_ratio, 0, 1},
    ThresholdField{"disk_io_stall_ratio", &Thresholds::disk_io_stall_ratio, 0, 1},
    ThresholdField{"iowait_cores", &Thresholds::iowait_cores, 0, kMany},
    ThresholdField{"compute_ratio", &Thresholds::compute_ratio, 0, 1},
    ThresholdField{"compute_step_ns", &Thresholds::compute_step_ns, 0, kMany},
    ThresholdField{"one_core_cores", &Thresholds::one_core_cores, 0, kMany},
    ThresholdField{"one_core_min_cores", &Thresholds::one_core_min_cores, 0, kMany},
    ThresholdField{"one_core_idle_cores", &Thresholds::one_core_idle_cores, 0, kMany},
    ThresholdField{"one_core_compute_ratio", &Thresholds::one_core_compute_ratio, 0, 1},
    ThresholdField{"one_core_step_ns", &Thresholds::one_core_step_ns, 0, kMany},
    ThresholdField{"one_core_wall_ns", &Thresholds::one_core_wall_ns, 0, kMany},
    ThresholdField{"memory_min_bytes", &Thresholds::memory_min_bytes, 0, kMany},
    ThresholdField{"memory_growth_ratio", &Thresholds::memory_growth_ratio, 0, 1},
    ThresholdField{"memory_growth_bytes", &Thresholds::memory_growth_bytes, 0, kMany},
    ThresholdField{"memory_min_steps_ns", &Thresholds::memory_min_steps_ns, 0, kMany},
    ThresholdField{"memory_min_steps", &Thresholds::memory_min_steps, 0, kMany},
    ThresholdField{"memory_goes_on_ratio", &Thresholds::memory_goes_on_ratio, 0, 1},
    ThresholdField{"memory_horizon_runs", &Thresholds::memory_horizon_runs, 0, kMany},
    ThresholdField{"swap_bytes_per_s", &Thresholds::swap_bytes_per_s, 0, kMany},
    ThresholdField{"major_faults_per_s", &Thresholds::major_faults_per_s, 0, kMany},
    ThresholdField{"memory_stall_ratio", &Thresholds::memory_stall_ratio, 0, 1},
    ThresholdField{"evaluation_ratio", &Thresholds::evaluation_ratio, 0, 1},
    ThresholdField{"checkpoint_ratio", &Thresholds::checkpoint_ratio, 0, 1},
    ThresholdField{"throttled_ratio", &Thresholds::throttled_ratio, 0, 1},
    ThresholdField{"steal_ratio", &Thresholds::steal_ratio, 0, 1},
    ThresholdField{"contended_run_cores", &Thresholds::contended_run_cores, 0, 64},
    ThresholdField{"foreign_cores_ratio", &Thresholds::foreign_cores_ratio, 0, 1},
    ThresholdField{"forced_switches_per_s", &Thresholds::forced_switches_per_s, 0, kMany},
    ThresholdField{"cpu_waiting_ratio", &Thresholds::cpu_waiting_ratio, 0, 1},
    ThresholdField{"other_ratio", &Thresholds::other_ratio, 0, 1},
};

static_assert(sizeof(Thresholds) == kFields.size() * sizeof(double),
              "every threshold needs its row, else no configuration reaches it");

}  // namespace

std::span<const ThresholdField> threshold_fields() noexcept { return kFields; }

Status set_threshold(Thresholds& thresholds, std::string_view name, double value) {
  const auto field = std::ranges::find(kFields, name, &ThresholdField::name);
  if (field == kFields.end()) {
    return Error{ErrorCode::kNotFound, "no threshold is called '" + std::string(name) + "'"};
  }
  if (!(value >= field->low && value <= field->high)) {
    return Error{ErrorCode::kInvalidInput, "threshold '" + std::string(name) +
                                               "' must be between " + std::to_string(field->low) +
                                               " and " + std::to_string(field->high)};
  }
  thresholds.*(field->value) = value;
  return ok();
}

}  // namespace latido::diagnosis
