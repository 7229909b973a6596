#include "report/markdown.h"

#include <algorithm>
#include <optional>
#include <vector>

#include "report/catalogue.h"
#include "report/function_pieces.h"
#include "report/markdown_layers.h"
#include "report/markdown_text.h"
#include "report/memory_pieces.h"
#include "report/next_steps.h"
#include "report/rank_comparison.h"
#include "report/report_pieces.h"
#include "report/run_summary.h"
#include "report/series_pieces.h"

namespace latido::report {
namespace {

// What every section reads and where it writes. The referred values outlive the rendering.
struct MarkdownReport {
  const analysis::RunFacts& facts;
  const model::Diagnosis& diagnosis;
  Catalogue catalogue;
  double overhead_budget_ratio;
  std::string out;

  std::string say(std::string_view id, Catalogue::Arguments arguments = {}) const {
    return markdown_text(catalogue.say(id, arguments));
  }
  void heading(std::string_view id) { out += "\n## " + say(id) + "\n\n"; }
};

void put_title(MarkdownReport& report) {
  const model::Run& run = report.facts.run;
  std::vector<std::string> pieces = end_pieces(run.end, report.catalogue);
  pieces.push_back(report.catalogue.number().clock(run.wall_ns()));
  if (!run.environment.job.empty()) pieces.push_back(run.environment.job);
  report.out +=
      "# latido · " + markdown_text(run.name) + "\n\n" + markdown_joined(pieces, " · ") + "\n";
}

void put_verdict(MarkdownReport& report) {
  const std::string title = verdict_title(report.diagnosis, report.facts.run.end, report.catalogue);
  report.out += "\n**" + markdown_text(title) + ".** " +
                markdown_joined(verdict_sentences(report.diagnosis, report.catalogue), " ") + "\n";
  if (const std::string hint = functions_hint(report.facts, report.catalogue); !hint.empty()) {
    report.out += "\n" + markdown_text(hint) + "\n";
  }
  if (report.diagnosis.findings.empty()) return;
  const model::Finding& finding = report.diagnosis.findings.front();
  report.out += "\n- **" + report.say("verdict.fix") + ":** " +
                markdown_text(report.catalogue.say(finding.action)) + "\n";
  if (finding.gain) {
    std::vector<std::string> pieces{gain_text(*finding.gain, report.catalogue)};
    for (auto& piece : run_gain_pieces(report.facts, *finding.gain, report.catalogue)) {
      pieces.push_back(std::move(piece));
    }
    report.out +=
        "- **" + report.say("verdict.expect") + ":** " + markdown_joined(pieces, " · ") + "\n";
  }
  if (const std::string check = check_command(report.facts); !check.empty()) {
    report.out += "- **" + report.say("verdict.check") + ":** " + markdown_code(check) + "\n";
  }
}

void put_evidence(MarkdownReport& report) {
  if (report.diagnosis.findings.empty()) return;
  const model::Finding& finding = report.diagnosis.findings.front();
  const auto texts = evidence_texts(finding, report.catalogue);
  const auto limits = limit_texts(finding, report.catalogue);
  if (texts.empty() && limits.empty()) return;
  report.heading("section.evidence");
  for (const LabelledText& text : texts) {
    report.out += "1. ";
    if (!text.label.empty()) report.out += "**" + markdown_text(text.label) + "**: ";
    report.out += markdown_text(text.text) + "\n";
  }
  for (const std::string& limit : limits) report.out += "1. " + markdown_text(limit) + "\n";
}

void put_also(MarkdownReport& report) {
  const auto& findings = report.diagnosis.findings;
  if (findings.size() < 2) return;
  report.heading("section.also");
  for (std::size_t i = 1; i < findings.size(); ++i) {
    report.out += "- " + markdown_text(report.catalogue.say(findings[i].headline)) + " → " +
                  markdown_text(report.catalogue.say(findings[i].action));
    if (findings[i].gain) {
      report.out += " (" + report.catalogue.number().duration(-findings[i].gain->saved_ns()) + ")";
    }
    report.out += "\n";
  }
}

void put_steps(MarkdownReport& report, const StepSummary& steps) {
  const StepUnit unit = step_unit(steps.mean_ns);
  const NumberFormat& number = report.catalogue.number();
  const auto in_unit = [&](std::int64_t ns, int decimals) {
    return number.fixed(static_cast<double>(ns) / unit.size_ns, decimals);
  };
  std::vector<std::vector<std::string>> rows;
  for (const PhaseRow& row : steps.phases) {
    const std::string name = report.say("phase." + std::string(model::to_text(row.phase)));
    if (row.mean_ns == model::kNotMeasured) {
      const std::string reason = markdown_text(not_measured_text(row.reason, report.catalogue));
      rows.push_back({name, report.say("table.not_measured"), reason});
    } else {
      rows.push_back(
          {name, in_unit(row.mean_ns, unit.decimals), number.fixed(row.ratio * 100, 1) + " %"});
    }
  }
  rows.push_back({"**" + report.say("table.step") + "**",
                  "**" + in_unit(steps.mean_ns, unit.decimals) + "**",
                  "**" + number.fixed(100, 1) + " %**"});
  report.heading("section.step");
  report.out += report.say("step.mean", {{"count", static_cast<std::int64_t>(steps.count)}}) +
                ", " +
                report.say("step.percentiles", {{"p50", in_unit(steps.p50_ns, 1)},
                                                {"p95", in_unit(steps.p95_ns, 1)},
                                                {"unit", unit.name}}) +
                "\n\n";
  report.out +=
      markdown_table({report.say("table.phase"), unit.name, report.say("table.share")}, rows);
  const auto other = other_pieces(steps, report.catalogue, unit.size_ns);
  if (!other.empty()) {
    report.out += "\n" + report.say("phase.other") + ": " + markdown_joined(other, " · ") + "\n";
  }
}

void put_ranks(MarkdownReport& report, const StepSummary& steps) {
  const auto compared = compare_ranks(report.facts, steps);
  if (!compared) return;
  report.heading("section.ranks");
  report.out += markdown_joined(rank_pieces(report.facts, steps, report.catalogue), " · ") + "\n";
  if (!compared->straggles) return;
  report.out += "\n";
  for (const analysis::RankFacts* rank : {compared->slowest, compared->fastest}) {
    report.out +=
        "- " + markdown_joined(rank_phase_pieces(*rank, steps, report.catalogue), " · ") + "\n";
  }
}

void put_pieces(MarkdownReport& report, std::string_view heading,
                const std::vector<std::string>& pieces) {
  if (pieces.empty()) return;
  report.heading(heading);
  report.out += markdown_joined(pieces, " · ") + "\n";
}

void put_zones(MarkdownReport& report) {
  const analysis::RankFacts* lead = lead_rank(report.facts);
  if (lead == nullptr || lead->zones.empty()) return;
  constexpr std::size_t kMost = 15;
  const NumberFormat& number = report.catalogue.number();
  std::vector<std::vector<std::string>> rows;
  for (std::size_t i = 0; i < std::min(kMost, lead->zones.size()); ++i) {
    const analysis::NamedTime& zone = lead->zones[i];
    const std::string place = report.catalogue.place(zone.file, zone.line);
    rows.push_back({markdown_text(zone.name), number.duration(zone.self_ns),
                    number.integer(static_cast<std::int64_t>(zone.calls)), markdown_text(place)});
  }
  report.heading("section.zones");
  report.out += markdown_table({report.say("table.name"), report.say("table.self"),
                                report.say("table.calls"), report.say("table.place")},
                               rows);
}

void put_functions(MarkdownReport& report) {
  const analysis::RankFacts* lead = lead_rank(report.facts);
  if (lead == nullptr || (lead->functions.empty() && !nothing_matched(*lead))) return;
  constexpr std::size_t kMost = 15;
  const NumberFormat& number = report.catalogue.number();
  std::vector<std::vector<std::string>> rows;
  for (std::size_t i = 0; i < std::min(kMost, lead->functions.size()); ++i) {
    const analysis::FunctionTime& function = lead->functions[i];
    rows.push_back({markdown_text(function.name), number.duration(function.own_ns()),
                    number.duration(function.inclusive_ns()),
                    function_calls(function, *lead, report.catalogue),
                    markdown_text(report.catalogue.place(function.file, function.line))});
  }
  report.heading("section.functions");
  report.out +=
      markdown_joined(function_pieces(report.facts, *lead, report.catalogue), " · ") + "\n";
  if (rows.empty()) return;
  report.out += "\n";
  report.out +=
      markdown_table({report.say("table.name"), report.say("table.self"), report.say("table.total"),
                      report.say("table.calls"), report.say("table.place")},
                     rows);
  const std::string note = elided_note(report.facts, *lead, report.catalogue);
  if (!note.empty()) report.out += "\n" + note + "\n";
}

void put_lines(MarkdownReport& report) {
  const analysis::RankFacts* lead = lead_rank(report.facts);
  if (lead == nullptr || lead->lines.empty()) return;
  constexpr std::size_t kMost = 15;
  const NumberFormat& number = report.catalogue.number();
  std::vector<std::vector<std::string>> rows;
  const bool with_source = std::ranges::any_of(
      lead->lines, [](const analysis::LineTime& line) { return !line.source.empty(); });
  for (std::size_t i = 0; i < std::min(kMost, lead->lines.size()); ++i) {
    const analysis::LineTime& line = lead->lines[i];
    rows.push_back({markdown_text(report.catalogue.place(line.file, line.line)),
                    number.duration(line.self_ns), number.duration(line.total_ns),
                    markdown_text(line.function)});
    if (with_source) rows.back().push_back(line.source.empty() ? "" : markdown_code(line.source));
  }
  report.heading("section.lines");
  std::vector<std::string> head{report.say("table.place"), report.say("table.self"),
                                report.say("table.total"), report.say("table.function")};
  if (with_source) head.push_back(report.say("table.source"));
  report.out += markdown_table(head, rows);
}

}  // namespace

std::string render_markdown(const analysis::RunFacts& facts, const model::Diagnosis& diagnosis,
                            Language language, double overhead_budget_ratio) {
  MarkdownReport report{.facts = facts,
                        .diagnosis = diagnosis,
                        .catalogue = Catalogue(language, facts.run.folder),
                        .overhead_budget_ratio = overhead_budget_ratio,
                        .out = {}};
  const bool trust_first = trust_is_damaged(facts, overhead_budget_ratio);
  const auto trust = trust_pieces(facts, report.catalogue, overhead_budget_ratio);
  const std::optional<StepSummary> steps = summarise_steps(facts);
  put_title(report);
  if (trust_first) put_pieces(report, "section.trust", trust);
  put_verdict(report);
  put_evidence(report);
  put_also(report);
  if (steps) put_steps(report, *steps);
  if (steps) put_ranks(report, *steps);
  const auto run_parts = run_part_pieces(facts, report.catalogue);
  if (run_parts.size() > 1) put_pieces(report, "section.run", run_parts);
  put_zones(report);
  if (const std::string layers = markdown_layers(facts, report.catalogue); !layers.empty()) {
    report.heading("section.layers");
    report.out += layers;
  }
  put_functions(report);
  put_lines(report);
  auto rates = rate_pieces(facts, report.catalogue);
  for (std::string& piece : series_pieces(facts, report.catalogue)) {
    rates.push_back(std::move(piece));
  }
  put_pieces(report, "section.rates", rates);
  put_pieces(report, "section.resources", resource_pieces(facts.resources, report.catalogue));
  put_pieces(report, "section.memory", memory_pieces(facts, report.catalogue));
  if (!trust_first) put_pieces(report, "section.trust", trust);
  return std::move(report.out);
}

}  // namespace latido::report
