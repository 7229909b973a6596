#include "agent/table_builder.h"

#include "base/redact.h"
#include "base/utf8.h"

namespace latido::agent {

model::SiteId TableBuilder::site(std::string_view name, std::string_view category,
                                 std::string_view file, std::uint32_t line) {
  if (tables_.sites.size() >= kMaxSites) {
    name = "(other sites)";
    file = {};
    line = 0;
  }
  // One that is known by its address only; session looks its name up.
  if (category == "native_function") category = "function";
  const auto [it, added] = sites_.try_emplace(
      std::tuple(std::string(name), std::string(category), std::string(file), line),
      static_cast<model::SiteId>(tables_.sites.size()));
  if (added) {
    tables_.sites.push_back({.name = to_valid_utf8(name),
                             .category = model::category_from_text(category),
                             .file = to_valid_utf8(file),
                             .line = line});
  }
  return it->second;
}

model::TextId TableBuilder::text(std::string_view text) {
  if (tables_.texts.size() >= kMaxTexts) text = "(text dropped: too many)";
  const auto [it, added] =
      texts_.try_emplace(std::string(text), static_cast<model::TextId>(tables_.texts.size()));
  if (added) tables_.texts.push_back(to_valid_utf8(redact_text(text)));
  return it->second;
}

model::TrackId TableBuilder::add_track(model::Track track) {
  tables_.tracks.push_back(std::move(track));
  return static_cast<model::TrackId>(tables_.tracks.size() - 1);
}

void TableBuilder::name_track(model::TrackId track, std::string_view name) {
  tables_.tracks[model::index_of(track)].name = to_valid_utf8(name);
}

model::ProcessId TableBuilder::process(std::int32_t pid, std::uint64_t start_ticks,
                                       std::int32_t parent_pid, std::int64_t start_ns) {
  const auto [it, added] = processes_.try_emplace(
      std::pair(pid, start_ticks), static_cast<model::ProcessId>(tables_.processes.size()));
  if (added) {
    model::Process process;
    process.pid = pid;
    process.parent_pid = parent_pid;
    process.start_ns = start_ns;
    tables_.processes.push_back(std::move(process));
  }
  return it->second;
}

}  // namespace latido::agent
