#include "agent/stack_sampler.h"

#include <pthread.h>
#include <time.h>

#include <algorithm>
#include <csignal>
#include <utility>

#include "base/clock.h"

namespace latido::agent {
namespace {

// A program that was just started may not be Python yet; one that never will be is not asked for ever.
constexpr int kMostTries = 40;
constexpr std::int64_t kBetweenTries_ns = 50'000'000;
// A gap that is longer, as in a suspended machine, says nothing about the stack at its end.
constexpr std::int64_t kLongest_ns = 1'000'000'000;

void sleep_until(std::int64_t at_ns) {
  const timespec at{.tv_sec = at_ns / 1'000'000'000, .tv_nsec = at_ns % 1'000'000'000};
  ::clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &at, nullptr);
}

// -0.5 to 0.5, evenly: a rhythm that the program happens to share would show one moment of it only.
class Jitter {
 public:
  double next() noexcept {
    state_ ^= state_ << 13U;
    state_ ^= state_ >> 7U;
    state_ ^= state_ << 17U;
    return static_cast<double>(state_ >> 11U) * 0x1p-53 - 0.5;
  }

 private:
  std::uint64_t state_ = 0x9E3779B97F4A7C15U;
};

}  // namespace

StackSampler::StackSampler(double hz, double core_ratio)
    : full_interval_ns_(static_cast<std::int64_t>(1e9 / std::clamp(hz, 1.0, 10'000.0))),
      interval_ns_(full_interval_ns_),
      budget_(core_ratio, full_interval_ns_) {
  // Signals are for the thread that waits for them.
  sigset_t all;
  sigset_t before;
  ::sigfillset(&all);
  ::pthread_sigmask(SIG_SETMASK, &all, &before);
  thread_ = std::jthread([this](const std::stop_token& stop) { run(stop); });
  ::pthread_sigmask(SIG_SETMASK, &before, nullptr);
}

StackSampler::~StackSampler() = default;

void StackSampler::watch(std::vector<std::pair<pid_t, model::ProcessId>> processes) {
  const std::scoped_lock lock(mutex_);
  wanted_ = std::move(processes);
}

void StackSampler::set_share(double share) noexcept {
  interval_ns_ = share <= 0 ? 0
                            : static_cast<std::int64_t>(static_cast<double>(full_interval_ns_) /
                                                        std::min(share, 1.0));
}

CallTreeBuilder::Changes StackSampler::take_changes() {
  const std::scoped_lock lock(mutex_);
  return builder_.take_changes();
}

model::CallTree StackSampler::tree() const {
  const std::scoped_lock lock(mutex_);
  return builder_.tree();
}

std::vector<std::string> StackSampler::refusals() const {
  const std::scoped_lock lock(mutex_);
  return refusals_;
}

// 0: pausing.
std::int64_t StackSampler::next_interval_ns() const noexcept {
  const std::int64_t wanted_ns = interval_ns_;
  return wanted_ns == 0 ? 0 : std::max(wanted_ns, budget_.interval_ns());
}

void StackSampler::run(const std::stop_token& stop) {
  Jitter jitter;
  std::int64_t beat_ns = monotonic_now_ns();
  std::int64_t spent_ns = thread_cpu_now_ns();
  while (!stop.stop_requested()) {
    const std::int64_t interval_ns = next_interval_ns();
    if (interval_ns == 0) {
      pause();
      beat_ns = monotonic_now_ns();
      continue;
    }
    const std::int64_t last_beat_ns = beat_ns;
    beat_ns += interval_ns;
    sleep_until(beat_ns +
                static_cast<std::int64_t>(jitter.next() * static_cast<double>(interval_ns) * 0.5));
    const std::int64_t now_ns = monotonic_now_ns();
    const std::scoped_lock lock(mutex_);
    if (now_ns > beat_ns + interval_ns) {
      ++builder_.counts().late;
      beat_ns = now_ns;
    }
    if (now_ns >= next_open_ns_) {
      open_new();
      next_open_ns_ = now_ns + kBetweenTries_ns;
    }
    look_at_all(now_ns);
    // With what waking up takes, which on a virtual machine is as much as a look.
    const std::int64_t before_ns = std::exchange(spent_ns, thread_cpu_now_ns());
    budget_.spend(spent_ns - before_ns, beat_ns - last_beat_ns);
  }
}

void StackSampler::pause() {
  constexpr std::int64_t kNap_ns = 20'000'000;
  {
    const std::scoped_lock lock(mutex_);
    for (auto& [pid, target] : targets_) target->last_ns = 0;
  }
  sleep_until(monotonic_now_ns() + kNap_ns);
}

void StackSampler::open_new() {
  // A pid whose process is another one has become another program.
  std::erase_if(targets_, [this](const auto& entry) {
    return std::ranges::none_of(wanted_, [&](const auto& one) {
      return one == std::pair(entry.first, entry.second->process);
    });
  });
  std::erase_if(tries_, [this](const auto& entry) {
    return std::ranges::none_of(wanted_, [&](const auto& one) { return one == entry.first; });
  });
  for (const auto& [pid, process] : wanted_) {
    int& tries = tries_[{pid, process}];
    if (targets_.contains(pid) || ++tries > kMostTries) continue;
    auto opened = stacks::PythonTarget::open(pid);
    if (opened) {
      targets_.emplace(pid, std::make_unique<Target>(std::move(opened).value(), process));
      continue;
    }
    const Error& error = opened.error();
    if (error.code != ErrorCode::kUnavailable && error.code != ErrorCode::kUnsupported) continue;
    tries = kMostTries;
    if (std::ranges::find(refusals_, error.message) == refusals_.end()) {
      refusals_.push_back(error.message);
    }
  }
}

void StackSampler::look_at_all(std::int64_t now_ns) {
  std::erase_if(targets_, [&](auto& entry) {
    if (look_at(*entry.second, now_ns)) return false;
    tries_[{entry.first, entry.second->process}] = 0;  // it may have become another Python program
    return true;
  });
}

// False when the process has ended.
bool StackSampler::look_at(Target& target, std::int64_t now_ns) {
  if (!target.python.sample(sample_)) return false;
  const std::int64_t passed_ns =
      target.last_ns == 0 ? interval_ns_.load() : std::min(now_ns - target.last_ns, kLongest_ns);
  target.last_ns = now_ns;
  model::SamplingCounts& counts = builder_.counts();
  ++counts.samples;
  if (from_first_step_) ++counts.from_first_step;
  counts.stacks += sample_.threads.size();
  // A thread has a state in each sub-interpreter that it has been in; it is in one of them now.
  std::ranges::stable_sort(sample_.threads, [](const auto& a, const auto& b) {
    return a.tid != b.tid ? a.tid < b.tid : a.holds_gil > b.holds_gil;
  });
  pid_t last_tid = 0;
  for (const stacks::ThreadStack& thread : sample_.threads) {
    if (thread.tid != 0 && thread.tid == std::exchange(last_tid, thread.tid)) continue;
    if (thread.invalid) ++counts.invalid;
    if (thread.truncated) ++counts.truncated;
    if (thread.frame_count == 0) continue;
    std::uint32_t& node = target.last_node[thread.tid];
    if (!thread.unchanged || node == model::CallTree::kRoot) {
      node = builder_.node_of(target.names, sample_.stack_of(thread));
    }
    builder_.add({.process = target.process,
                  .main_thread = thread.tid == target.python.pid(),
                  .from_first_step = from_first_step_,
                  .busy = thread.activity == stacks::Activity::kBusy},
                 node, passed_ns);
  }
  return true;
}

}  // namespace latido::agent
