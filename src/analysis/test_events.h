// TestEvents: writes the event stream of an imitated training loop, for the tests of this module.
//
//   TestEvents loop;
//   for (int i = 0; i < 80; ++i) loop.wait(1, 2_ms).forward(3_ms).backward(5_ms).step(1, 1_ms);
//
// The clock moves only by what is asked for. Sites are those of the recorder's hooks.
#pragma once

#include <bit>
#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "model/timeline.h"

namespace latido::analysis {

constexpr std::int64_t operator""_ms(unsigned long long ms) {
  return static_cast<std::int64_t>(ms) * 1'000'000;
}
constexpr std::int64_t operator""_us(unsigned long long us) {
  return static_cast<std::int64_t>(us) * 1'000;
}

class TestEvents {
 public:
  static constexpr std::int64_t kStartNs = 1'000'000'000;

  TestEvents() {
    add_process(100, 1);
    on_track(add_track(0));
  }

  // Tables.
  std::size_t add_process(std::int32_t pid, std::int32_t parent_pid) {
    model::Process process;
    process.pid = pid;
    process.parent_pid = parent_pid;
    process.start_ns = now_ns_;
    tables_.processes.push_back(process);
    return tables_.processes.size() - 1;
  }
  model::TrackId add_track(std::size_t process) {
    model::Track track;
    track.process = static_cast<model::ProcessId>(process);
    track.tid = static_cast<std::int32_t>(tables_.tracks.size()) + 1;
    tables_.tracks.push_back(track);
    return static_cast<model::TrackId>(tables_.tracks.size() - 1);
  }
  model::SiteId site(const std::string& name, model::Category category) {
    const auto [it, added] = sites_.try_emplace({name, category}, tables_.sites.size());
    if (added) {
      model::Site site;
      site.name = name;
      site.category = category;
      site.file = "train.py";
      site.line = static_cast<std::uint32_t>(tables_.sites.size()) + 1;
      tables_.sites.push_back(site);
    }
    return static_cast<model::SiteId>(it->second);
  }
  TestEvents& on_track(model::TrackId track) {
    track_ = track;
    return *this;
  }
  TestEvents& at(std::int64_t ts_ns) {
    now_ns_ = ts_ns;
    return *this;
  }

  // Raw events.
  TestEvents& begin(const std::string& name, model::Category category) {
    return push(model::EventKind::kBegin, site(name, category), 0);
  }
  TestEvents& end(const std::string& name, model::Category category) {
    return push(model::EventKind::kEnd, site(name, category), 0);
  }
  TestEvents& arg(const std::string& name, std::uint64_t number) {
    return push(model::EventKind::kArg, site(name, model::Category::kArg), number);
  }
  TestEvents& value(const std::string& name, double number) {
    return push(model::EventKind::kValue, site(name, model::Category::kSeries),
                std::bit_cast<std::uint64_t>(number));
  }
  TestEvents& text(const std::string& name, model::Category category, const std::string& text) {
    tables_.texts.push_back(text);
    return push(model::EventKind::kText, site(name, category), tables_.texts.size() - 1);
  }
  TestEvents& instant(const std::string& name, model::Category category, std::uint64_t number) {
    return push(model::EventKind::kInstant, site(name, category), number);
  }
  TestEvents& pass(std::int64_t ns) {
    now_ns_ += ns;
    return *this;
  }

  // A span of `ns`, with arguments told at its end as the recorder does.
  using Args = std::vector<std::pair<std::string, std::uint64_t>>;
  TestEvents& span(const std::string& name, model::Category category, std::int64_t ns,
                   const Args& args = {}) {
    begin(name, category).pass(ns);
    for (const auto& [key, number] : args) arg(key, number);
    return end(name, category);
  }

  // What a training loop does.
  TestEvents& start_loader(std::uint64_t loader, std::int64_t ns = 1_ms) {
    return span("DataLoader.__iter__", model::Category::kLoaderStart, ns, {{"loader", loader}});
  }
  TestEvents& wait(std::uint64_t loader, std::int64_t ns = 1_ms, const Args& more = {}) {
    Args args{{"loader", loader}, {"samples", 32}};
    args.insert(args.end(), more.begin(), more.end());
    return span("DataLoader.__next__", model::Category::kDataWait, ns, args);
  }
  TestEvents& stop(std::uint64_t loader, std::int64_t ns = 10_us) {
    return span("DataLoader.__next__", model::Category::kDataWait, ns,
                {{"loader", loader}, {"stop", 1}});
  }
  TestEvents& forward(std::int64_t ns = 2_ms) {
    return span("Net.forward", model::Category::kForward, ns);
  }
  TestEvents& no_grad(std::int64_t ns = 2_ms) {
    return span("Net.forward", model::Category::kForwardNoGrad, ns);
  }
  TestEvents& backward(std::int64_t ns = 4_ms) {
    return span("backward", model::Category::kBackward, ns);
  }
  TestEvents& zero_grad(std::int64_t ns = 10_us) {
    return span("zero_grad", model::Category::kZeroGrad, ns);
  }
  TestEvents& begin_step() { return begin("Adam.step", model::Category::kOptimizer); }
  TestEvents& end_step(std::uint64_t optimizer) {
    return arg("optimizer", optimizer).end("Adam.step", model::Category::kOptimizer);
  }
  TestEvents& step(std::uint64_t optimizer = 1, std::int64_t ns = 1_ms) {
    return begin_step().pass(ns).end_step(optimizer);
  }
  TestEvents& scaler(bool skips, std::uint64_t optimizer = 1, std::int64_t ns = 1_ms) {
    begin("GradScaler.step", model::Category::kScalerStep);
    if (skips) {
      pass(ns);
    } else {
      step(optimizer, ns);
    }
    return end("GradScaler.step", model::Category::kScalerStep);
  }
  TestEvents& save(std::int64_t ns) { return span("torch.save", model::Category::kCheckpoint, ns); }
  TestEvents& api_step() {
    return push(model::EventKind::kInstant, site("latido.step", model::Category::kStep), 0);
  }
  TestEvents& train_on(std::uint64_t loader, std::uint64_t optimizer = 1) {
    return wait(loader).zero_grad().forward().backward().step(optimizer);
  }
  // `after` runs at the end of each epoch.
  TestEvents& epochs(int count, int batches, const std::function<void()>& after = {}) {
    for (int epoch = 0; epoch < count; ++epoch) {
      start_loader(1);
      for (int i = 0; i < batches; ++i) train_on(1).pass(100_us);
      stop(1);
      if (after) after();
    }
    return *this;
  }
  TestEvents& evaluate(int batches) {
    start_loader(2);
    for (int i = 0; i < batches; ++i) wait(2).no_grad();
    return stop(2).pass(1_ms);
  }

  std::int64_t now_ns() const { return now_ns_; }
  model::Tables& tables() { return tables_; }
  const model::Tables& tables() const { return tables_; }
  const std::vector<model::Event>& events() const { return events_; }
  void clear_events() { events_.clear(); }

 private:
  TestEvents& push(model::EventKind kind, model::SiteId site, std::uint64_t payload) {
    model::Event event;
    event.ts_ns = now_ns_;
    event.payload = payload;
    event.track = track_;
    event.site = site;
    event.kind = kind;
    events_.push_back(event);
    return *this;
  }

  model::Tables tables_;
  std::map<std::pair<std::string, model::Category>, std::size_t> sites_;
  std::vector<model::Event> events_;
  model::TrackId track_{};
  std::int64_t now_ns_ = kStartNs;
};

}  // namespace latido::analysis
