#include "store/sqlite/function_name_store.h"

#include <cstdint>
#include <limits>
#include <string>
#include <string_view>
#include <utility>

namespace latido::store {

Status FunctionNameStore::put(std::span<const model::FunctionName> names) {
  return database_.transaction([&]() -> Status {
    auto insert = database_.prepare("INSERT OR REPLACE INTO function_names VALUES (?, ?, ?, ?, ?)");
    if (!insert.has_value()) return std::move(insert).error();
    for (const model::FunctionName& name : names) {
      insert.value().bind(std::string_view(name.site)).bind(std::string_view(name.module));
      insert.value().bind(std::string_view(name.name)).bind(std::string_view(name.file));
      insert.value().bind(std::int64_t{name.line});
      if (Status done = insert.value().run(); !done.has_value()) return done;
    }
    return ok();
  });
}

Result<std::vector<model::FunctionName>> FunctionNameStore::read() {
  auto query =
      database_.prepare("SELECT site, module, name, file, line FROM function_names ORDER BY 1, 2");
  if (!query.has_value()) return std::move(query).error();
  std::vector<model::FunctionName> names;
  while (true) {
    const auto more = query.value().step();
    if (!more.has_value()) return more.error();
    if (!more.value()) return names;
    const Statement& row = query.value();
    const std::int64_t line = row.integer(4);
    names.push_back({.site = std::string(row.text(0)),
                     .module = std::string(row.text(1)),
                     .name = std::string(row.text(2)),
                     .file = std::string(row.text(3)),
                     .line = line > 0 && line <= std::numeric_limits<std::int32_t>::max()
                                 ? static_cast<std::uint32_t>(line)
                                 : 0});
  }
}

}  // namespace latido::store
