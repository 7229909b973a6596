#include "formats/chrome_json/track_spans.h"

#include <algorithm>

namespace latido::formats::chrome_json {

void TrackSpans::begin(model::SiteId site, bool is_function, std::int64_t ts_ns) {
  if (open_.size() + loose_.size() >= kMaxDepth) {
    ++too_deep_;
    return;
  }
  Open& open = open_.emplace_back();
  open.is_function = is_function;
  open.span.site = site;
  open.span.begin_ns = ts_ns;
}

void TrackSpans::arg(model::SiteId name, std::uint64_t number) {
  const auto zone = std::find_if(open_.rbegin(), open_.rend(),
                                 [](const Open& open) { return !open.is_function; });
  if (zone != open_.rend()) {
    zone->span.args.emplace_back(name, number);
  } else if (!loose_.empty()) {
    loose_.back().span.args.emplace_back(name, number);
  }
}

void TrackSpans::end(model::SiteId site, bool is_function, std::int64_t ts_ns,
                     std::vector<Ended>& out) {
  if (too_deep_ > 0) {
    --too_deep_;
    return;
  }
  const auto found = std::find_if(open_.rbegin(), open_.rend(), [&](const Open& open) {
    return open.is_function == is_function && open.span.site == site;
  });
  if (found == open_.rend()) {
    if (!is_function) end_loose(site, ts_ns, out);
    return;
  }
  const auto at = static_cast<std::size_t>(open_.rend() - found) - 1;
  if (is_function) {
    end_function(at, ts_ns, out);
  } else {
    end_zone(at, ts_ns, out);
  }
}

void TrackSpans::end_all(std::int64_t ts_ns, std::vector<Ended>& out) {
  for (auto* spans : {&open_, &loose_}) {
    for (; !spans->empty(); spans->pop_back()) close(spans->back(), ts_ns, true, out);
  }
  too_deep_ = 0;
}

void TrackSpans::close(Open& open, std::int64_t ts_ns, bool cut, std::vector<Ended>& out) {
  open.span.end_ns = std::max(ts_ns, open.span.begin_ns);
  open.span.cut = cut;
  out.push_back(std::move(open.span));
}

// Functions inside have lost their own end; zones inside go on without it.
void TrackSpans::end_function(std::size_t at, std::int64_t ts_ns, std::vector<Ended>& out) {
  std::vector<Open> zones;
  for (; open_.size() > at + 1; open_.pop_back()) {
    if (open_.back().is_function) {
      close(open_.back(), ts_ns, true, out);
    } else {
      open_.back().span.loose = true;
      zones.push_back(std::move(open_.back()));
    }
  }
  close(open_.back(), ts_ns, false, out);
  open_.pop_back();
  std::move(zones.rbegin(), zones.rend(), std::back_inserter(loose_));
}

// Zones inside have lost their own end; functions inside outlive it.
void TrackSpans::end_zone(std::size_t at, std::int64_t ts_ns, std::vector<Ended>& out) {
  const auto functions = std::count_if(open_.begin() + static_cast<std::ptrdiff_t>(at), open_.end(),
                                       [](const Open& open) { return open.is_function; });
  for (std::size_t i = open_.size(); i-- > at;) {
    if (open_[i].is_function) continue;
    open_[i].span.loose = functions > 0;
    close(open_[i], ts_ns, i > at, out);
    open_.erase(open_.begin() + static_cast<std::ptrdiff_t>(i));
  }
}

void TrackSpans::end_loose(model::SiteId site, std::int64_t ts_ns, std::vector<Ended>& out) {
  const auto found = std::find_if(loose_.rbegin(), loose_.rend(),
                                  [&](const Open& open) { return open.span.site == site; });
  if (found == loose_.rend()) return;
  close(*found, ts_ns, false, out);
  loose_.erase(std::next(found).base());
}

}  // namespace latido::formats::chrome_json
