// TrackSpans: the open spans of one thread, for a format whose spans must nest.
//
// Part of ChromeWriter. Functions and zones are recorded independently of each other: a zone around a
// generator's yield outlives the call that began it. Such a zone is loose: written beside the nest. What
// ends is given as Ended, the innermost first. Not thread-safe; never fails.
#pragma once

#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "model/ids.h"

namespace latido::formats::chrome_json {

struct Ended {
  model::SiteId site{};
  std::int64_t begin_ns = 0;
  std::int64_t end_ns = 0;
  bool loose = false;  // crosses others: not a part of the nest
  bool cut = false;    // its own end is missing
  std::vector<std::pair<model::SiteId, std::uint64_t>> args;  // name and number
};

class TrackSpans {
 public:
  // Deeper spans are left out.
  static constexpr std::size_t kMaxDepth = 65'536;

  void begin(model::SiteId site, bool is_function, std::int64_t ts_ns);
  // Of the innermost open zone; without one it is left out.
  void arg(model::SiteId name, std::uint64_t number);
  // Appends what ends with this. Nothing when its begin is missing.
  void end(model::SiteId site, bool is_function, std::int64_t ts_ns, std::vector<Ended>& out);
  // Everything still open, as if it ended at `ts_ns`.
  void end_all(std::int64_t ts_ns, std::vector<Ended>& out);

 private:
  struct Open {
    bool is_function = false;
    Ended span;
  };

  static void close(Open& open, std::int64_t ts_ns, bool cut, std::vector<Ended>& out);
  void end_function(std::size_t at, std::int64_t ts_ns, std::vector<Ended>& out);
  void end_zone(std::size_t at, std::int64_t ts_ns, std::vector<Ended>& out);
  void end_loose(model::SiteId site, std::int64_t ts_ns, std::vector<Ended>& out);

  std::vector<Open> open_;
  std::vector<Open> loose_;  // zones that outlived a function they began in
  std::size_t too_deep_ = 0;
};

}  // namespace latido::formats::chrome_json
