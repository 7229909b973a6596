// Evidence, smaller findings, rates, ranks and trust: the lower half of the terminal report.
#include <algorithm>

#include "report/memory_pieces.h"
#include "report/next_steps.h"
#include "report/rank_comparison.h"
#include "report/series_pieces.h"
#include "report/terminal_sections.h"
#include "report/text_layout.h"

namespace latido::report {
namespace {

std::string gain_per_step(const model::Finding& finding, const NumberFormat& number) {
  return finding.gain ? number.duration(-finding.gain->saved_ns()) : std::string();
}

// A section of one or a few lines, its title at the left, as wide as the widest of those titles.
std::string side_title(const TerminalPage& page, std::string_view id) {
  std::size_t width = 0;
  for (const std::string_view each :
       {"section.rates", "section.ranks", "section.more", "section.trust"}) {
    width = std::max(width, cell_width(page.say(each)));
  }
  return " " + pad_right(capitals(page.say(id)), width) + "  ";
}

}  // namespace

void put_evidence(TerminalPage& page) {
  if (page.diagnosis.findings.empty()) return;
  const model::Finding& finding = page.diagnosis.findings.front();
  std::vector<LabelledText> texts = evidence_texts(finding, page.catalogue);
  std::size_t label_cells = 0;
  for (const LabelledText& text : texts) {
    label_cells = std::max(label_cells, cell_width(text.label));
  }
  for (const std::string& limit : limit_texts(finding, page.catalogue)) {
    texts.push_back({.label = {}, .text = limit});
  }
  if (texts.empty()) return;
  page.heading("section.evidence",
               {page.say("evidence.confidence", {{"ratio", finding.confidence}})});
  std::size_t number = 0;
  for (const LabelledText& text : texts) {
    const std::string count = "   " + std::to_string(++number) + " ";
    const std::size_t indent =
        text.label.empty() ? cell_width(count) : cell_width(count) + label_cells + 2;
    const std::string head =
        text.label.empty() ? count : count + pad_right(text.label, label_cells) + "  ";
    page.screen.paragraph(head, Ink::kPlain, text.text, indent);
  }
}

void put_also(TerminalPage& page) {
  const auto& findings = page.diagnosis.findings;
  if (findings.size() < 2) return;
  const std::string title = page.say("also.gain");
  const std::size_t columns = page.screen.columns();
  const std::string heading =
      " " + capitals(page.say("section.also")) + " " + page.say("also.smaller");
  page.screen.blank();
  const bool any =
      std::any_of(findings.begin() + 1, findings.end(),
                  [](const model::Finding& finding) { return finding.gain.has_value(); });
  const bool fits = any && cell_width(heading) + cell_width(title) + 3 <= columns;
  page.screen.line(heading, Ink::kStrong,
                   fits ? pad_left(title, columns - cell_width(heading)) : std::string());
  for (std::size_t i = 1; i < findings.size(); ++i) {
    const std::string gain = gain_per_step(findings[i], page.catalogue.number());
    const std::string text = page.catalogue.say(findings[i].headline);
    const std::size_t room = columns - std::min(columns, 5 + cell_width(gain));
    const auto lines = wrap(printable(text), room, room);
    page.screen.line("   " + pad_right(lines.front(), room + 2) + gain);
    for (std::size_t n = 1; n < lines.size(); ++n) page.screen.line("   " + lines[n]);
    page.screen.paragraph("   → ", Ink::kPlain, page.catalogue.say(findings[i].action), 5);
  }
}

void put_rates(TerminalPage& page) {
  std::vector<std::string> pieces = rate_pieces(page.facts, page.catalogue);
  // Without steps the resources have a section of their own.
  const bool has_steps = summarise_steps(page.facts).has_value();
  if (has_steps && !page.options.expanded) {
    for (std::string& piece : resource_pieces(page.facts.resources, page.catalogue)) {
      pieces.push_back(std::move(piece));
    }
  }
  for (std::string& piece : series_pieces(page.facts, page.catalogue)) {
    pieces.push_back(std::move(piece));
  }
  page.screen.blank();
  if (pieces.empty()) return;
  page.screen.flow(side_title(page, "section.rates"), Ink::kStrong, pieces, " · ",
                   cell_width(side_title(page, "section.rates")));
  const std::vector<std::string> memory = memory_pieces(page.facts, page.catalogue);
  if (memory.empty()) return;
  page.screen.flow(side_title(page, "section.memory"), Ink::kStrong, memory, " · ",
                   cell_width(side_title(page, "section.memory")));
}

void put_ranks(TerminalPage& page, const StepSummary& steps) {
  const auto compared = compare_ranks(page.facts, steps);
  if (!compared) return;
  const std::string title = side_title(page, "section.ranks");
  page.screen.flow(title, Ink::kStrong, rank_pieces(page.facts, steps, page.catalogue), "  ",
                   cell_width(title));
  if (!compared->straggles) return;
  // The table above is a mean of the ranks, which hides what makes them different.
  const std::string margin(cell_width(title), ' ');
  for (const analysis::RankFacts* rank : {compared->slowest, compared->fastest}) {
    page.screen.flow(margin, Ink::kPlain, rank_phase_pieces(*rank, steps, page.catalogue), " · ",
                     cell_width(margin) + 2);
  }
}

void put_more(TerminalPage& page) {
  const std::string title = side_title(page, "section.more");
  page.screen.flow(title, Ink::kFaint, {page_command(page.facts.run)}, " · ", cell_width(title));
  const std::string hint = functions_hint(page.facts, page.catalogue);
  const std::string margin(cell_width(title), ' ');
  if (!hint.empty()) page.screen.paragraph(margin, Ink::kPlain, hint, cell_width(margin));
}

void put_trust(TerminalPage& page) {
  const double budget_ratio = page.options.overhead_budget_ratio;
  const bool damaged = trust_is_damaged(page.facts, budget_ratio);
  if (damaged) page.screen.blank();
  const std::string title = side_title(page, "section.trust");
  page.screen.flow(title, damaged ? Ink::kBad : Ink::kStrong,
                   trust_pieces(page.facts, page.catalogue, budget_ratio), " · ",
                   cell_width(title));
}

}  // namespace latido::report
