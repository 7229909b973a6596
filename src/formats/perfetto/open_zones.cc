#include "formats/perfetto/open_zones.h"

namespace latido::formats::perfetto {
namespace {

constexpr std::size_t kMaxDepth = 65'536;  // Python's own limit is 1,000 frames

}  // namespace

void OpenZones::restart() noexcept {
  resumed_ = 0;
  resuming_ = true;
}

bool OpenZones::resume(const model::Event& at, std::int64_t begin_ns, Events& out) {
  const Zone zone{at.site, begin_ns};
  if (resumed_ < open_.size() && open_[resumed_] == zone) {
    ++resumed_;
    return true;
  }
  close_from(resumed_, at, out);
  model::Event event = at;
  event.ts_ns = begin_ns;
  if (!begin(event, out)) return false;
  ++resumed_;
  return true;
}

std::size_t OpenZones::settle(const model::Event& at, Events& out) {
  if (!resuming_) return 0;
  resuming_ = false;
  return close_from(resumed_, at, out);
}

bool OpenZones::begin(const model::Event& event, Events& out) {
  if (open_.size() >= kMaxDepth) return false;
  open_.push_back({event.site, event.ts_ns});
  out.push_back(event);
  return true;
}

bool OpenZones::end(model::Event event, std::optional<model::SiteId> site, Events& out) {
  if (open_.empty() && !site) return false;
  event.site = site ? *site : open_.back().site;
  if (!open_.empty()) open_.pop_back();
  out.push_back(event);
  return true;
}

std::size_t OpenZones::close_from(std::size_t depth, const model::Event& at, Events& out) {
  std::size_t closed = 0;
  while (open_.size() > depth) {
    model::Event event = at;
    event.kind = model::EventKind::kEnd;
    event.site = open_.back().site;
    event.payload = 0;
    event.index = 0;
    out.push_back(event);
    open_.pop_back();
    ++closed;
  }
  return closed;
}

}  // namespace latido::formats::perfetto
