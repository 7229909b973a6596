// TimeBins: how much of the time something was going on, and how often, over a run of unknown length
// in fixed memory.
//
// The bins start at kFirstWidthNs and double whenever the run outgrows them, so a bin is at most 1/512
// of the run. Within a bin the busy time counts as spread evenly. Memory grows with the bins in use.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace latido::analysis {

class TimeBins {
 public:
  static constexpr std::size_t kBins = 1024;
  static constexpr std::int64_t kFirstWidthNs = 1'000'000;

  // One stretch; counted in the bin in which it ends. In any order; what begins before the first
  // stretch counts in the first bin.
  void add(std::int64_t begin_ns, std::int64_t end_ns);
  // Gives memory back: at most `most` bins stay. For what has ended.
  void compact(std::size_t most);

  struct Sum {
    double busy_ns = 0;
    double count = 0;
  };
  Sum within(std::int64_t begin_ns, std::int64_t end_ns) const noexcept;

 private:
  struct Bin {
    std::int64_t busy_ns = 0;
    std::uint64_t count = 0;
  };
  void widen();

  std::vector<Bin> bins_;
  std::int64_t origin_ns_ = 0;
  std::int64_t width_ns_ = kFirstWidthNs;
  bool started_ = false;
};

}  // namespace latido::analysis
