// Where a step and where the run goes: the tables of the terminal report.
#include <algorithm>
#include <utility>

#include "report/process_text.h"
#include "report/terminal_sections.h"
#include "report/text_layout.h"

namespace latido::report {
namespace {

constexpr std::size_t kMargin = 3;
constexpr std::size_t kValueCells = 9;  // "12,345.6" and a space
constexpr std::size_t kMostBarCells = 40;
constexpr std::size_t kLeastBarCells = 6;
constexpr double kBreakDownOtherFrom = 0.02;
constexpr double kRowsOfOtherFrom = 0.20;  // from here its parts deserve bars of their own

std::string repeated(std::string_view text, std::size_t times) {
  std::string out;
  for (std::size_t i = 0; i < times; ++i) out += text;
  return out;
}

std::string percent_digits(double ratio, const NumberFormat& number) {
  return number.fixed(ratio * 100, 1);
}

// The columns of the step table. The unit stands in the first row only.
struct StepTable {
  const Catalogue& catalogue;
  StepUnit unit;
  std::size_t name_cells;
  std::size_t bar_cells;

  std::string row(std::string_view name, std::int64_t ns, double ratio, bool with_units) const {
    const NumberFormat& number = catalogue.number();
    const std::string value = number.fixed(static_cast<double>(ns) / unit.size_ns, unit.decimals);
    const std::string units = with_units ? " " + unit.name : repeated(" ", unit.name.size() + 1);
    return std::string(kMargin, ' ') + pad_right(name, name_cells) + pad_left(value, kValueCells) +
           pad_right(units, cell_width(unit.name) + 1) +
           pad_left(percent_digits(ratio, number), 7) + (with_units ? " %" : "  ") + "  ";
  }
  std::size_t cells_before_bar() const {
    return kMargin + name_cells + kValueCells + cell_width(unit.name) + 1 + 7 + 2 + 2;
  }
};

std::string other_name(const TerminalPage& page, const OtherRow& row) {
  return row.zone.empty() ? page.say("other." + row.part)
                          : page.say("other.zone", {{"zone", row.zone}});
}

StepTable step_table(const TerminalPage& page, const StepSummary& steps) {
  StepTable table{.catalogue = page.catalogue,
                  .unit = step_unit(steps.mean_ns),
                  .name_cells = 0,
                  .bar_cells = 0};
  for (const model::Phase phase : model::kPhases) {
    const std::string name = page.say("phase." + std::string(model::to_text(phase)));
    table.name_cells = std::max(table.name_cells, cell_width(name));
  }
  const PhaseRow& other = steps.phases[static_cast<std::size_t>(model::Phase::kOther)];
  if (other.ratio > kRowsOfOtherFrom) {
    constexpr std::size_t kMostNameCells = 24;
    for (const OtherRow& part : steps.other) {
      const std::string name = printable("  " + other_name(page, part));
      table.name_cells = std::max(table.name_cells, std::min(cell_width(name), kMostNameCells));
    }
  }
  const std::size_t columns = page.screen.columns();
  const std::size_t before = table.cells_before_bar();
  const std::size_t room = columns > before ? columns - before : 0;
  table.bar_cells = room < kLeastBarCells ? 0 : std::min(room, kMostBarCells);
  return table;
}

void put_phase(TerminalPage& page, const StepTable& table, const PhaseRow& row, bool with_units) {
  const std::string name = page.say("phase." + std::string(model::to_text(row.phase)));
  if (row.mean_ns == model::kNotMeasured) {
    const std::string reason = not_measured_text(row.reason, page.catalogue);
    page.screen.paragraph(std::string(kMargin, ' ') + pad_right(name, table.name_cells) +
                              pad_left(page.say("table.not_measured"), kValueCells) + "  ",
                          Ink::kPlain, reason.empty() ? "" : "(" + reason + ")", kMargin + 2);
    return;
  }
  page.screen.line(table.row(name, row.mean_ns, row.ratio, with_units), Ink::kPlain,
                   block_bar(row.ratio, table.bar_cells));
}

void put_other(TerminalPage& page, const StepTable& table, const StepSummary& steps,
               bool with_units) {
  const PhaseRow& row = steps.phases[static_cast<std::size_t>(model::Phase::kOther)];
  const bool in_rows = row.ratio > kRowsOfOtherFrom;
  if (in_rows || row.ratio <= kBreakDownOtherFrom || steps.other.empty()) {
    put_phase(page, table, row, with_units);
  } else {
    const std::string name = page.say("phase.other");
    const std::string head = table.row(name, row.mean_ns, row.ratio, with_units) +
                             block_bar(row.ratio, table.bar_cells) + "   ";
    page.screen.flow(head, Ink::kPlain, other_pieces(steps, page.catalogue, table.unit.size_ns),
                     " · ", table.cells_before_bar() + 4);
  }
  if (!in_rows) return;
  for (const OtherRow& part : steps.other) {
    const double ratio = static_cast<double>(part.mean_ns) / static_cast<double>(steps.mean_ns);
    const std::string name = cut_to(printable("  " + other_name(page, part)), table.name_cells);
    page.screen.line(table.row(name, part.mean_ns, ratio, false), Ink::kPlain,
                     block_bar(ratio, table.bar_cells));
  }
}

// Steps marked by hand in a program without torch: six rows of n/a would hide the one that counts.
bool only_other_measured(const StepSummary& steps) {
  return std::ranges::all_of(steps.phases, [](const PhaseRow& row) {
    return row.phase == model::Phase::kOther || row.mean_ns == model::kNotMeasured;
  });
}

void put_unmeasured(TerminalPage& page, const StepSummary& steps) {
  std::vector<std::string> pieces;
  for (const PhaseRow& row : steps.phases) {
    if (row.mean_ns != model::kNotMeasured) continue;
    const std::string reason = not_measured_text(row.reason, page.catalogue);
    std::string piece = page.say("phase." + std::string(model::to_text(row.phase)));
    if (!reason.empty()) piece.append(" (").append(reason).append(")");
    pieces.push_back(std::move(piece));
  }
  const std::string head = "   " + page.say("table.not_measured") + "  ";
  page.screen.flow(head, Ink::kPlain, pieces, " · ", cell_width(head));
}

void zone_rows(TerminalPage& page, const std::vector<analysis::NamedTime>& zones) {
  const std::size_t shown = std::min<std::size_t>(page.options.expanded ? 30 : 8, zones.size());
  std::size_t name_cells = 0;
  for (std::size_t i = 0; i < shown; ++i) {
    name_cells = std::max(name_cells, cell_width(printable(zones[i].name)));
  }
  name_cells = std::min<std::size_t>(name_cells, page.screen.columns() < 60 ? 14 : 28);
  const double wall_ns = static_cast<double>(std::max<std::int64_t>(page.facts.run.wall_ns(), 1));
  const NumberFormat& number = page.catalogue.number();
  for (std::size_t i = 0; i < shown; ++i) {
    const analysis::NamedTime& zone = zones[i];
    const double ratio = static_cast<double>(zone.self_ns) / wall_ns;
    const std::string name = cut_to(printable(zone.name), name_cells);
    std::string rest = pad_right(block_bar(std::min(ratio, 1.0), 10), 11);
    rest += page.say("zones.calls", {{"calls", static_cast<std::int64_t>(zone.calls)}});
    const std::string place = page.catalogue.place(zone.file, zone.line);
    if (!place.empty()) rest += "   " + place;
    page.screen.line(std::string(kMargin, ' ') + pad_right(name, name_cells) +
                         pad_left(number.duration(zone.self_ns), 10) +
                         pad_left(number.percent(ratio), 8) + "  ",
                     Ink::kPlain, rest);
  }
  if (shown == zones.size()) return;
  const auto left = static_cast<std::int64_t>(zones.size() - shown);
  page.screen.line("   " + page.say("trust.more", {{"count", left}}), Ink::kFaint);
}

}  // namespace

void put_steps(TerminalPage& page, const StepSummary& steps) {
  const NumberFormat& number = page.catalogue.number();
  const StepTable table = step_table(page, steps);
  const auto in_unit = [&](std::int64_t ns) {
    return number.compact(static_cast<double>(ns) / table.unit.size_ns);
  };
  const auto ranks = static_cast<std::int64_t>(page.facts.ranks.size());
  const auto count = static_cast<std::int64_t>(steps.count);
  page.heading("section.step",
               {ranks > 1 ? page.say("step.mean_ranks", {{"count", count}, {"ranks", ranks}})
                          : page.say("step.mean", {{"count", count}}),
                page.say("step.percentiles", {{"p50", in_unit(steps.p50_ns)},
                                              {"p95", in_unit(steps.p95_ns)},
                                              {"unit", table.unit.name}})});
  bool with_units = true;
  const bool unmeasured_together = only_other_measured(steps);
  for (const PhaseRow& row : steps.phases) {
    if (unmeasured_together && row.mean_ns == model::kNotMeasured) continue;
    if (row.phase == model::Phase::kOther) {
      put_other(page, table, steps, with_units);
    } else {
      put_phase(page, table, row, with_units);
    }
    if (row.mean_ns != model::kNotMeasured) with_units = false;
  }
  const std::size_t rule = table.cells_before_bar() - kMargin - 2;
  page.screen.line(std::string(kMargin, ' ') + repeated("─", rule), Ink::kFaint);
  page.screen.line(table.row(page.say("table.step"), steps.mean_ns, 1.0, false), Ink::kStrong);
  if (unmeasured_together) put_unmeasured(page, steps);
}

void put_run_parts(TerminalPage& page) {
  const std::vector<std::string> pieces = run_part_pieces(page.facts, page.catalogue);
  const analysis::RankFacts* lead = lead_rank(page.facts);
  // A run that is all "other" has nothing to tell apart.
  if (lead == nullptr || pieces.size() < 2) return;
  const int decimals = lead->parts.sum_ns() < 10'000'000'000 ? 2 : 1;
  const std::string total =
      page.catalogue.number().fixed(static_cast<double>(lead->parts.sum_ns()) / 1e9, decimals) +
      " s";
  std::vector<std::string> heading{total};
  if (page.facts.ranks.size() > 1) {
    heading.push_back(page.say("run.rank", {{"rank", std::int64_t{lead->rank.value_or(0)}}}));
  }
  page.heading("section.run", heading);
  page.screen.flow(std::string(kMargin, ' '), Ink::kPlain, pieces, "   ", kMargin);
}

void put_zones(TerminalPage& page) {
  const analysis::RankFacts* lead = lead_rank(page.facts);
  if (lead == nullptr) return;
  const std::string note = page.say("zones.self", {{"wall_ns", page.facts.run.wall_ns()}});
  if (!lead->zones.empty()) {
    page.heading("section.zones", {note});
    zone_rows(page, lead->zones);
  }
  if (!lead->worker_zones.empty()) {
    page.heading("zones.workers", {note});
    zone_rows(page, lead->worker_zones);
  }
}

void put_processes(TerminalPage& page) {
  std::vector<analysis::ProcessFacts> use = page.facts.process_use;
  std::erase_if(use, [&](const analysis::ProcessFacts& p) {
    return model::index_of(p.process) >= page.facts.processes.size();
  });
  if (use.empty()) return;
  std::ranges::stable_sort(use, std::ranges::greater{}, &analysis::ProcessFacts::cpu_ns);
  const std::size_t shown = std::min<std::size_t>(use.size(), page.options.expanded ? 50 : 5);
  page.heading("section.processes",
               {page.say("processes.count", {{"count", static_cast<std::int64_t>(use.size())}})});
  for (std::size_t i = 0; i < shown; ++i) {
    const model::Process& process = page.facts.processes[model::index_of(use[i].process)];
    page.screen.line(std::string(kMargin, ' ') + pad_right(std::to_string(process.pid), 8) +
                         pad_left(cpu_time_text(use[i], page.catalogue), 10) + " CPU" +
                         pad_left(memory_text(use[i], page.catalogue), 11) + "  ",
                     Ink::kPlain, process.command);
  }
}

void put_resources(TerminalPage& page) {
  const std::vector<std::string> pieces = resource_pieces(page.facts.resources, page.catalogue);
  if (pieces.empty()) return;
  page.heading("section.resources");
  page.screen.flow(std::string(kMargin, ' '), Ink::kPlain, pieces, " · ", kMargin);
}

}  // namespace latido::report
