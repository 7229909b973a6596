// Runs for the tests of this module: the one of the mock-ups, and one for each state a report can
// be in. Compiled into the test program only.
#pragma once

#include "analysis/run_facts.h"
#include "model/finding.h"

namespace latido::report::fixtures {

struct Example {
  analysis::RunFacts facts;
  model::Diagnosis diagnosis;
};

Example mockup_run();      // 4 ranks, input-bound, 8,480 steady steps, finished
Example healthy_run();     // one rank, no device, nothing stands out
Example no_steps_run();    // a pandas job: zones, processes, resources
Example marked_run();      // steps marked by hand in a program without torch
Example died_run();        // a Python exception in backward on rank 2
Example killed_run();      // SIGKILL inside a zone; records dropped, hooks failed
Example warming_up_run();  // 12 steady steps so far, still going on
Example hostile_run();     // every name tries to break out of its format

}  // namespace latido::report::fixtures
