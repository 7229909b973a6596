// OpenZones: what is open on one track while segments are read, across their borders.
//
// Part of SegmentReader. A segment begins the zones again that were open when it started; those
// that are known already give no second event, those whose end was lost are ended here.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "model/timeline.h"

namespace latido::formats::perfetto {

class OpenZones {
 public:
  using Events = std::vector<model::Event>;  // functions append to it

  // A segment starts the track's sequence: zones begun again follow.
  void restart() noexcept;
  // A zone begun again; `begin_ns` is when it truly began. False: too deep.
  bool resume(const model::Event& at, std::int64_t begin_ns, Events& out);
  // To be called before any other event of the track. Returns how many zones had lost their end.
  std::size_t settle(const model::Event& at, Events& out);

  bool begin(const model::Event& event, Events& out);  // false: too deep
  // Ends the innermost zone; `site` is given where it is not that of the begin. False: none is
  // open.
  bool end(model::Event event, std::optional<model::SiteId> site, Events& out);

 private:
  struct Zone {
    model::SiteId site{};
    std::int64_t begin_ns = 0;
    bool operator==(const Zone&) const = default;
  };
  std::size_t close_from(std::size_t depth, const model::Event& at, Events& out);

  std::vector<Zone> open_;
  std::size_t resumed_ = 0;
  bool resuming_ = false;
};

}  // namespace latido::formats::perfetto
