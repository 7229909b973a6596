#include "report/terminal.h"

#include <optional>
#include <utility>

#include "report/terminal_sections.h"
#include "report/text_layout.h"

namespace latido::report {

void TerminalPage::heading(std::string_view id, const std::vector<std::string>& pieces) {
  screen.blank();
  const std::string title = " " + capitals(say(id)) + (pieces.empty() ? "" : "   ");
  screen.flow(title, Ink::kStrong, pieces, "   ", 3);
}

std::string render_terminal(const analysis::RunFacts& facts, const model::Diagnosis& diagnosis,
                            const TerminalOptions& options) {
  TerminalPage page{.facts = facts,
                    .diagnosis = diagnosis,
                    .options = options,
                    .catalogue = Catalogue(options.language, facts.run.folder),
                    .screen = Screen(options.columns, options.colour)};
  const std::optional<StepSummary> steps = summarise_steps(facts);
  // Where data was lost, nobody should read a number before knowing it.
  const bool trust_first = trust_is_damaged(facts, options.overhead_budget_ratio);

  put_title(page);
  if (trust_first) put_trust(page);
  put_verdict(page);
  if (steps) put_steps(page, *steps);
  put_run_parts(page);
  if (!steps || options.expanded) {
    put_zones(page);
    put_processes(page);
    put_resources(page);
  }
  put_layers(page, steps.has_value());
  put_functions(page, steps.has_value());
  put_lines(page, steps.has_value());
  put_function_list(page);
  put_evidence(page);
  put_also(page);
  put_rates(page);
  if (steps) put_ranks(page, *steps);
  put_more(page);
  if (!trust_first) put_trust(page);
  return std::move(page.screen).take();
}

}  // namespace latido::report
