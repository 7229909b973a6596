// The sections of the HTML report, one function each; html.cc calls them in the order of the page.
// A section that does not apply writes nothing.
#pragma once

#include "analysis/run_facts.h"
#include "model/finding.h"
#include "report/catalogue.h"
#include "report/markup.h"
#include "report/run_summary.h"

namespace latido::report {

// What every section reads and where it writes. The referred values outlive the rendering.
struct HtmlReport {
  const analysis::RunFacts& facts;
  const model::Diagnosis& diagnosis;
  Catalogue catalogue;
  double overhead_budget_ratio = 0;
  Markup page;

  std::string say(std::string_view id, Catalogue::Arguments arguments = {}) const {
    return catalogue.say(id, arguments);
  }
};

void html_title(HtmlReport& report);
void html_death(HtmlReport& report);
void html_verdict(HtmlReport& report);
void html_tiles(HtmlReport& report, const std::optional<StepSummary>& steps);
void html_evidence(HtmlReport& report);
void html_also(HtmlReport& report);

void html_steps(HtmlReport& report, const StepSummary& steps);
void html_run_parts(HtmlReport& report);
void html_ranks(HtmlReport& report, const StepSummary& steps);
void html_zones(HtmlReport& report);
void html_layers(HtmlReport& report);
void html_functions(HtmlReport& report);
void html_function_list(HtmlReport& report);
void html_lines(HtmlReport& report);
void html_series(HtmlReport& report);
void html_processes(HtmlReport& report);

void html_step_plot(HtmlReport& report);
void html_curves(HtmlReport& report);
void html_workers(HtmlReport& report);

void html_environment(HtmlReport& report);
void html_trust(HtmlReport& report);

}  // namespace latido::report
