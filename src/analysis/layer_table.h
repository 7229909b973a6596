// LayerTable: calls, times and counts of each layer of one process, from its sampled steps.
//
// Filled by ProcessAnalysis. A sampled step counts when it has ended: an interrupted one is left out. The
// backward pass is cut by marks: a layer's backward is from its mark to the next one, whatever thread
// runs it. Texts come from the recorded program. Not thread-safe; bounded.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "analysis/layer_facts.h"
#include "analysis/layer_stack.h"
#include "model/timeline.h"

namespace latido::analysis {

// What a sampled step is looked at for: the payload of the recorder's instant.
enum class LayerSampling : std::uint8_t { kNone, kTimed, kCounted };

class LayerTable {
 public:
  static constexpr std::size_t kMaxLayers = 65'536;

  // A step of `thread` begins that is sampled; kNone: it has ended.
  void on_sampling(model::TrackId thread, std::uint64_t number, std::int64_t ts_ns);
  // `recomputed`: inside a backward pass.
  void on_call(model::TrackId thread, const LayerCall& call, bool recomputed);
  // The backward of a layer begins, in pass number `pass`.
  void on_mark(model::TrackId thread, model::SiteId site, std::uint64_t pass, std::int64_t ts_ns);
  // A pass of a sampled step has ended in `thread`, which waited for it.
  void on_pass(model::TrackId thread, std::uint64_t pass, std::int64_t begin_ns,
               std::int64_t end_ns);
  // GradScaler skipped an update: the sampled step is two.
  void on_skipped(model::TrackId thread);
  // What the program says of a layer: who it is, or what was counted.
  void on_text(model::TrackId thread, model::SiteId site, std::string_view text);
  void on_note(std::string_view text);

  bool empty() const noexcept { return layers_.empty() && notes_.empty(); }
  LayerFacts facts(const model::Tables& tables) const;

 private:
  struct Sums {
    std::uint64_t calls = 0;
    std::int64_t forward_ns = 0;
    std::int64_t forward_self_ns = 0;
    std::int64_t recomputed_ns = 0;
    std::int64_t backward_self_ns = 0;
    std::int64_t forward_flops = 0;
    std::int64_t backward_flops = 0;
    std::int64_t activation_bytes = 0;

    void add(const Sums& other) noexcept;
  };
  using SumsBySite = std::unordered_map<std::uint32_t, Sums>;

  struct Identity {
    std::string path;
    std::string model;
    std::string kind;
    std::uint32_t place = 0;
    std::int64_t parameters = model::kNotMeasured;
    std::int64_t own_parameters = model::kNotMeasured;
  };

  // One backward pass. Its marks may come from another thread than its end, and before or after it.
  struct Pass {
    struct Last {
      model::SiteId site{};
      std::int64_t since_ns = 0;
    };
    std::map<std::uint32_t, Last> last;  // by thread
    std::unordered_map<std::uint32_t, std::int64_t> times_ns;
    std::int64_t first_mark_ns = -1;
    std::int64_t begin_ns = -1;
    std::int64_t end_ns = -1;  // -1: under way
  };

  // A sampled step of one thread.
  struct Sample {
    LayerSampling kind = LayerSampling::kNone;
    std::int64_t begin_ns = 0;
    std::int64_t wall_ns = 0;
    std::uint64_t steps = 1;
    SumsBySite sums;
    std::vector<std::uint64_t> passes;
    bool ended = false;
  };

  struct Totals {
    SumsBySite layers;
    std::uint64_t timed_steps = 0;
    std::uint64_t counted_steps = 0;
    std::int64_t before_ns = 0;
    std::int64_t timed_wall_ns = 0;
  };

  static void settle(Totals& totals, const Sample& sample,
                     const std::map<std::uint64_t, Pass>& passes);
  static void add_pass(Totals& totals, const Pass& pass);
  Sample* running(model::TrackId thread);
  Pass* pass_of(std::uint64_t number);
  Totals totals() const;
  LayerTime time_of(const Identity& identity, const Sums& sums, const Totals& totals) const;

  Totals totals_;
  std::map<std::uint32_t, Sample> samples_;  // the last of each thread, not in totals_ yet
  std::map<std::uint64_t, Pass> passes_;     // of those
  std::unordered_map<std::uint32_t, Identity> layers_;
  std::set<std::string> notes_;
};

}  // namespace latido::analysis
