// TableReader: rebuilds model::Tables from what segments say, within limits.
//
// Part of SegmentReader. False: the entry was refused because it is out of bounds.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "formats/perfetto/packet_view.h"
#include "model/timeline.h"

namespace latido::formats::perfetto {

class TableReader {
 public:
  bool put_process(const ProcessView& view);
  bool put_track(const TrackView& view);
  bool put_site(const SiteView& view);
  bool put_text(std::uint64_t index, std::string_view text);

  // The site of a name's interning id; empty when it was not defined.
  std::optional<model::SiteId> site(std::uint64_t name_iid) const noexcept;

  const model::Tables& tables() const noexcept { return tables_; }

 private:
  bool take_budget(std::size_t bytes) noexcept;

  model::Tables tables_;
  std::vector<bool> site_defined_;
  std::size_t string_bytes_ = 0;
};

}  // namespace latido::formats::perfetto
