// The title and the verdict of the terminal report.
#include <algorithm>

#include "report/next_steps.h"
#include "report/terminal_sections.h"
#include "report/text_layout.h"

namespace latido::report {
namespace {

Ink verdict_ink(const model::Diagnosis& diagnosis, const model::RunEnd& end) {
  if (!diagnosis.findings.empty()) return Ink::kBad;
  return is_all_well(diagnosis, end) ? Ink::kGood : Ink::kStrong;
}

}  // namespace

void put_title(TerminalPage& page) {
  const model::Run& run = page.facts.run;
  std::vector<std::string> pieces{run.name};
  for (std::string& piece : end_pieces(run.end, page.catalogue)) pieces.push_back(std::move(piece));
  pieces.push_back(page.catalogue.number().clock(run.wall_ns()));
  if (!run.environment.job.empty()) pieces.push_back(run.environment.job);
  if (page.facts.ranks.size() > 1) {
    pieces.push_back(
        page.say("title.ranks", {{"ranks", static_cast<std::int64_t>(page.facts.ranks.size())}}));
  }
  page.screen.flow(" latido · ", ended_badly(run.end) ? Ink::kBad : Ink::kStrong, pieces, " · ", 3);
}

void put_verdict(TerminalPage& page) {
  page.screen.blank();
  const model::RunEnd& end = page.facts.run.end;
  const std::string name = " " + verdict_title(page.diagnosis, end, page.catalogue) + ". ";
  const auto sentences = verdict_sentences(page.diagnosis, page.catalogue);
  page.screen.paragraph(name, verdict_ink(page.diagnosis, end),
                        sentences.empty() ? std::string() : sentences.front(), 1);
  for (std::size_t i = 1; i < sentences.size(); ++i) {
    page.screen.paragraph(" ", Ink::kPlain, sentences[i], 1);
  }
  if (page.diagnosis.findings.empty()) return;

  const model::Finding& finding = page.diagnosis.findings.front();
  page.screen.blank();
  std::vector<std::string> labels;
  std::size_t width = 0;
  for (const std::string_view id : {"verdict.fix", "verdict.expect", "verdict.check"}) {
    labels.push_back(capitals(page.say(id)));
    width = std::max(width, cell_width(labels.back()) + 3);
  }
  const auto head = [&](std::size_t i) { return "   " + pad_right(labels[i], width); };
  const std::size_t indent = 3 + width;
  page.screen.paragraph(head(0), Ink::kStrong, page.catalogue.say(finding.action), indent);
  if (finding.gain) {
    std::vector<std::string> pieces{gain_text(*finding.gain, page.catalogue)};
    for (std::string& piece : run_gain_pieces(page.facts, *finding.gain, page.catalogue)) {
      pieces.push_back(std::move(piece));
    }
    page.screen.flow(head(1), Ink::kStrong, pieces, "    ", indent);
  }
  const std::string check = check_command(page.facts);
  if (check.empty()) return;
  page.screen.flow(head(2), Ink::kStrong, {check, page.say("verdict.after_change")}, "   ", indent);
}

}  // namespace latido::report
