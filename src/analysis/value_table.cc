#include "analysis/value_table.h"

#include <algorithm>
#include <cmath>
#include <tuple>
#include <vector>

namespace latido::analysis {

void ValueTable::Entry::merge(const Entry& other) noexcept {
  // Threads and processes do not come in the order of time.
  if (other.first_ns < first_ns) {
    first_ns = other.first_ns;
    series.first = other.series.first;
  }
  if (other.last_ns >= last_ns) {
    last_ns = other.last_ns;
    series.last = other.series.last;
  }
  series.count += other.series.count;
  series.not_finite += other.series.not_finite;
  // fmin and fmax pass over NaN, which stands for "none so far".
  series.min = std::fmin(series.min, other.series.min);
  series.max = std::fmax(series.max, other.series.max);
}

void ValueTable::merge(std::string_view name, const Entry& entry) {
  const auto it = entries_.find(name);
  if (it != entries_.end()) return it->second.merge(entry);
  if (entries_.size() < kMaxNames) {
    entries_.emplace(name, entry);
  } else {
    beyond_ += entry.series.count;
  }
}

void ValueTable::add(std::string_view name, std::int64_t ts_ns, double value) {
  Entry entry{.series = {}, .first_ns = ts_ns, .last_ns = ts_ns};
  entry.series.count = 1;
  entry.series.first = value;
  entry.series.last = value;
  if (std::isfinite(value)) {
    entry.series.min = value;
    entry.series.max = value;
  } else {
    entry.series.not_finite = 1;
  }
  merge(name, entry);
}

void ValueTable::add(const ValueTable& other) {
  for (const auto& [name, entry] : other.entries_) merge(name, entry);
  beyond_ += other.beyond_;
}

void ValueTable::write_to(RankFacts& rank) const {
  std::vector<std::tuple<std::int64_t, std::string_view, const LoggedSeries*>> order;
  for (const auto& [name, entry] : entries_) {
    order.emplace_back(entry.first_ns, name, &entry.series);
  }
  std::sort(order.begin(), order.end());
  rank.series.clear();
  for (const auto& [first_ns, name, series] : order) {
    rank.series.push_back(*series);
    rank.series.back().name = name;
  }
  rank.series_beyond = beyond_;
}

}  // namespace latido::analysis
