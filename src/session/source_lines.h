// The text of the lines that a report shows, read where the program's files still lie as they were.
//
// Called when a report is shown, never while a program is recorded: source code is not part of a
// recording. Whoever writes a report that others get reads it only when asked.
#pragma once

#include "analysis/run_facts.h"

namespace latido::session {

// Fills LineTime::source of all ranks' lines. A line stays without its text when the file is missing, not
// readable, no source file by its name, larger than 4 MiB, or was changed after the run began.
void read_source_lines(analysis::RunFacts& facts);

}  // namespace latido::session
