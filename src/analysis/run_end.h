// How a run ended, completed from its events: the exception, and what was going on at death.
//
// Called by RunAnalysis::facts(). Pure.
#pragma once

#include <optional>

#include "analysis/process_analysis.h"
#include "analysis/thread_analysis.h"
#include "model/run.h"
#include "model/timeline.h"

namespace latido::analysis {

// Exception, its place and the rank it came from. Nothing for a program that ended well.
void set_exception(model::RunEnd& end, const ProcessAnalysis& process,
                   std::optional<std::int32_t> rank);

// Phase, innermost zone and, unless an exception told it, the place of `thread` at its death. False
// when nothing was open on it. `in_step`: a step had begun.
bool set_last_work(model::RunEnd& end, const ThreadAnalysis& thread, bool in_step,
                   const model::Tables& tables, std::optional<std::int32_t> rank);

// The same for a thread whose spans an exception has left: phase and zone of where it came from. False
// when none did.
bool set_raised(model::RunEnd& end, const ThreadAnalysis& thread, const model::Tables& tables,
                std::optional<std::int32_t> rank);

// It was ended by a signal or failed.
bool ended_badly(const model::RunEnd& end) noexcept;

}  // namespace latido::analysis
