// TableBuilder: gives sites, texts, tracks and processes of all recording processes their run-wide ids.
//
// Called from the agent's thread only. Tables only grow, so whoever holds an id may keep it.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <tuple>
#include <unordered_map>

#include "model/timeline.h"

namespace latido::agent {

class TableBuilder {
 public:
  model::SiteId site(std::string_view name, std::string_view category, std::string_view file,
                     std::uint32_t line);
  model::TextId text(std::string_view text);
  model::TrackId add_track(model::Track track);
  void name_track(model::TrackId track, std::string_view name);

  // The process with this pid that started at this tick; added when new, and then only with the rest.
  model::ProcessId process(std::int32_t pid, std::uint64_t start_ticks, std::int32_t parent_pid,
                           std::int64_t start_ns);
  model::Process& process(model::ProcessId id) { return tables_.processes[model::index_of(id)]; }

  const model::Tables& tables() const noexcept { return tables_; }

 private:
  // A hostile program could send texts without end; beyond this they all become one.
  static constexpr std::size_t kMaxTexts = 100'000;
  static constexpr std::size_t kMaxSites = 1'000'000;

  model::Tables tables_;
  std::map<std::tuple<std::string, std::string, std::string, std::uint32_t>, model::SiteId> sites_;
  std::unordered_map<std::string, model::TextId> texts_;
  std::map<std::pair<std::int32_t, std::uint64_t>, model::ProcessId> processes_;
};

}  // namespace latido::agent
