#include "analysis/update_rhythm.h"

#include <algorithm>

#include "analysis/beat.h"

namespace latido::analysis {
namespace {

class Window {
 public:
  explicit Window(const UpdateRhythm& rhythm) noexcept {
    const std::size_t low = rhythm.at > kRhythmLookBack ? rhythm.at - kRhythmLookBack : 0;
    const std::size_t high = std::min(rhythm.optimizers.size(), rhythm.at + kRhythmLookAhead + 1);
    ids_ = rhythm.optimizers.subspan(low, high - low);
    at_ = rhythm.at - low;
    ended_ = rhythm.ended && high == rhythm.optimizers.size();
  }

  bool has_one_optimizer() const noexcept {
    return std::all_of(ids_.begin(), ids_.end(), [this](std::uint32_t id) { return id == own(); });
  }
  std::uint32_t own() const noexcept { return ids_[at_]; }
  std::size_t size() const noexcept { return ids_.size(); }
  std::size_t at() const noexcept { return at_; }
  std::uint32_t id(std::size_t i) const noexcept { return ids_[i]; }

  // Mean distance between two updates of `optimizer`; the whole window if it has one only.
  double period(std::uint32_t optimizer) const noexcept {
    std::size_t first = ids_.size();
    std::size_t last = 0;
    std::size_t count = 0;
    for (std::size_t i = 0; i < ids_.size(); ++i) {
      if (ids_[i] != optimizer) continue;
      first = std::min(first, i);
      last = i;
      ++count;
    }
    if (count < 2) return static_cast<double>(ids_.size());
    return static_cast<double>(last - first) / static_cast<double>(count - 1);
  }

  bool steps_shortly_before(std::uint32_t optimizer) const noexcept {
    return appears(optimizer, at_ > kRarestRhythm ? at_ - kRarestRhythm : 0, at_);
  }
  bool steps_shortly_after(std::uint32_t optimizer) const noexcept {
    return appears(optimizer, at_ + 1, std::min(ids_.size(), at_ + 1 + kRarestRhythm));
  }

  // Whether the optimizer of update `next`, after ours, takes turns with ours.
  bool takes_turns(std::size_t next) const noexcept {
    if (appears(own(), next + 1, ids_.size())) return true;
    return is_near_end(next) && took_turns(ids_[next]);
  }
  // Whether `optimizer` was due to step again soon when the recording ended.
  bool was_due(std::uint32_t optimizer) const noexcept {
    return is_near_end(at_) && steps_shortly_before(optimizer) && took_turns(optimizer);
  }

 private:
  bool appears(std::uint32_t optimizer, std::size_t low, std::size_t high) const noexcept {
    for (std::size_t i = low; i < high; ++i) {
      if (ids_[i] == optimizer) return true;
    }
    return false;
  }
  bool is_near_end(std::size_t i) const noexcept {
    return ended_ && ids_.size() - i <= kRarestRhythm;
  }
  // Ours stepped before `optimizer` did, earlier in the window.
  bool took_turns(std::uint32_t optimizer) const noexcept {
    bool own_seen = false;
    for (std::size_t i = 0; i < at_; ++i) {
      if (ids_[i] == own()) own_seen = true;
      if (ids_[i] == optimizer && own_seen) return true;
    }
    return false;
  }

  std::span<const std::uint32_t> ids_;
  std::size_t at_ = 0;
  bool ended_ = false;
};

// Periods closer than this are the same rhythm, seen through a window that cuts it.
constexpr double kSameRhythm = 1.25;

bool comes_later(std::uint32_t id, std::uint32_t than,
                 std::span<const std::uint32_t> first_seen) noexcept {
  const auto a = std::find(first_seen.begin(), first_seen.end(), id);
  const auto b = std::find(first_seen.begin(), first_seen.end(), than);
  return a > b;
}

// Whether `other`, which takes turns with ours, ends the steps.
bool yields_to(const Window& window, std::uint32_t other,
               std::span<const std::uint32_t> first_seen) noexcept {
  const double own_period = window.period(window.own());
  const double other_period = window.period(other);
  if (other_period > static_cast<double>(kRarestRhythm)) return false;
  if (other_period > kSameRhythm * own_period) return true;
  if (own_period > kSameRhythm * other_period) return false;
  return comes_later(other, window.own(), first_seen);
}

// Whether ours steps so rarely, between the updates of another, that it never ends a step.
bool is_aside(const Window& window, bool first_of_optimizer) noexcept {
  constexpr double kRarest = static_cast<double>(kRarestRhythm);
  if (window.period(window.own()) <= kRarest) return false;
  for (std::size_t i = 0; i < window.size(); ++i) {
    const std::uint32_t other = window.id(i);
    if (other == window.own() || window.period(other) > kRarest) continue;
    const bool before = window.steps_shortly_before(other);
    const bool after = window.steps_shortly_after(other);
    if ((before && after) || (!first_of_optimizer && (before || after))) return true;
  }
  return false;
}

}  // namespace

bool ends_step(const UpdateRhythm& rhythm) noexcept {
  const Window window(rhythm);
  const std::uint32_t own = window.own();
  if (own == kUnknownId || window.has_one_optimizer()) return true;
  if (is_aside(window, rhythm.first_of_optimizer)) return false;
  const std::size_t low = window.at() > kRarestRhythm ? window.at() - kRarestRhythm : 0;
  const std::size_t high = std::min(window.size(), window.at() + kRarestRhythm);
  for (std::size_t i = low; i < high; ++i) {
    const std::uint32_t other = window.id(i);
    if (i == window.at() || other == own || other == kUnknownId) continue;
    const bool together = i > window.at() ? window.takes_turns(i) : window.was_due(other);
    if (together && yields_to(window, other, rhythm.first_seen)) return false;
  }
  return true;
}

}  // namespace latido::analysis
