// Makes RunFacts for the tests of this module: a healthy run, to which a test adds what it is
// about.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "analysis/run_facts.h"
#include "diagnosis/message_ids.h"
#include "diagnosis/thresholds.h"
#include "model/finding.h"

namespace latido::diagnosis {

inline constexpr std::int64_t kMs = 1'000'000;

// What a step consists of, in milliseconds; `other` is unnamed.
struct StepParts {
  double wait_ms = 1;
  double h2d_ms = 0;
  double forward_ms = 30;
  double backward_ms = 50;
  double optimizer_ms = 10;
  double other_ms = 1;
};

// `steps` equal steady steps on one rank, on a machine of 8 cores with everything sampled and
// quiet.
analysis::RunFacts steady_run(const StepParts& parts = {}, std::uint64_t steps = 100);

// A program of `wall_ns` without steps, on 8 cores, everything sampled and quiet.
analysis::RunFacts plain_program(std::int64_t wall_ns = 60'000 * kMs);

// A loader with `workers`, seen in the training process, whose batches take `make_ms` each. Worker
// facts are filled in when workers > 0.
void add_loader(analysis::RunFacts& facts, std::uint32_t workers, double make_ms,
                double busy_ratio = 0.99, double cpu_ratio = 1.0);

// Every message of the finding that does not match message_ids.h, one a line; empty when all do.
std::string mismatches(const model::Finding& finding);

const model::Message* find_message(const model::Finding& finding, std::string_view id);
double number(const model::Message& message, std::string_view param);

struct RuleCase {
  std::string_view name;
  std::function<void(analysis::RunFacts&)> change;  // of the base
  bool fires;
};

// Runs `check` on `base` as each case changes it: fires or not as expected; a finding carries the
// messages it should, evidence with time ranges, and a gain whose interval is in order.
void expect_cases(std::optional<model::Finding> (*check)(const analysis::RunFacts&,
                                                         const Thresholds&),
                  const analysis::RunFacts& base, const std::vector<RuleCase>& cases);

}  // namespace latido::diagnosis
