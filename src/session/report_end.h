// The end of a recording: closes its files, judges it, and shows the report.
#pragma once

#include "model/run.h"
#include "session/recording.h"
#include "session/screen.h"
#include "session/settings.h"

namespace latido::session {

void report_end(const Settings& settings, Screen& screen, Recording& recording,
                const model::RunEnd& end);

}  // namespace latido::session
