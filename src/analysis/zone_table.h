// ZoneTable: calls and times of each call site of one process.
//
// Filled by ThreadAnalysis with closed spans. Sites beyond kMaxSites are summed up in one entry. Not
// thread-safe.
#pragma once

#include <cstddef>
#include <cstdint>
#include <unordered_map>
#include <vector>

#include "analysis/run_facts.h"
#include "analysis/span_stack.h"
#include "model/timeline.h"

namespace latido::analysis {

struct ZoneTimes {
  std::uint64_t calls = 0;
  std::int64_t total_ns = 0;  // a recursive call counts once
  std::int64_t self_ns = 0;
  std::int64_t self_in_steps_ns = 0;

  void add(const ZoneTimes& other) noexcept {
    calls += other.calls;
    total_ns += other.total_ns;
    self_ns += other.self_ns;
    self_in_steps_ns += other.self_in_steps_ns;
  }
};

class ZoneTable {
 public:
  static constexpr std::size_t kMaxSites = 4096;

  void add(const ClosedSpan& closed, bool in_step);
  // The spans that are still open, as if they ended at `until_ns`.
  void add_open(const SpanStack& stack, std::int64_t until_ns, bool in_step);
  void add(const ZoneTable& other);
  // What was added as outside of steps and turned out to be inside: the time in steps of `other` only.
  void credit_steps(const ZoneTable& other);

  bool empty() const noexcept { return times_.empty(); }
  std::int64_t total_self_ns() const noexcept;

  // The `most` largest by self time. `steps`: to divide the time in steps by; 0: there are none.
  std::vector<NamedTime> largest(const model::Tables& tables, std::size_t most,
                                 std::uint64_t steps) const;

 private:
  ZoneTimes& at(model::SiteId site);

  std::unordered_map<std::uint32_t, ZoneTimes> times_;
  ZoneTimes beyond_;
};

}  // namespace latido::analysis
