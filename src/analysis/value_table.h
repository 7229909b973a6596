// ValueTable: the values that one process recorded under names of its own, summed up by name.
//
// Filled by RunAnalysis with the values that no hook of the recorder made. Names beyond kMaxNames are
// not kept, their values are counted. Not thread-safe.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <string_view>

#include "analysis/run_facts.h"

namespace latido::analysis {

class ValueTable {
 public:
  static constexpr std::size_t kMaxNames = 64;

  void add(std::string_view name, std::int64_t ts_ns, double value);
  void add(const ValueTable& other);

  // Writes `series` and `series_beyond`; in the order in which the names came up.
  void write_to(RankFacts& rank) const;

 private:
  struct Entry {
    LoggedSeries series;  // its name is the key
    std::int64_t first_ns = 0;
    std::int64_t last_ns = 0;

    void merge(const Entry& other) noexcept;
  };

  void merge(std::string_view name, const Entry& entry);

  std::map<std::string, Entry, std::less<>> entries_;
  std::uint64_t beyond_ = 0;
};

}  // namespace latido::analysis
