// The sections of the terminal report, one function each. Called by terminal.cc only, in its order.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "analysis/run_facts.h"
#include "model/finding.h"
#include "report/catalogue.h"
#include "report/report_pieces.h"
#include "report/run_summary.h"
#include "report/screen.h"
#include "report/terminal.h"

namespace latido::report {

// What every section reads and where it writes. The referred values outlive the rendering.
struct TerminalPage {
  const analysis::RunFacts& facts;
  const model::Diagnosis& diagnosis;
  const TerminalOptions& options;
  Catalogue catalogue;
  Screen screen;

  std::string say(std::string_view id, Catalogue::Arguments arguments = {}) const {
    return catalogue.say(id, arguments);
  }
  // A section's title with what follows on its line.
  void heading(std::string_view id, const std::vector<std::string>& pieces = {});
};

void put_title(TerminalPage& page);
void put_verdict(TerminalPage& page);
void put_steps(TerminalPage& page, const StepSummary& steps);
void put_run_parts(TerminalPage& page);
void put_zones(TerminalPage& page);
void put_functions(TerminalPage& page, bool briefly);
void put_function_list(TerminalPage& page);
void put_lines(TerminalPage& page, bool briefly);
void put_layers(TerminalPage& page, bool briefly);
void put_processes(TerminalPage& page);
void put_resources(TerminalPage& page);
void put_evidence(TerminalPage& page);
void put_also(TerminalPage& page);
void put_rates(TerminalPage& page);
void put_ranks(TerminalPage& page, const StepSummary& steps);
void put_more(TerminalPage& page);
void put_trust(TerminalPage& page);

}  // namespace latido::report
