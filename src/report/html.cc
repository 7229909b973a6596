#include "report/html.h"

#include <optional>
#include <utility>

#include "analysis/counted_calls.h"
#include "report/html_flame.h"
#include "report/html_page.h"
#include "report/html_sections.h"

namespace latido::report {

std::string render_html(const analysis::RunFacts& facts, const model::Diagnosis& diagnosis,
                        Language language, double overhead_budget_ratio) {
  HtmlReport report{.facts = facts,
                    .diagnosis = diagnosis,
                    .catalogue = Catalogue(language, facts.run.folder),
                    .overhead_budget_ratio = overhead_budget_ratio,
                    .page = {}};
  const std::optional<StepSummary> steps = summarise_steps(facts);
  const model::CallTree calls = analysis::counted_calls(facts);
  const bool trust_first = trust_is_damaged(facts, overhead_budget_ratio);
  open_html_page(report.page, "latido · " + facts.run.name, language,
                 has_flame(calls) ? PageScript::kFlame : PageScript::kNone);
  html_title(report);
  if (trust_first) html_trust(report);
  html_death(report);
  html_verdict(report);
  html_tiles(report, steps);
  html_evidence(report);
  html_also(report);
  report.page.open("div", {{"class", "pair"}});
  if (steps) html_steps(report, *steps);
  html_run_parts(report);
  report.page.close();
  html_step_plot(report);
  html_series(report);
  html_zones(report);
  html_layers(report);
  html_flame(report, calls);
  html_functions(report);
  html_lines(report);
  html_function_list(report);
  html_workers(report);
  html_curves(report);
  if (steps) html_ranks(report, *steps);
  html_processes(report);
  html_environment(report);
  if (!trust_first) html_trust(report);
  close_html_page(report.page);
  return std::move(report.page).take();
}

}  // namespace latido::report
