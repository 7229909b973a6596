// diagnose: the verdict about a run, from what was measured of it.
//
// Called while the run lives (every second or so) and again for the report, on one thread each.
// Pure: same facts and thresholds, same diagnosis. Never fails: with too little known it says so.
#pragma once

#include "analysis/run_facts.h"
#include "diagnosis/thresholds.h"
#include "model/finding.h"

namespace latido::diagnosis {

// Verdicts without a finding are "healthy", "no-steps" and "cannot-tell".
//
// A finding stays when its saving exceeds the noise of the mean step, is worth a person's time, and
// is not the effect of another finding. A finding about what cannot be saved but ends the run
// (memory) stays as well. The largest saving of the run's time comes first.
model::Diagnosis diagnose(const analysis::RunFacts& facts, const Thresholds& thresholds = {});

}  // namespace latido::diagnosis
