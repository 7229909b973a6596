#include "session/native_names.h"

#include <algorithm>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "symbols/native_name.h"
#include "symbols/resolve.h"

namespace latido::session {
namespace {

// The agent has given it category function; a Python function has a line, and no such name.
std::optional<symbols::NativeName> native_name_of(const model::Site& site) {
  if (site.category != model::Category::kFunction || site.line != 0 ||
      !site.file.starts_with('/')) {
    return std::nullopt;
  }
  return symbols::parse_native_name(site.name);
}

}  // namespace

bool has_native_functions(const model::Tables& tables) {
  return std::ranges::any_of(
      tables.sites, [](const model::Site& site) { return native_name_of(site).has_value(); });
}

FoundNames find_native_names(const model::Tables& tables) {
  std::vector<symbols::NativeFunction> functions;
  FoundNames found;
  for (const model::Site& site : tables.sites) {
    const auto name = native_name_of(site);
    if (!name) continue;
    functions.push_back(
        {.path = site.file, .identity = std::string(name->identity), .address = name->address});
    found.names.push_back({.site = site.name, .module = site.file, .name = {}, .file = {}});
  }
  symbols::Resolution resolution = symbols::resolve_functions(functions);
  for (std::size_t i = 0; i < found.names.size(); ++i) {
    symbols::Symbol& symbol = resolution.symbols[i];
    found.names[i].name = std::move(symbol.name);
    found.names[i].file = std::move(symbol.file);
    found.names[i].line = symbol.line;
  }
  found.problems = std::move(resolution.problems);
  return found;
}

void apply_native_names(std::span<const model::FunctionName> names, model::Tables& tables) {
  std::map<std::pair<std::string_view, std::string_view>, const model::FunctionName*> by_site;
  for (const model::FunctionName& name : names) by_site[{name.site, name.module}] = &name;
  for (model::Site& site : tables.sites) {
    const auto native = native_name_of(site);
    if (!native) continue;
    const auto it = by_site.find({site.name, site.file});
    if (it == by_site.end() || it->second->name.empty()) {
      site.name = std::string(native->shown);
      continue;
    }
    const model::FunctionName& name = *it->second;
    site.name = name.name;
    if (!name.file.empty()) site.file = name.file;
    site.line = name.line;
  }
}

}  // namespace latido::session
