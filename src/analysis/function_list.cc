#include "analysis/function_list.h"

#include <algorithm>
#include <map>
#include <string_view>
#include <tuple>

namespace latido::analysis {
namespace {

using Key = std::tuple<std::string_view, std::uint32_t, std::string_view>;  // file, line, name

struct Seen {
  std::uint64_t calls = 0;
  bool recorded = false;
  bool elided = false;
};

}  // namespace

std::vector<ListedFunction> list_functions(const model::Tables& tables,
                                           std::span<const FunctionTable* const> functions) {
  std::map<Key, Seen> seen;
  for (std::uint32_t i = 0; i < tables.sites.size(); ++i) {
    const model::Site& site = tables.sites[i];
    const bool excluded = site.category == model::Category::kExcluded;
    if (!excluded && site.category != model::Category::kFunction) continue;
    Seen& entry = seen[Key(site.file, site.line, site.name)];
    if (excluded) continue;
    entry.recorded = true;
    for (const FunctionTable* table : functions) {
      if (table == nullptr) continue;
      entry.calls += table->calls_of(model::SiteId{i});
      entry.elided = entry.elided || table->is_elided(model::SiteId{i});
    }
  }
  std::vector<ListedFunction> list;
  list.reserve(seen.size());
  for (const auto& [key, entry] : seen) {
    ListedFunction function;
    function.state = !entry.recorded ? FunctionState::kExcluded
                     : entry.elided  ? FunctionState::kElided
                                     : FunctionState::kRecorded;
    function.file = std::get<0>(key);
    function.line = std::get<1>(key);
    function.name = std::get<2>(key);
    function.calls = entry.calls;
    list.push_back(std::move(function));
  }
  std::ranges::stable_sort(list, {}, &ListedFunction::state);
  return list;
}

std::uint64_t count_excluded(const model::Tables& tables) noexcept {
  return static_cast<std::uint64_t>(
      std::ranges::count(tables.sites, model::Category::kExcluded, &model::Site::category));
}

}  // namespace latido::analysis
