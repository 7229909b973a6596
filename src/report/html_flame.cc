#include "report/html_flame.h"

#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

#include "analysis/start_up_calls.h"
#include "report/flame_parts.h"
#include "report/flame_tree.h"
#include "report/function_shares.h"
#include "report/html_page.h"

namespace latido::report {
namespace {

constexpr std::size_t kMostRows = 30;
constexpr std::size_t kOwnColours = 7;  // the last of the eight is for all other files

// "torch/nn/modules/module.py" of an installed package: its folder takes the room of the others.
std::string_view without_library_folder(std::string_view file) {
  for (const std::string_view folder : {"/site-packages/", "/dist-packages/"}) {
    const std::size_t at = file.rfind(folder);
    if (at != std::string_view::npos) return file.substr(at + folder.size());
  }
  return file;
}

std::vector<LegendEntry> legend_of(const HtmlReport& report, const DrawnFiles& files) {
  std::vector<LegendEntry> legend;
  for (std::size_t i = 0; i < std::min(kOwnColours, files.names.size()); ++i) {
    legend.push_back(
        {"f" + std::to_string(i), std::string(without_library_folder(files.names[i]))});
  }
  if (files.names.size() > kOwnColours || files.unknown) {
    legend.push_back({"f" + std::to_string(kOwnColours), report.say("flame.other_files")});
  }
  return legend;
}

void write_table(HtmlReport& report, const FlameTree& sum) {
  const std::vector<FunctionShare> shares = function_shares(sum, kMostRows);
  const NumberFormat& number = report.catalogue.number();
  const auto ratio = [&](std::int64_t ns) {
    return number.percent(static_cast<double>(ns) / static_cast<double>(sum.total_ns()));
  };
  Markup& page = report.page;
  page.open("details", {{"class", "plain"}});
  page.element("summary",
               report.say("flame.table", {{"count", static_cast<std::int64_t>(shares.size())}}));
  page.open("div", {{"class", "scroll"}}).open("table");
  write_head(page,
             {report.say("table.name"), report.say("table.self"), report.say("table.share"),
              report.say("table.total"), report.say("table.share"), report.say("table.place")});
  for (const FunctionShare& share : shares) {
    const model::CallFrame& function = sum.functions[share.function];
    page.open("tr").element("th", flame_function_name(function), {{"scope", "row"}});
    page.element("td", number.duration(share.self_ns)).element("td", ratio(share.self_ns));
    page.element("td", number.duration(share.total_ns)).element("td", ratio(share.total_ns));
    page.element("td", report.catalogue.place(function.file, function.line)).close();
  }
  page.close().close().close().close();
}

std::string note_of(const HtmlReport& report, const FlameTree& sum, std::uint64_t samples) {
  model::Message note{.id = "flame.note", .params = {}};
  note.params.set("total_ns", sum.total_ns());
  if (samples > 0) note.params.set("samples", static_cast<std::int64_t>(samples));
  return report.catalogue.say(note);
}

}  // namespace

bool has_flame(const model::CallTree& tree) noexcept {
  return std::ranges::any_of(tree.times, [&](const model::CallTime& time) {
    return time.node < tree.nodes.size() && counted_ns(time, CountedTime::kWall) > 0;
  });
}

void html_flame(HtmlReport& report, const model::CallTree& tree) {
  if (!has_flame(tree)) return;
  const FlameTree sum = sum_by_function(
      analysis::with_start_up_apart(tree, report.say("flame.start_up")), CountedTime::kWall);
  const FlameTree drawn = for_drawing(sum);
  const DrawnFiles files = files_of(drawn, report.catalogue);
  open_section(report.page, report.say("section.flame"), note_of(report, sum, tree.counts.samples));
  const std::string label = report.say("flame.picture");
  const std::string help = report.say("flame.help");
  // Where nothing waited the two are the same picture.
  const bool waits = drawn.nodes.front().total_idle_ns > 0;
  write_flame_picture(
      report.page, report.catalogue,
      {.label = label, .help = help, .legend = legend_of(report, files), .busy_only = waits});
  write_table(report, sum);
  write_flame_data(report.page, report.catalogue, drawn, files, nullptr);
  report.page.close();
}

}  // namespace latido::report
