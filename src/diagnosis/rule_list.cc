#include <array>

#include "diagnosis/rule.h"
#include "diagnosis/rules/rules.h"

namespace latido::diagnosis {
namespace {

constexpr std::array kRules{
    Rule{"input-bound", true, check_input_bound},
};

constexpr std::array kExplanations{
    // A slow disk makes batches late; the disk's finding carries the wait as its evidence.
    Explains{"disk-bound", "input-bound"},
};

}  // namespace

std::span<const Rule> all_rules() noexcept { return kRules; }
std::span<const Explains> explanations() noexcept { return kExplanations; }

}  // namespace latido::diagnosis
