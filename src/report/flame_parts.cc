#include "report/flame_parts.h"

#include <algorithm>

#include "base/json_writer.h"
#include "report/flame_script.h"
#include "report/text_layout.h"

namespace latido::report {
namespace {

constexpr std::size_t kMostLetters = 300;  // of a name
constexpr std::int64_t kMicrosecond_ns = 1'000;

// The script fills in what stands between braces.
void write_texts(JsonWriter& json, const Catalogue& catalogue) {
  json.key("texts").begin_object();
  json.key("all").string(catalogue.say("flame.all"));
  json.key("rest").string(catalogue.say("flame.rest"));
  json.key("line").string(catalogue.say("flame.line", {{"line", "{line}"}}));
  json.key("times").string(catalogue.say("flame.times", {{"own", "{own}"},
                                                         {"own_share", "{own_share}"},
                                                         {"total", "{total}"},
                                                         {"total_share", "{total_share}"}}));
  json.key("change").string(catalogue.say(
      "flame.change", {{"before", "{before}"}, {"after", "{after}"}, {"change", "{change}"}}));
  json.key("new").string(catalogue.say("flame.new"));
  json.key("noise").string(catalogue.say("flame.noise"));
  json.key("matches").string(catalogue.say("flame.matches", {{"share", "{share}"}}));
  json.key("none").string(catalogue.say("flame.no_match")).end_object();
}

void write_functions(JsonWriter& json, const FlameTree& drawn, const DrawnFiles& files) {
  json.key("files").begin_array();
  for (const std::string& name : files.names) json.string(name);
  json.end_array().key("functions").begin_array();
  for (const model::CallFrame& function : drawn.functions) {
    const auto it = files.number.find(function.file);
    json.begin_array().string(flame_function_name(function));
    json.integer(it == files.number.end() ? -1 : it->second);
    json.unsigned_integer(function.line).end_array();
  }
  json.end_array();
}

// One number of each node, in microseconds where it is a time.
template <typename Number>
void write_column(JsonWriter& json, std::string_view key, const FlameTree& drawn,
                  const Number& number) {
  json.key(key).begin_array();
  for (const FlameNode& node : drawn.nodes) json.integer(number(node));
  json.end_array();
}

// Columns beside each other, since names of fields for each node would be most of the page. As
// nodes are in the order of levels, how many callees each has tells who called whom.
void write_nodes(JsonWriter& json, const FlameTree& drawn) {
  std::vector<std::uint32_t> callees(drawn.nodes.size(), 0);
  for (std::size_t i = 1; i < drawn.nodes.size(); ++i) ++callees[drawn.nodes[i].parent];
  json.key("children").begin_array();
  for (const std::uint32_t number : callees) json.unsigned_integer(number);
  json.end_array();
  write_column(json, "function", drawn, [&](const FlameNode& node) {
    return node.function < drawn.functions.size() ? std::int64_t{node.function} : -1;
  });
  write_column(json, "line", drawn, [](const FlameNode& node) { return std::int64_t{node.line}; });
  write_column(json, "self", drawn,
               [](const FlameNode& node) { return node.self_ns / kMicrosecond_ns; });
}

void write_changes(JsonWriter& json, const FlameTree& drawn, const DrawnChanges& changes) {
  write_column(json, "before", drawn, [](const FlameNode& node) {
    return node.before_ns < 0 ? -1 : node.before_ns / kMicrosecond_ns;
  });
  json.key("change").begin_array();
  for (const int level : changes.levels) json.integer(level);
  json.end_array().key("per").unsigned_integer(changes.steps);
}

void write_tools(Markup& page, const Catalogue& catalogue, bool busy_only) {
  const std::string search = catalogue.say("flame.search");
  page.open("div", {{"class", "flametools"}});
  page.leaf("input", {{"type", "search"},
                      {"id", "flame-search"},
                      {"placeholder", search},
                      {"aria-label", search},
                      {"autocomplete", "off"},
                      {"spellcheck", "false"}});
  page.element("button", catalogue.say("flame.reset"), {{"type", "button"}, {"id", "flame-reset"}});
  if (busy_only) {
    page.open("label").leaf("input", {{"type", "checkbox"}, {"id", "flame-busy"}});
    page.text(" " + catalogue.say("flame.busy_only")).close();
  }
  page.element("span", "", {{"id", "flame-matches"}, {"class", "faint"}, {"role", "status"}});
  page.close();
}

}  // namespace

std::string flame_function_name(const model::CallFrame& function) {
  if (function.function.empty()) return "?";
  return cut_to(printable(function.function), kMostLetters);
}

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

void write_flame_picture(Markup& page, const Catalogue& catalogue, const FlamePicture& picture) {
  page.open("div", {{"id", "flame"}, {"hidden", "hidden"}});
  write_tools(page, catalogue, picture.busy_only);
  page.open("ul", {{"class", "legend"}});
  for (const LegendEntry& entry : picture.legend) {
    page.open("li").element("span", "", {{"class", "swatch " + entry.css_class}});
    page.text(entry.text).close();
  }
  page.close().open("div", {{"id", "flame-view"}});
  page.element("canvas", "",
               {{"id", "flame-canvas"},
                {"tabindex", "0"},
                {"role", "application"},
                {"aria-label", picture.label},
                {"aria-describedby", "flame-help flame-line"}});
  page.element("div", "", {{"id", "flame-spacer"}}).close();
  page.element("p", "", {{"id", "flame-line"}, {"role", "status"}});
  page.element("p", picture.help, {{"id", "flame-help"}, {"class", "flamehelp faint"}});
  page.close();
}

// JsonWriter lets no '<' through, so that no name can end the element.
void write_flame_data(Markup& page, const Catalogue& catalogue, const FlameTree& drawn,
                      const DrawnFiles& files, const DrawnChanges* changes) {
  JsonWriter json;
  json.begin_object().key("lang").string(to_text(catalogue.language()));
  write_texts(json, catalogue);
  write_functions(json, drawn, files);
  write_nodes(json, drawn);
  if (changes != nullptr) {
    write_changes(json, drawn, *changes);
  } else {
    write_column(json, "idle", drawn,
                 [](const FlameNode& node) { return node.self_idle_ns / kMicrosecond_ns; });
  }
  json.end_object();
  page.raw("<script type=\"application/json\" id=\"flame-data\">").raw(json.text());
  page.raw("</script>\n<script>").raw(kFlameScript).raw("</script>\n");
}

}  // namespace latido::report
