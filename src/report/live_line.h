// The line that stands under a running program: how far, how fast, what holds it back.
//
// Called by session about once a second, or once a minute where stderr is no terminal. Pure.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>

#include "analysis/run_facts.h"
#include "model/finding.h"
#include "report/language.h"

namespace latido::report {

struct LiveLineOptions {
  std::size_t columns = 80;
  Language language = Language::kEnglish;
  // Steps in the whole run; with it the line says how long is left.
  std::optional<std::uint64_t> expected_steps = std::nullopt;
  // When the last record came, CLOCK_MONOTONIC; 0: not known. Long ago makes the line say so.
  std::int64_t last_data_ns = 0;
  std::uint64_t steps_needed = 20;  // steady ones, for a first verdict
};

// One line without its newline, never wider than the columns: what matters least is left out.
// `facts.run.end_ns` is the present.
std::string render_live_line(const analysis::RunFacts& facts, const model::Diagnosis& diagnosis,
                             const LiveLineOptions& options = {});

}  // namespace latido::report
