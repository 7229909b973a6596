// The table of `latido runs`: name, started, wall time, end, verdict, mean step, command.
//
// Called by the command with what the runs' folders say. Pure but for the local time zone.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "store/run_index.h"

namespace latido::cli {

struct RunLine {
  store::RunEntry entry;
  std::string verdict{};          // as said when the run ended; empty: none was
  std::int64_t mean_step_ns = 0;  // of the steady steps; 0: there are none
};

// "exit 0", "signal 9", "recorder was killed".
std::string end_text(const store::RunEntry& entry);
std::string command_text(const model::Run& run);

// A header and a line a run, none wider than `columns`. Where they are few the year and the command
// are left out; names stay whole, for they are what other commands take.
std::string runs_table(const std::vector<RunLine>& runs, std::size_t columns);

// A line for each folder other than `home` that some of the runs lie in, with their names; mostly none.
std::string elsewhere_text(const std::vector<RunLine>& runs, const std::filesystem::path& home);

}  // namespace latido::cli
