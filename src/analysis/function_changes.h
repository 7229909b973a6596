// FunctionChanges: which functions take more or less time in one run than in another, by their samples.
//
// Called by `latido diff`. Pure. Functions are the same by qualified name and file, the file relative to
// the script, to where its run was started or to the installed packages: lines move when a program is
// edited, checkouts have other folders.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "analysis/count_change.h"
#include "analysis/run_facts.h"

namespace latido::analysis {

struct FunctionChange {
  std::string name;
  std::string file;            // relative, see above
  std::int64_t before_ns = 0;  // own time in the whole run
  std::int64_t after_ns = 0;
  double z = 0;  // standard deviations of sampling between the two

  bool operator==(const FunctionChange&) const = default;
};

// Two runs as far as their samples can be compared.
struct FunctionChanges {
  bool before_sampled = false;
  bool after_sampled = false;
  // Times are compared per step when both runs have steps; else as shares of all sampled time.
  bool per_step = false;
  // Neither run's start-up, which differs with each start, is in it. Not so in older recordings.
  bool of_steps = false;
  std::uint64_t before_steps = 0;
  std::uint64_t after_steps = 0;
  std::int64_t before_total_ns = 0;
  std::int64_t after_total_ns = 0;
  double before_interval_ns = 0;  // that one sample stands for
  double after_interval_ns = 0;
  std::size_t compared = 0;  // functions with own time in either run
  // Those whose own time differs by more than chance, the largest change first.
  std::vector<FunctionChange> changed;

  bool comparable() const noexcept { return before_total_ns > 0 && after_total_ns > 0; }
  // What `ns` of a run are for its share of the comparison: time per step, or a ratio of the whole.
  double before_amount(std::int64_t ns) const noexcept;
  double after_amount(std::int64_t ns) const noexcept;
  // Standard deviations between two times of the runs.
  double z_of(std::int64_t before_ns, std::int64_t after_ns) const noexcept;
};

FunctionChanges compare_functions(const RunFacts& before, const RunFacts& after);

// Whether both runs keep what was sampled of their start-up apart.
bool start_up_can_be_left_out(const RunFacts& before, const RunFacts& after) noexcept;

// The stacks with files as they are compared, and without the lines where functions begin; `of_steps`:
// without those of start-up.
model::CallTree comparable_calls(const RunFacts& facts, bool of_steps);

}  // namespace latido::analysis
