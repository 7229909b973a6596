// The pictures of the HTML report, where it ran, and how far it can be trusted.
#include <array>
#include <ctime>
#include <string>

#include "report/hook_text.h"
#include "report/html_page.h"
#include "report/html_sections.h"
#include "report/memory_pieces.h"
#include "report/report_pieces.h"
#include "report/svg_bars.h"
#include "report/svg_frame.h"
#include "report/svg_lines.h"
#include "report/svg_step_stack.h"

namespace latido::report {
namespace {

// "2025-11-30 10:02:00 UTC": unambiguous in every language.
std::string utc_text(std::int64_t wall_ns) {
  const std::time_t seconds = static_cast<std::time_t>(wall_ns / 1'000'000'000);
  std::tm parts{};
  if (wall_ns <= 0 || gmtime_r(&seconds, &parts) == nullptr) return {};
  std::array<char, 40> text{};
  const std::size_t length =
      std::strftime(text.data(), text.size(), "%Y-%m-%d %H:%M:%S UTC", &parts);
  return {text.data(), length};
}

std::string joined(const std::vector<std::string>& words) {
  std::string text;
  for (const std::string& word : words) text += (text.empty() ? "" : " ") + word;
  return text;
}

void write_known_term(HtmlReport& report, std::string_view id, const std::string& text,
                      bool as_code = false) {
  if (text.empty()) return;
  report.page.element("dt", report.say(id));
  report.page.open("dd").element(as_code ? "code" : "span", text).close();
}

void write_hooks(HtmlReport& report) {
  if (report.facts.quality.hooks.empty()) return;
  TableText table;
  table.head = {report.say("table.name"), report.say("table.state")};
  table.last_is_text = true;
  for (const auto& [name, state] : report.facts.quality.hooks) {
    table.rows.push_back({name, hook_state_text(state, report.catalogue)});
  }
  report.page.open("details", {{"class", "plain"}}).element("summary", report.say("section.hooks"));
  write_table(report.page, table);
  report.page.close();
}

}  // namespace

void html_step_plot(HtmlReport& report) {
  const analysis::RankFacts* lead = lead_rank(report.facts);
  if (lead == nullptr || (lead->steps.size() < 2 && lead->loss.size() < 2)) return;
  open_section(report.page, report.say("section.over_steps"),
               report.facts.ranks.size() > 1
                   ? report.say("run.rank", {{"rank", std::int64_t{lead->rank.value_or(0)}}})
                   : std::string());
  write_step_stack(report.page, *lead, report.catalogue);
  write_loss_plot(report.page, *lead, report.catalogue);
  report.page.close();
}

void html_curves(HtmlReport& report) {
  const auto pieces = resource_pieces(report.facts.resources, report.catalogue);
  if (report.facts.curves.empty() && pieces.empty()) return;
  open_section(report.page, report.say("section.resources"));
  write_pieces(report.page, pieces);
  if (const auto memory = memory_pieces(report.facts, report.catalogue); !memory.empty()) {
    report.page.open("p").open("b").text(report.say("section.memory")).close().close();
    write_pieces(report.page, memory);
  }
  write_resource_plots(report.page, report.facts, report.catalogue);
  report.page.close();
}

void html_workers(HtmlReport& report) {
  bool any = false;
  for (const analysis::RankFacts& rank : report.facts.ranks) any = any || !rank.workers.empty();
  if (!any) return;
  open_section(report.page, report.say("section.workers"), report.say("workers.note"));
  write_worker_lanes(report.page, report.facts, report.catalogue);
  report.page.close();
}

void html_environment(HtmlReport& report) {
  const model::Run& run = report.facts.run;
  const model::Environment& where = run.environment;
  const NumberFormat& number = report.catalogue.number();
  open_section(report.page, report.say("section.environment"));
  report.page.open("dl");
  write_known_term(report, "env.command", joined(run.command), true);
  write_known_term(report, "env.folder", run.folder, true);
  write_known_term(report, "env.started", utc_text(run.started_wall_ns));
  write_known_term(report, "env.host", where.host);
  write_known_term(report, "env.system",
                   where.os + (where.kernel.empty() ? "" : " · Linux " + where.kernel));
  std::string processor = where.cpu;
  if (where.cores > 0) {
    processor += (processor.empty() ? "" : " · ") +
                 report.say("env.cores", {{"cores", std::int64_t{where.cores}}});
  }
  write_known_term(report, "env.processor", processor);
  if (where.memory_bytes > 0) {
    write_known_term(report, "env.memory", number.bytes(static_cast<double>(where.memory_bytes)));
  }
  write_known_term(report, "env.container", where.container);
  write_known_term(report, "env.job", where.job);
  write_known_term(report, "env.commit", where.git_commit, true);
  write_known_term(report, "env.python", where.python);
  write_known_term(report, "env.torch", where.torch);
  write_known_term(report, "env.run", run.id, true);
  write_known_term(report, "env.latido", run.latido_version);
  report.page.close().close();
}

void html_trust(HtmlReport& report) {
  const bool damaged = trust_is_damaged(report.facts, report.overhead_budget_ratio);
  report.page.open("div", {{"class", damaged ? "card warn" : "card"}});
  report.page.element("h2", (damaged ? "▲ " : "") + report.say("section.trust"));
  write_pieces(report.page,
               trust_pieces(report.facts, report.catalogue, report.overhead_budget_ratio));
  write_hooks(report);
  report.page.close();
}

}  // namespace latido::report
