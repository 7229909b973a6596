#include "cli/runs_table.h"

#include <algorithm>
#include <array>
#include <cstdio>
#include <ctime>
#include <map>
#include <string_view>
#include <utility>

#include "report/number_format.h"
#include "report/text_layout.h"

namespace latido::cli {
namespace {

constexpr std::size_t kColumns = 6;
using Row = std::array<std::string, kColumns>;

enum class Year { kShown, kLeftOut };

std::string started_text(std::int64_t wall_ns, Year year) {
  const std::time_t seconds = wall_ns / 1'000'000'000;
  std::tm local{};
  ::localtime_r(&seconds, &local);
  std::array<char, 32> buffer{};
  const char* const format = year == Year::kShown ? "%Y-%m-%d %H:%M" : "%m-%d %H:%M";
  return {buffer.data(), std::strftime(buffer.data(), buffer.size(), format, &local)};
}

std::string duration_text(std::int64_t wall_ns) {
  if (wall_ns < 0) return "-:--:--";  // no end was recorded
  const long seconds = static_cast<long>(wall_ns / 1'000'000'000);
  std::array<char, 32> buffer{};
  const int size = std::snprintf(buffer.data(), buffer.size(), "%ld:%02ld:%02ld", seconds / 3600,
                                 seconds / 60 % 60, seconds % 60);
  return {buffer.data(), static_cast<std::size_t>(size)};
}

std::string step_text(std::int64_t mean_step_ns) {
  constexpr std::string_view kNoBreak = "\u00A0";
  if (mean_step_ns <= 0) return "–";
  std::string text = report::NumberFormat(report::Language::kEnglish).duration(mean_step_ns);
  const std::size_t space = text.find(kNoBreak);
  return space == std::string::npos ? text : text.replace(space, kNoBreak.size(), " ");
}

Row row_of(const RunLine& run, Year year) {
  return {report::printable(run.entry.run.name),
          started_text(run.entry.run.started_wall_ns, year),
          duration_text(run.entry.run.wall_ns()),
          end_text(run.entry),
          run.verdict.empty() ? "–" : report::printable(run.verdict),
          step_text(run.mean_step_ns)};
}

std::array<std::size_t, kColumns> widths_of(const std::vector<Row>& rows) {
  std::array<std::size_t, kColumns> widths{};
  for (const Row& row : rows) {
    for (std::size_t i = 0; i < kColumns; ++i) {
      widths[i] = std::max(widths[i], report::cell_width(row[i]));
    }
  }
  return widths;
}

// Cells of the first `shown` columns.
std::size_t total(const std::array<std::size_t, kColumns>& widths, std::size_t shown) {
  std::size_t sum = 1;
  for (std::size_t i = 0; i < shown; ++i) sum += widths[i] + (i > 0 ? 2 : 0);
  return sum;
}

std::string line_of(const Row& row, const std::array<std::size_t, kColumns>& widths,
                    std::size_t shown) {
  constexpr std::array<bool, kColumns> kIsNumber{false, false, true, false, false, true};
  std::string line = " ";
  for (std::size_t i = 0; i < shown; ++i) {
    if (i > 0) line += "  ";
    line +=
        kIsNumber[i] ? report::pad_left(row[i], widths[i]) : report::pad_right(row[i], widths[i]);
  }
  return line;
}

std::vector<Row> rows_of(const std::vector<RunLine>& runs, Year year) {
  std::vector<Row> rows{{"name", "started", "wall", "end", "verdict", "step"}};
  for (const RunLine& run : runs) {
    if (run.entry.state != store::RunState::kBroken) rows.push_back(row_of(run, year));
  }
  return rows;
}

}  // namespace

std::string end_text(const store::RunEntry& entry) {
  switch (entry.state) {
    case store::RunState::kRecording:
      return "recording";
    case store::RunState::kInterrupted:
      return "recorder was killed";
    case store::RunState::kBroken:
      return "broken";
    case store::RunState::kFinished:
      break;
  }
  const model::RunEnd& end = entry.run.end;
  if (end.kind == model::EndKind::kSignal) return "signal " + std::to_string(end.signal);
  if (end.kind == model::EndKind::kNotStarted) return "not started";
  if (end.kind == model::EndKind::kDetached) return "watched";
  if (end.kind == model::EndKind::kRunning) return "left running";
  return "exit " + std::to_string(end.code);
}

std::string command_text(const model::Run& run) {
  std::string text;
  for (const std::string& argument : run.command) text += (text.empty() ? "" : " ") + argument;
  return text;
}

std::string runs_table(const std::vector<RunLine>& runs, std::size_t columns) {
  constexpr std::size_t kLeastCommand = 20;
  std::vector<Row> rows = rows_of(runs, Year::kShown);
  if (total(widths_of(rows), kColumns) > columns) rows = rows_of(runs, Year::kLeftOut);
  const auto widths = widths_of(rows);
  // A column that is cut would say something else.
  std::size_t shown = kColumns;
  while (shown > 1 && total(widths, shown) > columns) --shown;
  const bool with_command = total(widths, kColumns) + 2 + kLeastCommand <= columns;
  const auto put = [&](std::string line, const std::string& command) {
    if (with_command && !command.empty()) line += "  " + command;
    return report::cut_to(report::printable(line), columns) + "\n";
  };
  std::string out = put(line_of(rows.front(), widths, shown), "command");
  std::size_t next = 1;
  for (const RunLine& run : runs) {
    out += run.entry.state == store::RunState::kBroken
               ? put(" " + run.entry.id + "  broken: " + run.entry.problem, "")
               : put(line_of(rows[next++], widths, shown), command_text(run.entry.run));
  }
  return out;
}

std::string elsewhere_text(const std::vector<RunLine>& runs, const std::filesystem::path& home) {
  std::map<std::filesystem::path, std::string> names;
  for (const RunLine& run : runs) {
    const std::filesystem::path folder = run.entry.folder.parent_path().parent_path();
    if (folder == (home / "runs").parent_path()) continue;  // "/x/" is "/x", too
    const std::string& name = run.entry.run.name.empty() ? run.entry.id : run.entry.run.name;
    std::string& all = names[folder];
    all += (all.empty() ? "" : ", ") + name;
  }
  std::string out;
  for (const auto& [folder, all] : names) {
    out += report::printable(" in " + folder.string() + ": " + all) + "\n";
  }
  return out.empty() ? out : "\n" + out;
}

}  // namespace latido::cli
