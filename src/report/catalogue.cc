#include "report/catalogue.h"

#include <array>
#include <map>
#include <span>

#include "report/messages.h"

namespace latido::report {
namespace {

using Index = std::map<std::string_view, std::string_view>;

Index make_index(Language language) {
  Index index;
  for (const CatalogueEntry& entry : catalogue_entries(language))
    index.emplace(entry.id, entry.text);
  return index;
}

// Built once; constant afterwards, so that any thread may read it.
const Index& index_of(Language language) {
  static const std::array<Index, kLanguageCount> kIndexes{make_index(Language::kEnglish),
                                                          make_index(Language::kSpanish),
                                                          make_index(Language::kItalian)};
  return kIndexes[static_cast<std::size_t>(language)];
}

std::optional<std::string_view> find_text(Language language, std::string_view id) {
  const Index& index = index_of(language);
  const auto it = index.find(id);
  if (it == index.end()) return std::nullopt;
  return it->second;
}

std::string_view name_in(std::string_view inside) {
  return inside.substr(0, inside.find_first_of(":|"));
}

bool is_shown(std::string_view name, const model::Params& params) {
  const model::ParamValue* value = params.find(name);
  if (value == nullptr) return false;
  if (const auto* text = std::get_if<std::string>(value)) return !text->empty();
  if (name != "line" && !name.ends_with("_line")) return true;
  const auto* line = std::get_if<std::int64_t>(value);
  return line == nullptr || *line > 0;
}

// Whether every placeholder in `text` has something to show.
bool all_shown(std::string_view text, const model::Params& params) {
  for (std::size_t open = text.find('{'); open != std::string_view::npos;
       open = text.find('{', open + 1)) {
    const std::size_t close = text.find('}', open);
    if (close == std::string_view::npos) return true;
    if (!is_shown(name_in(text.substr(open + 1, close - open - 1)), params)) return false;
  }
  return true;
}

// Position of the '}' that closes the '{' at the start of `text`; npos when none does.
std::size_t closing_brace(std::string_view text) {
  int depth = 0;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '{') ++depth;
    if (text[i] == '}' && --depth == 0) return i;
  }
  return std::string_view::npos;
}

bool is_one(const model::ParamValue& value) {
  if (const auto* whole = std::get_if<std::int64_t>(&value)) return *whole == 1;
  const auto* number = std::get_if<double>(&value);
  return number != nullptr && *number == 1.0;
}

std::int64_t as_ns(const model::ParamValue& value) {
  if (const auto* whole = std::get_if<std::int64_t>(&value)) return *whole;
  const auto* number = std::get_if<double>(&value);
  constexpr double kLimit_ns = 9e18;
  if (number == nullptr || !(*number > -kLimit_ns && *number < kLimit_ns)) return 0;
  return static_cast<std::int64_t>(*number);
}

}  // namespace

std::vector<CatalogueEntry> catalogue_entries(Language language) {
  using Sources = std::array<std::span<const CatalogueEntry>, 4>;
  const std::array<Sources, kLanguageCount> sources{
      Sources{labels_en(), views_en(), layers_en(), findings_en()},
      Sources{labels_es(), views_es(), layers_es(), findings_es()},
      Sources{labels_it(), views_it(), layers_it(), findings_it()}};
  std::vector<CatalogueEntry> all;
  for (const std::span<const CatalogueEntry> source : sources[static_cast<std::size_t>(language)]) {
    all.insert(all.end(), source.begin(), source.end());
  }
  return all;
}

std::string Catalogue::say(const model::Message& message) const {
  if (auto text = try_say(message.id, message.params)) return std::move(*text);
  std::string out = message.id;
  for (const auto& [name, value] : message.params.all) {
    out += " " + name + "=" + number_.parameter(name, value);
  }
  return out;
}

std::string Catalogue::say(std::string_view id, Arguments arguments) const {
  model::Message message{.id = std::string(id), .params = {}};
  message.params.all.assign(arguments.begin(), arguments.end());
  return say(message);
}

std::string_view Catalogue::short_file(std::string_view file) const noexcept {
  const bool inside = !folder_.empty() && file.size() > folder_.size() + 1 &&
                      file.starts_with(folder_) && file[folder_.size()] == '/';
  return inside ? file.substr(folder_.size() + 1) : file;
}

std::string Catalogue::place(std::string_view file, std::int64_t line) const {
  std::string text(short_file(file));
  if (!text.empty() && line > 0) text += ":" + std::to_string(line);
  return text;
}

std::optional<std::string> Catalogue::try_say(std::string_view id,
                                              const model::Params& params) const {
  const auto text = find_text(language_, id);
  if (!text) return std::nullopt;
  return fill(*text, params);
}

std::string Catalogue::fill(std::string_view text, const model::Params& params) const {
  std::string out;
  while (!text.empty()) {
    const std::size_t next = text.find_first_of("{[");
    out += text.substr(0, next);
    if (next == std::string_view::npos) break;
    text.remove_prefix(next);
    if (text.starts_with("[[")) {
      const std::size_t close = text.find("]]");
      if (close == std::string_view::npos) return out + std::string(text);
      const std::string_view inside = text.substr(2, close - 2);
      if (all_shown(inside, params)) out += fill(inside, params);
      text.remove_prefix(close + 2);
    } else if (const std::size_t close = closing_brace(text);
               text.front() == '{' && close != std::string_view::npos) {
      out += placeholder(text.substr(1, close - 1), params);
      text.remove_prefix(close + 1);
    } else {
      out += text.front();
      text.remove_prefix(1);
    }
  }
  return out;
}

std::string Catalogue::placeholder(std::string_view inside, const model::Params& params) const {
  const std::string_view name = name_in(inside);
  const std::string_view rest = inside.substr(name.size());
  const model::ParamValue* value = params.find(name);
  if (value == nullptr) return "?";
  if (rest == ":clock") return number_.clock(as_ns(*value));
  std::string shown = number_.parameter(name, *value);
  if (name == "file") shown = std::string(short_file(shown));
  if (rest.starts_with(":@")) {
    const auto text = find_text(language_, std::string(rest.substr(2)) + shown);
    return text ? std::string(*text) : shown;
  }
  if (rest.starts_with('|')) {
    const std::size_t middle = rest.find('|', 1);
    if (middle == std::string_view::npos) return shown;
    return fill(is_one(*value) ? rest.substr(1, middle - 1) : rest.substr(middle + 1), params);
  }
  return shown;
}

}  // namespace latido::report
