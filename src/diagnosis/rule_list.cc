#include <array>

#include "diagnosis/rule.h"
#include "diagnosis/rules/rules.h"

namespace latido::diagnosis {
namespace {

constexpr std::array kRules{
    Rule{"input-bound", true, check_input_bound},
    Rule{"disk-bound", false, check_disk_bound},
    Rule{"swap-bound", false, check_swap_bound},
    Rule{"memory-growing", false, check_memory_growing},
    Rule{"cpu-throttled", false, check_cpu_throttled},
    Rule{"cpu-contended", false, check_cpu_contended},
    Rule{"one-core-bound", false, check_one_core_bound},
    Rule{"cpu-compute-bound", true, check_cpu_compute_bound},
    Rule{"evaluation-heavy", true, check_evaluation_heavy},
    Rule{"checkpoint-heavy", true, check_checkpoint_heavy},
    Rule{"other-heavy", true, check_other_heavy},
};

constexpr std::array kExplanations{
    // A slow disk makes batches late; the disk's finding carries the wait.
    Explains{"disk-bound", "input-bound"},
    // Memory that grows ends in swapping, and swapping keeps the disk busy and everything else slow.
    Explains{"memory-growing", "swap-bound"},
    Explains{"swap-bound", "disk-bound"},
    Explains{"swap-bound", "input-bound"},
    // A container held back looks like one that fights for cores, or like too few of them.
    Explains{"cpu-throttled", "cpu-contended"},
    Explains{"cpu-throttled", "cpu-compute-bound"},
    Explains{"cpu-throttled", "one-core-bound"},
    Explains{"cpu-contended", "cpu-compute-bound"},
};

}  // namespace

std::span<const Rule> all_rules() noexcept { return kRules; }
std::span<const Explains> explanations() noexcept { return kExplanations; }

}  // namespace latido::diagnosis
