#include "session/report_end.h"

#include "base/clock.h"
#include "diagnosis/diagnose.h"
#include "report/terminal.h"
#include "session/source_lines.h"

namespace latido::session {

void report_end(const Settings& settings, Screen& screen, Recording& recording,
                const model::RunEnd& end) {
  analysis::RunFacts facts = recording.finish(monotonic_now_ns(), end);
  const model::Diagnosis diagnosis = diagnosis::diagnose(facts, settings.thresholds);
  recording.store_diagnosis(diagnosis);
  screen.live("");
  if (!settings.report_at_end) return;
  read_source_lines(facts);
  screen.say("\n" +
             report::render_terminal(facts, diagnosis,
                                     {.columns = screen.columns(),
                                      .colour = screen.colour(),
                                      .language = settings.language,
                                      .overhead_budget_ratio = settings.overhead_budget_ratio}));
}

}  // namespace latido::session
