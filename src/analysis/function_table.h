// FunctionTable: calls and times of each recorded function of one process.
//
// Filled by ThreadAnalysis with calls. Functions beyond kMaxSites are summed up in one entry. Not
// thread-safe.
#pragma once

#include <cstddef>
#include <cstdint>
#include <unordered_map>
#include <vector>

#include "analysis/function_stack.h"
#include "analysis/run_facts.h"
#include "base/duration_sketch.h"
#include "model/timeline.h"

namespace latido::analysis {

class FunctionTable {
 public:
  static constexpr std::size_t kMaxSites = 131'072;

  void add(const FunctionCall& call, bool in_step);
  // From now on its calls are only looked at now and then: they cost next to nothing.
  void set_elided(model::SiteId site);
  void add(const FunctionTable& other);

  bool empty() const noexcept { return times_.empty(); }
  // Added so far, those of other tables included.
  std::uint64_t calls() const noexcept { return calls_; }
  // How many are in the table, and how many of them are elided.
  FunctionCounts counts() const noexcept;
  std::uint64_t calls_of(model::SiteId site) const noexcept;
  bool is_elided(model::SiteId site) const noexcept;

  // The `most` largest by self time; one entry for functions of the same name and place. `steps`: to
  // divide the time in steps by; 0: there are none.
  std::vector<FunctionTime> largest(const model::Tables& tables, std::size_t most,
                                    std::uint64_t steps) const;

 private:
  struct Times {
    std::uint64_t calls = 0;
    std::int64_t total_ns = 0;  // a recursive call counts once
    std::int64_t self_ns = 0;
    std::int64_t self_in_steps_ns = 0;
    bool elided = false;
    DurationSketch durations;

    void add(const Times& other);
  };

  Times& at(model::SiteId site);

  std::unordered_map<std::uint32_t, Times> times_;
  Times beyond_;
  std::uint64_t calls_ = 0;
};

}  // namespace latido::analysis
