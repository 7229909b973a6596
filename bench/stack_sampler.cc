// Samples the Python stacks of a process at a rate until its standard input ends, then prints what
// that took. The measured half of bench/stack_sampling.py.
//
//   stack_sampler PID HERTZ
#include <poll.h>
#include <time.h>

#include <cstdint>
#include <cstdio>
#include <cstdlib>

#include "stacks/python_target.h"

namespace {

using namespace latido::stacks;

constexpr std::int64_t kSecond_ns = 1'000'000'000;

std::int64_t now_ns(clockid_t clock) {
  timespec time{};
  ::clock_gettime(clock, &time);
  return time.tv_sec * kSecond_ns + time.tv_nsec;
}

bool input_ended() {
  pollfd input{.fd = 0, .events = POLLIN, .revents = 0};
  return ::poll(&input, 1, 0) > 0;
}

struct Measured {
  std::int64_t cpu_ns = 0;
  std::int64_t wall_ns = 0;
  std::int64_t beats = 0;
};

// Calls `beat` at an even rate until it returns false; a beat that was missed is left out.
template <typename Beat>
Measured keep_time(std::int64_t period_ns, Beat beat) {
  const std::int64_t cpu_before = now_ns(CLOCK_PROCESS_CPUTIME_ID);
  const std::int64_t begin = now_ns(CLOCK_MONOTONIC);
  std::int64_t next = begin;
  std::int64_t beats = 0;
  do {
    next += period_ns;
    if (const std::int64_t now = now_ns(CLOCK_MONOTONIC); next < now) next = now;
    const timespec until{next / kSecond_ns, next % kSecond_ns};
    ::clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &until, nullptr);
  } while (beat(++beats));
  return {now_ns(CLOCK_PROCESS_CPUTIME_ID) - cpu_before, now_ns(CLOCK_MONOTONIC) - begin, beats};
}

}  // namespace

int main(int count, char** words) {
  if (count != 3) return 2;
  const std::int64_t begin = now_ns(CLOCK_MONOTONIC);
  auto target = PythonTarget::open(static_cast<pid_t>(std::strtol(words[1], nullptr, 10)));
  Sample sample;
  bool alive = target.has_value() && target.value().sample(sample).has_value();
  if (!alive) {
    std::fprintf(stderr, "%s\n", target ? "the target ended" : target.error().message.c_str());
    return 1;
  }
  const std::int64_t first_ns = now_ns(CLOCK_MONOTONIC) - begin;
  const std::int64_t hertz = std::strtol(words[2], nullptr, 10);
  // What it takes to wake up so often, without doing anything: a property of the machine.
  const Measured idle =
      keep_time(kSecond_ns / hertz, [](std::int64_t beats) { return beats < 50; });
  std::printf("ready\n");
  std::fflush(stdout);
  const Measured measured = keep_time(kSecond_ns / hertz, [&](std::int64_t beats) {
    alive = target.value().sample(sample).has_value();
    return alive && (beats % 64 != 0 || !input_ended());
  });
  const Counters counters = target.value().counters();
  std::printf(
      "{\"first_sample_ns\": %lld, \"cpu_ns\": %lld, \"wall_ns\": %lld, \"samples\": %llu, "
      "\"invalid_samples\": %llu, \"threads_seen\": %llu, \"idle_beat_ns\": %lld}\n",
      static_cast<long long>(first_ns), static_cast<long long>(measured.cpu_ns),
      static_cast<long long>(measured.wall_ns), static_cast<unsigned long long>(counters.samples),
      static_cast<unsigned long long>(counters.invalid_samples),
      static_cast<unsigned long long>(counters.threads_seen),
      static_cast<long long>(idle.cpu_ns / idle.beats));
  return alive ? 0 : 1;
}
