// FunctionStack: the open functions of one thread; turns their begins and ends into calls.
//
// Beside SpanStack, not part of it: a step's phases and the user's zones must not change because
// functions are recorded too. A generator or coroutine is a call from each resumption to the next
// suspension. Not thread-safe; never fails.
#pragma once

#include <cstddef>
#include <cstdint>
#include <unordered_map>
#include <vector>

#include "model/ids.h"

namespace latido::analysis {

struct FunctionCall {
  model::SiteId site{};
  std::int64_t duration_ns = 0;
  std::int64_t self_ns = 0;  // without the recorded functions that it called
  bool recursive = false;    // the same function is open further out
  bool cut = false;          // its own end was not seen: it was elided, or its end is missing
};

class FunctionStack {
 public:
  // Deeper calls are not looked at: their time is that of the function at this depth.
  static constexpr std::size_t kMaxDepth = 16'384;

  void begin(model::SiteId site, std::int64_t ts_ns);
  // Calls `on_call` for each function that ends here, the innermost first: one, more when ends are
  // missing, none when the begin is.
  template <typename OnCall>
  void end(model::SiteId site, std::int64_t ts_ns, OnCall&& on_call) {
    for (std::size_t left = count_closing(site); left > 0; --left) {
      on_call(close(ts_ns, left > 1));
    }
  }
  // What is open, the innermost first, as if it ended at `until_ns`.
  std::vector<FunctionCall> still_open(std::int64_t until_ns) const;
  // Whether the same function is open.
  bool is_open(model::SiteId site) const noexcept {
    const auto it = open_of_.find(static_cast<std::uint32_t>(site));
    return it != open_of_.end() && it->second > 0;
  }

 private:
  struct Open {
    model::SiteId site{};
    bool recursive = false;
    std::int64_t begin_ns = 0;
    std::int64_t children_ns = 0;
  };

  std::size_t count_closing(model::SiteId site) noexcept;
  FunctionCall close(std::int64_t ts_ns, bool cut);

  std::vector<Open> open_;
  std::unordered_map<std::uint32_t, std::uint32_t> open_of_;  // how many of a site
  std::uint64_t too_deep_ = 0;
};

}  // namespace latido::analysis
