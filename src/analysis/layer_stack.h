// LayerStack: the open calls of layers in one thread; turns their begins and ends into calls.
//
// Beside SpanStack, not part of it: a step's phases must not change because its layers are recorded too.
// What the recorder itself took in between is nobody's time. Not thread-safe; never fails.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "model/ids.h"

namespace latido::analysis {

struct LayerCall {
  model::SiteId site{};
  std::int64_t duration_ns = 0;
  std::int64_t self_ns = 0;  // without the layers that it called
  bool recursive = false;    // the same layer is open further out
  bool cut = false;          // its own end was not seen
};

class LayerStack {
 public:
  // Deeper calls are not looked at: their time is that of the layer at this depth.
  static constexpr std::size_t kMaxDepth = 1'024;

  void begin(model::SiteId site, std::int64_t ts_ns);
  // Calls `on_call` for each layer that ends here, the innermost first: one, more when ends are missing,
  // none when the begin is.
  template <typename OnCall>
  void end(model::SiteId site, std::int64_t ts_ns, OnCall&& on_call) {
    for (std::size_t left = count_closing(site); left > 0; --left) on_call(close(ts_ns, left > 1));
  }
  // The recorder was at work.
  void begin_cost(std::int64_t ts_ns) noexcept { cost_begin_ns_ = ts_ns; }
  void end_cost(std::int64_t ts_ns) noexcept;
  // A sampled step begins or ends: nothing of another is open.
  void clear() noexcept {
    open_.clear();
    too_deep_ = 0;
    cost_begin_ns_ = kNone;
  }

 private:
  static constexpr std::int64_t kNone = -1;

  struct Open {
    model::SiteId site{};
    std::int64_t begin_ns = 0;
    std::int64_t cost_before_ns = 0;
    std::int64_t children_ns = 0;
  };

  std::size_t count_closing(model::SiteId site) noexcept;
  LayerCall close(std::int64_t ts_ns, bool cut);

  std::vector<Open> open_;
  std::uint64_t too_deep_ = 0;
  std::int64_t cost_ns_ = 0;  // of the recorder, so far
  std::int64_t cost_begin_ns_ = kNone;
};

}  // namespace latido::analysis
