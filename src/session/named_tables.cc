#include "session/named_tables.h"

#include "session/native_names.h"

namespace latido::session {
namespace {

template <typename Value>
void append_new(std::vector<Value>& to, const std::vector<Value>& from) {
  if (from.size() <= to.size()) return;
  to.insert(to.end(), from.begin() + static_cast<std::ptrdiff_t>(to.size()), from.end());
}

}  // namespace

const model::Tables& NamedTables::update(const model::Tables& tables) {
  if (tables.sites.size() > named_.sites.size()) {
    model::Tables added;
    added.sites.assign(tables.sites.begin() + static_cast<std::ptrdiff_t>(named_.sites.size()),
                       tables.sites.end());
    apply_native_names(names_, added);
    for (model::Site& site : added.sites) named_.sites.push_back(std::move(site));
  }
  append_new(named_.texts, tables.texts);
  // These may change in place too; there are few.
  named_.tracks = tables.tracks;
  named_.processes = tables.processes;
  return named_;
}

}  // namespace latido::session
