#include "analysis/layer_table.h"

#include <algorithm>
#include <cmath>

#include "analysis/json_text.h"
#include "analysis/layer_tree.h"
#include "base/utf8.h"

namespace latido::analysis {
namespace {

// What a program can send is bounded: threads that train, passes of a step, notes.
constexpr std::size_t kMaxThreads = 256;
constexpr std::size_t kMaxPasses = 4'096;
constexpr std::size_t kMaxNotes = 16;
constexpr std::size_t kMaxName = 400;

std::uint32_t key_of(model::SiteId site) noexcept { return static_cast<std::uint32_t>(site); }

std::string short_text(const JsonText& json, const std::string& key) {
  return utf8_truncate(json.string(key), kMaxName);
}

std::int64_t count_of(const JsonText& json, const std::string& key) {
  return std::max<std::int64_t>(json.integer(key).value_or(0), 0);
}

}  // namespace

void LayerTable::Sums::add(const Sums& other) noexcept {
  calls += other.calls;
  forward_ns += other.forward_ns;
  forward_self_ns += other.forward_self_ns;
  recomputed_ns += other.recomputed_ns;
  backward_self_ns += other.backward_self_ns;
  forward_flops += other.forward_flops;
  backward_flops += other.backward_flops;
  activation_bytes += other.activation_bytes;
}

void LayerTable::on_sampling(model::TrackId thread, std::uint64_t number, std::int64_t ts_ns) {
  const auto key = static_cast<std::uint32_t>(thread);
  if (number > static_cast<std::uint64_t>(LayerSampling::kCounted)) return;
  const auto kind = static_cast<LayerSampling>(number);
  if (kind == LayerSampling::kNone) {
    if (Sample* const sample = running(thread)) {
      sample->ended = true;
      sample->wall_ns = ts_ns - sample->begin_ns;
    }
    return;
  }
  const auto before = samples_.find(key);
  if (before != samples_.end()) {
    // By now the events of other threads have come, too.
    settle(totals_, before->second, passes_);
    for (const std::uint64_t pass : before->second.passes) passes_.erase(pass);
  } else if (samples_.size() >= kMaxThreads) {
    return;
  }
  Sample fresh;
  fresh.kind = kind;
  fresh.begin_ns = ts_ns;
  samples_[key] = std::move(fresh);
}

LayerTable::Sample* LayerTable::running(model::TrackId thread) {
  const auto it = samples_.find(static_cast<std::uint32_t>(thread));
  return it == samples_.end() || it->second.ended ? nullptr : &it->second;
}

void LayerTable::on_call(model::TrackId thread, const LayerCall& call, bool recomputed) {
  Sample* const sample = running(thread);
  if (sample == nullptr || sample->sums.size() >= kMaxLayers) return;
  Sums& sums = sample->sums[key_of(call.site)];
  if (recomputed) {
    sums.recomputed_ns += call.self_ns;
    return;
  }
  ++sums.calls;
  if (!call.recursive) sums.forward_ns += call.duration_ns;
  sums.forward_self_ns += call.self_ns;
}

LayerTable::Pass* LayerTable::pass_of(std::uint64_t number) {
  const auto it = passes_.find(number);
  if (it != passes_.end()) return &it->second;
  // Marks of passes whose end was dropped stay until then.
  if (passes_.size() >= kMaxPasses) passes_.erase(passes_.begin());
  return &passes_[number];
}

void LayerTable::on_mark(model::TrackId thread, model::SiteId site, std::uint64_t pass,
                         std::int64_t ts_ns) {
  Pass& found = *pass_of(pass);
  if (found.first_mark_ns < 0 || ts_ns < found.first_mark_ns) found.first_mark_ns = ts_ns;
  const auto [last, first] =
      found.last.try_emplace(static_cast<std::uint32_t>(thread), Pass::Last{site, ts_ns});
  if (first || found.times_ns.size() >= kMaxLayers) return;
  found.times_ns[key_of(last->second.site)] +=
      std::max<std::int64_t>(ts_ns - last->second.since_ns, 0);
  last->second = {.site = site, .since_ns = ts_ns};
}

void LayerTable::on_pass(model::TrackId thread, std::uint64_t pass, std::int64_t begin_ns,
                         std::int64_t end_ns) {
  Sample* const sample = running(thread);
  if (sample == nullptr || sample->passes.size() >= kMaxPasses) return;
  Pass& found = *pass_of(pass);
  found.begin_ns = begin_ns;
  found.end_ns = end_ns;
  sample->passes.push_back(pass);
}

void LayerTable::on_skipped(model::TrackId thread) {
  if (Sample* const sample = running(thread)) ++sample->steps;
}

void LayerTable::add_pass(Totals& totals, const Pass& pass) {
  for (const auto& [site, time_ns] : pass.times_ns) totals.layers[site].backward_self_ns += time_ns;
  for (const auto& [thread, last] : pass.last) {
    totals.layers[key_of(last.site)].backward_self_ns +=
        std::max<std::int64_t>(pass.end_ns - last.since_ns, 0);
  }
  const std::int64_t first_ns = pass.first_mark_ns < 0 ? pass.end_ns : pass.first_mark_ns;
  totals.before_ns += std::max<std::int64_t>(first_ns - pass.begin_ns, 0);
}

void LayerTable::settle(Totals& totals, const Sample& sample,
                        const std::map<std::uint64_t, Pass>& passes) {
  if (!sample.ended) return;
  for (const auto& [site, sums] : sample.sums) totals.layers[site].add(sums);
  for (const std::uint64_t number : sample.passes) {
    const auto it = passes.find(number);
    if (it != passes.end()) add_pass(totals, it->second);
  }
  // The step that nobody trained in: after the last one.
  if (sample.sums.empty() && sample.passes.empty()) return;
  if (sample.kind == LayerSampling::kTimed) {
    totals.timed_steps += sample.steps;
    totals.timed_wall_ns += sample.wall_ns;
  } else {
    totals.counted_steps += sample.steps;
  }
}

LayerTable::Totals LayerTable::totals() const {
  Totals all = totals_;
  for (const auto& [thread, sample] : samples_) settle(all, sample, passes_);
  return all;
}

void LayerTable::on_text(model::TrackId thread, model::SiteId site, std::string_view text) {
  const auto json = JsonText::parse(text);
  if (!json) return;
  if (!json->integer("forward_flops")) {
    if (layers_.size() >= kMaxLayers && !layers_.contains(key_of(site))) return;
    Identity& identity = layers_[key_of(site)];
    identity.path = short_text(*json, "path");
    identity.model = short_text(*json, "model");
    identity.kind = short_text(*json, "class");
    identity.place = static_cast<std::uint32_t>(
        std::clamp<std::int64_t>(json->integer("place").value_or(0), 0, 1 << 30));
    identity.parameters = json->integer("parameters").value_or(model::kNotMeasured);
    identity.own_parameters = json->integer("own_parameters").value_or(model::kNotMeasured);
    return;
  }
  Sample* const sample = running(thread);
  if (sample == nullptr || sample->sums.size() >= kMaxLayers) return;
  Sums& sums = sample->sums[key_of(site)];
  sums.forward_flops += count_of(*json, "forward_flops");
  sums.backward_flops += count_of(*json, "backward_flops");
  sums.activation_bytes += count_of(*json, "activation_bytes");
}

void LayerTable::on_note(std::string_view text) {
  if (notes_.size() < kMaxNotes) notes_.insert(utf8_truncate(to_valid_utf8(text), 64));
}

LayerTime LayerTable::time_of(const Identity& identity, const Sums& sums,
                              const Totals& totals) const {
  LayerTime time{.path = identity.path, .model = identity.model, .kind = identity.kind};
  time.place = identity.place;
  time.parameters = identity.parameters;
  time.own_parameters = identity.own_parameters;
  const auto timed = static_cast<std::int64_t>(totals.timed_steps);
  if (timed > 0) {
    time.calls = static_cast<double>(sums.calls) / static_cast<double>(timed);
    time.forward_ns = sums.forward_ns / timed;
    time.forward_self_ns = sums.forward_self_ns / timed;
    time.backward_self_ns = sums.backward_self_ns / timed;
    time.recomputed_ns = sums.recomputed_ns / timed;
  }
  if (const auto counted = static_cast<std::int64_t>(totals.counted_steps); counted > 0) {
    time.forward_self_flops = sums.forward_flops / counted;
    time.backward_self_flops = sums.backward_flops / counted;
    time.activation_self_bytes = sums.activation_bytes / counted;
  }
  return time;
}

LayerFacts LayerTable::facts(const model::Tables& tables) const {
  const Totals all = totals();
  LayerFacts facts;
  facts.timed_steps = all.timed_steps;
  facts.counted_steps = all.counted_steps;
  facts.notes.assign(notes_.begin(), notes_.end());
  if (all.timed_steps > 0) {
    const auto timed = static_cast<std::int64_t>(all.timed_steps);
    facts.backward_before_ns = all.before_ns / timed;
    facts.sampled_mean_ns = all.timed_wall_ns / timed;
  }
  if (all.timed_steps + all.counted_steps == 0) return facts;
  SumsBySite sums = all.layers;
  for (const auto& [site, identity] : layers_) sums.try_emplace(site);
  for (const auto& [site, each] : sums) {
    Identity identity;
    if (const auto it = layers_.find(site); it != layers_.end()) {
      identity = it->second;
    } else if (site < tables.sites.size()) {
      identity.kind = tables.sites[site].name;  // what it says of itself was dropped
    }
    facts.layers.push_back(time_of(identity, each, all));
  }
  add_up_layers(facts.layers);
  return facts;
}

}  // namespace latido::analysis
