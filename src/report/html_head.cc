// The upper part of the HTML report: how it ended, the verdict, key figures, evidence.
#include <algorithm>
#include <optional>

#include "report/html_page.h"
#include "report/html_sections.h"
#include "report/loss_text.h"
#include "report/next_steps.h"
#include "report/report_pieces.h"
#include "report/svg_bars.h"
#include "report/svg_frame.h"

namespace latido::report {
namespace {

struct VerdictLook {
  std::string_view css_class;
  std::string_view sign;  // the shape repeats what the colour says
};

VerdictLook look_of(const model::Diagnosis& diagnosis, const model::RunEnd& end) {
  if (!diagnosis.findings.empty()) return {"card verdict bad", "▲ "};
  if (is_all_well(diagnosis, end)) return {"card verdict good", "✓ "};
  return {"card verdict", "? "};
}

void write_term(Markup& page, std::string_view term, const std::vector<std::string>& texts,
                bool as_code) {
  page.element("dt", term).open("dd");
  for (std::size_t i = 0; i < texts.size(); ++i) {
    if (i > 0) page.text(i == 1 && as_code ? " " : " · ");
    page.element(as_code && i == 0 ? "code" : "span", texts[i]);
  }
  page.close();
}

void write_fix(HtmlReport& report, const model::Finding& finding) {
  Markup& page = report.page;
  page.open("dl");
  write_term(page, report.say("verdict.fix"), {report.catalogue.say(finding.action)}, false);
  if (finding.gain) {
    std::vector<std::string> texts{gain_text(*finding.gain, report.catalogue)};
    for (auto& piece : run_gain_pieces(report.facts, *finding.gain, report.catalogue)) {
      texts.push_back(std::move(piece));
    }
    write_term(page, report.say("verdict.expect"), texts, false);
  }
  if (const std::string check = check_command(report.facts); !check.empty()) {
    write_term(page, report.say("verdict.check"), {check, report.say("verdict.after_change")},
               true);
  }
  page.close();
  if (finding.gain) write_gain_bars(page, *finding.gain, report.catalogue);
}

void write_tile(HtmlReport& report, std::string_view label, const std::string& value,
                const std::string& sub) {
  report.page.open("div", {{"class", "tile"}});
  report.page.element("div", label, {{"class", "label"}});
  report.page.element("div", value, {{"class", "value"}});
  if (!sub.empty()) report.page.element("div", sub, {{"class", "sub"}});
  report.page.close();
}

void step_tiles(HtmlReport& report, const StepSummary& steps) {
  const NumberFormat& number = report.catalogue.number();
  const StepUnit unit = step_unit(steps.mean_ns);
  const auto in_unit = [&](std::int64_t ns) {
    return number.compact(static_cast<double>(ns) / unit.size_ns);
  };
  write_tile(report, report.say("table.step"), number.duration(steps.mean_ns),
             report.say("step.percentiles", {{"p50", in_unit(steps.p50_ns)},
                                             {"p95", in_unit(steps.p95_ns)},
                                             {"unit", unit.name}}));
  if (const double rate = samples_per_s(report.facts); rate > 0) {
    const bool several = report.facts.ranks.size() > 1;
    const std::string each = number.compact(rate / static_cast<double>(report.facts.ranks.size()));
    write_tile(report, report.say("tile.throughput"),
               report.say("rate.samples", {{"rate", number.compact(rate)}}),
               several ? report.say("tile.each", {{"each", each}}) : std::string());
  }
}

void loss_tile(HtmlReport& report) {
  const analysis::RankFacts* lead = lead_rank(report.facts);
  if (lead == nullptr) return;
  const auto change = loss_change(*lead);
  if (!change || lead->loss.size() <= change->not_finite) return;
  const NumberFormat& number = report.catalogue.number();
  std::string note = loss_note(*lead, report.catalogue);
  if (change->not_finite > 0) {
    note +=
        (note.empty() ? "" : " · ") +
        report.say("rate.not_finite", {{"count", static_cast<std::int64_t>(change->not_finite)}});
  }
  write_tile(report, report.say("phase.loss"),
             number.significant(change->first, 3) + " → " + number.significant(change->last, 3),
             note);
}

void resource_tiles(HtmlReport& report) {
  const analysis::ResourceFacts& use = report.facts.resources;
  const NumberFormat& number = report.catalogue.number();
  if (use.cpu_busy_cores && use.cores > 0) {
    const auto shown = [&](double cores) { return number.parameter("cores", cores); };
    write_tile(report, report.say("chart.cores"),
               shown(*use.cpu_busy_cores) + " / " + shown(machine_cores(use)),
               use.run_cpu_cores ? report.say("use.run_cores", {{"run_cores", *use.run_cpu_cores}})
                                 : std::string());
  }
  if (use.run_rss_peak_bytes) {
    write_tile(
        report, report.say("table.memory_peak"), number.bytes(*use.run_rss_peak_bytes),
        use.memory_limit_bytes ? "/ " + number.bytes(*use.memory_limit_bytes) : std::string());
  }
}

}  // namespace

void html_title(HtmlReport& report) {
  const model::Run& run = report.facts.run;
  Markup& page = report.page;
  page.open("header", {{"class", "top"}}).element("span", "latido", {{"class", "brand"}});
  page.element("h1", run.name);
  std::vector<std::string> pieces{end_pieces(run.end, report.catalogue).front(),
                                  report.catalogue.number().clock(run.wall_ns())};
  if (!run.environment.job.empty()) pieces.push_back(run.environment.job);
  if (!run.environment.host.empty()) pieces.push_back(run.environment.host);
  if (report.facts.ranks.size() > 1) {
    pieces.push_back(report.say("title.ranks",
                                {{"ranks", static_cast<std::int64_t>(report.facts.ranks.size())}}));
  }
  write_pieces(page, pieces);
  page.close();
}

void html_death(HtmlReport& report) {
  const model::RunEnd& end = report.facts.run.end;
  const std::vector<std::string> pieces = end_pieces(end, report.catalogue);
  if (!ended_badly(end)) return;
  Markup& page = report.page;
  page.open("div", {{"class", "card died"}}).element("h2", report.say("section.end"));
  page.open("p").element("b", pieces.front());
  for (std::size_t i = 1; i < pieces.size(); ++i) page.text(" · ").text(pieces[i]);
  page.close().close();
}

void html_verdict(HtmlReport& report) {
  const model::RunEnd& end = report.facts.run.end;
  const VerdictLook look = look_of(report.diagnosis, end);
  Markup& page = report.page;
  page.open("div", {{"class", look.css_class}}).open("h2");
  page.element("span",
               std::string(look.sign) + verdict_title(report.diagnosis, end, report.catalogue),
               {{"class", "name"}});
  page.close();
  for (const std::string& sentence : verdict_sentences(report.diagnosis, report.catalogue)) {
    page.element("p", sentence);
  }
  if (!report.diagnosis.findings.empty()) write_fix(report, report.diagnosis.findings.front());
  if (const std::string hint = functions_hint(report.facts, report.catalogue); !hint.empty()) {
    page.element("p", hint);
  }
  page.close();
}

void html_tiles(HtmlReport& report, const std::optional<StepSummary>& steps) {
  report.page.open("div", {{"class", "tiles"}});
  if (steps) step_tiles(report, *steps);
  loss_tile(report);
  resource_tiles(report);
  report.page.close();
}

void html_evidence(HtmlReport& report) {
  if (report.diagnosis.findings.empty()) return;
  const model::Finding& finding = report.diagnosis.findings.front();
  const auto texts = evidence_texts(finding, report.catalogue);
  const auto limits = limit_texts(finding, report.catalogue);
  if (texts.empty() && limits.empty()) return;
  Markup& page = report.page;
  open_section(page, report.say("section.evidence"),
               report.say("evidence.confidence", {{"ratio", finding.confidence}}));
  page.open("ol", {{"class", "evidence"}});
  for (const LabelledText& text : texts) {
    page.open("li");
    if (!text.label.empty()) page.element("b", text.label).text(" ");
    page.text(text.text).close();
  }
  page.close();
  if (!limits.empty()) {
    page.element("h3", report.say("section.limits")).open("ol", {{"class", "evidence"}});
    for (const std::string& limit : limits) page.element("li", limit);
    page.close();
  }
  page.close();
}

void html_also(HtmlReport& report) {
  const auto& findings = report.diagnosis.findings;
  if (findings.size() < 2) return;
  TableText table;
  table.head = {report.say("table.finding"), report.say("verdict.fix"), report.say("table.gain")};
  Markup& page = report.page;
  open_section(page, report.say("section.also"), report.say("also.smaller"));
  page.open("div", {{"class", "scroll"}}).open("table").open("thead").open("tr");
  for (const std::string& head : table.head) page.element("th", head, {{"class", "text"}});
  page.close().close().open("tbody");
  for (std::size_t i = 1; i < findings.size(); ++i) {
    page.open("tr").element("td", report.catalogue.say(findings[i].headline), {{"class", "text"}});
    page.element("td", report.catalogue.say(findings[i].action), {{"class", "text"}});
    page.element("td", findings[i].gain
                           ? report.catalogue.number().duration(-findings[i].gain->saved_ns())
                           : std::string("–"));
    page.close();
  }
  page.close().close().close().close();
}

}  // namespace latido::report
