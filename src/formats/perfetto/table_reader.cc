#include "formats/perfetto/table_reader.h"

#include <string>

#include "model/category.h"

namespace latido::formats::perfetto {
namespace {

// Far above what a run has; together they bound the memory that a hostile file can ask for.
constexpr std::uint64_t kMaxProcesses = 1U << 16U;
constexpr std::uint64_t kMaxTracks = 1U << 17U;
constexpr std::uint64_t kMaxSites = 1U << 20U;
constexpr std::uint64_t kMaxTexts = 1U << 20U;
constexpr std::size_t kMaxStringBytes = 128U << 20U;  // all tables together

template <typename T>
void grow(std::vector<T>& table, std::uint64_t index) {
  if (index >= table.size()) table.resize(index + 1);
}

}  // namespace

bool TableReader::take_budget(std::size_t bytes) noexcept {
  if (bytes > kMaxStringBytes - string_bytes_) return false;
  string_bytes_ += bytes;
  return true;
}

// Entries come again in every segment: only what changed costs budget.
bool TableReader::put_process(const ProcessView& view) {
  if (view.index >= kMaxProcesses) return false;
  grow(tables_.processes, view.index);
  model::Process& slot = tables_.processes[view.index];
  if (slot == view.process) return true;
  if (!take_budget(view.process.command.size())) return false;
  slot = view.process;
  return true;
}

bool TableReader::put_track(const TrackView& view) {
  if (view.index >= kMaxTracks) return false;
  grow(tables_.tracks, view.index);
  model::Track& slot = tables_.tracks[view.index];
  if (slot == view.track) return true;
  if (!take_budget(view.track.name.size())) return false;
  slot = view.track;
  return true;
}

bool TableReader::put_site(const SiteView& view) {
  if (view.index >= kMaxSites) return false;
  grow(tables_.sites, view.index);
  grow(site_defined_, view.index);
  site_defined_[view.index] = true;
  model::Site& slot = tables_.sites[view.index];
  const bool same_text = slot.name == view.name && slot.file == view.file;
  if (!same_text && !take_budget(view.name.size() + view.file.size())) return false;
  slot = {std::string(view.name), model::category_from_text(view.category), std::string(view.file),
          view.line};
  return true;
}

bool TableReader::put_text(std::uint64_t index, std::string_view text) {
  if (index >= kMaxTexts) return false;
  grow(tables_.texts, index);
  std::string& slot = tables_.texts[index];
  if (slot == text) return true;
  if (!take_budget(text.size())) return false;
  slot = text;
  return true;
}

std::optional<model::SiteId> TableReader::site(std::uint64_t name_iid) const noexcept {
  if (name_iid == 0 || name_iid > site_defined_.size() || !site_defined_[name_iid - 1]) {
    return std::nullopt;
  }
  return static_cast<model::SiteId>(name_iid - 1);
}

}  // namespace latido::formats::perfetto
