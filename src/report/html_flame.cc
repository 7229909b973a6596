#include "report/html_flame.h"

#include <algorithm>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "base/json_writer.h"
#include "report/flame_script.h"
#include "report/flame_tree.h"
#include "report/function_shares.h"
#include "report/html_page.h"
#include "report/text_layout.h"

namespace latido::report {
namespace {

constexpr std::size_t kMostRows = 30;
constexpr std::size_t kOwnColours = 7;     // the last of the eight is for all other files
constexpr std::size_t kMostLetters = 300;  // of a name
constexpr std::int64_t kMicrosecond_ns = 1'000;

// The files of the drawn functions as they are shown, the one with the most own time first.
struct DrawnFiles {
  std::vector<std::string> names;
  std::unordered_map<std::string, std::int64_t> number;  // by the name in the frame
  bool unknown = false;                                  // some functions have none
};

DrawnFiles files_of(const FlameTree& drawn, const Catalogue& catalogue) {
  std::unordered_map<std::string, std::int64_t> self_ns;
  std::vector<std::string> files;
  for (const model::CallFrame& function : drawn.functions) {
    if (!function.file.empty() && self_ns.emplace(function.file, 0).second) {
      files.push_back(function.file);
    }
  }
  for (const FlameNode& node : drawn.nodes) {
    if (node.function >= drawn.functions.size()) continue;
    const auto it = self_ns.find(drawn.functions[node.function].file);
    if (it != self_ns.end()) it->second += node.self_ns;
  }
  std::ranges::stable_sort(files, std::ranges::greater{},
                           [&](const std::string& file) { return self_ns[file]; });
  DrawnFiles result;
  result.unknown = std::ranges::any_of(
      drawn.functions, [](const model::CallFrame& function) { return function.file.empty(); });
  for (const std::string& file : files) {
    result.number.emplace(file, static_cast<std::int64_t>(result.names.size()));
    result.names.push_back(cut_to(printable(catalogue.place(file, 0)), kMostLetters));
  }
  return result;
}

std::string function_name(const model::CallFrame& function) {
  if (function.function.empty()) return "?";
  return cut_to(printable(function.function), kMostLetters);
}

// The script fills in what stands between braces.
void write_texts(JsonWriter& json, const HtmlReport& report) {
  json.key("texts").begin_object();
  json.key("all").string(report.say("flame.all")).key("rest").string(report.say("flame.rest"));
  json.key("line").string(report.say("flame.line", {{"line", "{line}"}}));
  json.key("times").string(report.say("flame.times", {{"own", "{own}"},
                                                      {"own_share", "{own_share}"},
                                                      {"total", "{total}"},
                                                      {"total_share", "{total_share}"}}));
  json.key("matches").string(report.say("flame.matches", {{"share", "{share}"}}));
  json.key("none").string(report.say("flame.no_match")).end_object();
}

void write_functions(JsonWriter& json, const FlameTree& drawn, const DrawnFiles& files) {
  json.key("files").begin_array();
  for (const std::string& name : files.names) json.string(name);
  json.end_array().key("functions").begin_array();
  for (const model::CallFrame& function : drawn.functions) {
    const auto it = files.number.find(function.file);
    json.begin_array().string(function_name(function));
    json.integer(it == files.number.end() ? -1 : it->second);
    json.unsigned_integer(function.line).end_array();
  }
  json.end_array();
}

// Columns beside each other, since names of fields for each node would be most of the page. As
// nodes are in the order of levels, how many callees each has tells who called whom.
void write_nodes(JsonWriter& json, const FlameTree& drawn) {
  std::vector<std::uint32_t> callees(drawn.nodes.size(), 0);
  for (std::size_t i = 1; i < drawn.nodes.size(); ++i) ++callees[drawn.nodes[i].parent];
  json.key("children").begin_array();
  for (const std::uint32_t number : callees) json.unsigned_integer(number);
  json.end_array().key("function").begin_array();
  for (const FlameNode& node : drawn.nodes) {
    json.integer(node.function < drawn.functions.size() ? std::int64_t{node.function} : -1);
  }
  json.end_array().key("line").begin_array();
  for (const FlameNode& node : drawn.nodes) json.unsigned_integer(node.line);
  json.end_array().key("self").begin_array();  // in microseconds
  for (const FlameNode& node : drawn.nodes) json.integer(node.self_ns / kMicrosecond_ns);
  json.end_array();
}

// JsonWriter lets no '<' through, so that no name can end the element.
void write_data(HtmlReport& report, const FlameTree& drawn, const DrawnFiles& files) {
  JsonWriter json;
  json.begin_object().key("lang").string(to_text(report.catalogue.language()));
  write_texts(json, report);
  write_functions(json, drawn, files);
  write_nodes(json, drawn);
  json.end_object();
  report.page.raw("<script type=\"application/json\" id=\"flame-data\">").raw(json.text());
  report.page.raw("</script>\n<script>").raw(kFlameScript).raw("</script>\n");
}

// "torch/nn/modules/module.py" of an installed package: its folder takes the room of the others.
std::string_view without_library_folder(std::string_view file) {
  for (const std::string_view folder : {"/site-packages/", "/dist-packages/"}) {
    const std::size_t at = file.rfind(folder);
    if (at != std::string_view::npos) return file.substr(at + folder.size());
  }
  return file;
}

void write_legend(HtmlReport& report, const DrawnFiles& files) {
  Markup& page = report.page;
  page.open("ul", {{"class", "legend"}});
  const auto entry = [&](std::size_t colour, std::string_view text) {
    page.open("li").element("span", "", {{"class", "swatch f" + std::to_string(colour)}});
    page.text(text).close();
  };
  for (std::size_t i = 0; i < std::min(kOwnColours, files.names.size()); ++i) {
    entry(i, without_library_folder(files.names[i]));
  }
  if (files.names.size() > kOwnColours || files.unknown) {
    entry(kOwnColours, report.say("flame.other_files"));
  }
  page.close();
}

// Hidden until the script runs: without it there is nothing to see or to use.
void write_picture(HtmlReport& report, const DrawnFiles& files) {
  Markup& page = report.page;
  const std::string search = report.say("flame.search");
  page.open("div", {{"id", "flame"}, {"hidden", "hidden"}});
  page.open("div", {{"class", "flametools"}});
  page.leaf("input", {{"type", "search"},
                      {"id", "flame-search"},
                      {"placeholder", search},
                      {"aria-label", search},
                      {"autocomplete", "off"},
                      {"spellcheck", "false"}});
  page.element("button", report.say("flame.reset"), {{"type", "button"}, {"id", "flame-reset"}});
  page.element("span", "", {{"id", "flame-matches"}, {"class", "faint"}, {"role", "status"}});
  page.close();
  write_legend(report, files);
  page.open("div", {{"id", "flame-view"}});
  page.element("canvas", "",
               {{"id", "flame-canvas"},
                {"tabindex", "0"},
                {"role", "application"},
                {"aria-label", report.say("flame.picture")},
                {"aria-describedby", "flame-help flame-line"}});
  page.element("div", "", {{"id", "flame-spacer"}}).close();
  page.element("p", "", {{"id", "flame-line"}, {"role", "status"}});
  page.element("p", report.say("flame.help"), {{"id", "flame-help"}, {"class", "flamehelp faint"}});
  page.close();
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
    page.open("tr").element("th", function_name(function), {{"scope", "row"}});
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
  const FlameTree sum = sum_by_function(tree, CountedTime::kWall);
  const FlameTree drawn = for_drawing(sum);
  const DrawnFiles files = files_of(drawn, report.catalogue);
  open_section(report.page, report.say("section.flame"), note_of(report, sum, tree.counts.samples));
  write_picture(report, files);
  write_table(report, sum);
  write_data(report, drawn, files);
  report.page.close();
}

}  // namespace latido::report
