// Emits zones at a given rate and says what became of them: for tests and measurements of the whole
// path, `latido run -- zone_load ...`.
//
//   zone_load [--processes N] [--threads N] [--zones N] [--rate N] [--progress FILE] [--die]
//
// --zones      of each process, over all its threads
// --rate       zones a second of each process; 0: as fast as it can
// --progress   a file that holds the number of zones so far, as 8 bytes, at every moment
// --die        afterwards each process kills itself within an open zone named "fatal"
//
// The last line is JSON: emitted, recorded and dropped zones of all processes, and the seconds.
#include <fcntl.h>
#include <latido/latido.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>
#include <thread>
#include <vector>

namespace {

using Clock = std::chrono::steady_clock;

struct Options {
  std::uint64_t processes = 1;
  std::uint64_t threads = 1;
  std::uint64_t zones = 1'000'000;
  std::uint64_t rate = 0;
  std::string progress;
  bool die = false;
};

// In memory that all processes share.
struct Totals {
  std::atomic<std::uint64_t> emitted{0};
  std::atomic<std::uint64_t> recorded{0};
  std::atomic<std::uint64_t> dropped{0};
};

constinit latido_site g_zone{"load", "zone", __FILE__, __LINE__, 0};
constinit latido_site g_fatal{"fatal", "zone", __FILE__, __LINE__, 0};

void must(bool ok, const char* what) {
  if (ok) return;
  std::perror(what);
  std::exit(1);
}

Options parse(int count, char** arguments) {
  Options options;
  for (int i = 1; i < count; ++i) {
    const std::string name = arguments[i];
    if (name == "--die") {
      options.die = true;
      continue;
    }
    must(i + 1 < count, "an option without a value");
    const char* const value = arguments[++i];
    if (name == "--progress") {
      options.progress = value;
      continue;
    }
    const std::uint64_t number = std::strtoull(value, nullptr, 10);
    if (name == "--processes") options.processes = number;
    if (name == "--threads") options.threads = number;
    if (name == "--zones") options.zones = number;
    if (name == "--rate") options.rate = number;
  }
  return options;
}

template <typename T>
T* map_shared(int fd) {
  const int flags = MAP_SHARED | (fd < 0 ? MAP_ANONYMOUS : 0);
  void* const memory = mmap(nullptr, sizeof(T), PROT_READ | PROT_WRITE, flags, fd, 0);
  must(memory != MAP_FAILED, "mmap");
  return static_cast<T*>(memory);
}

std::atomic<std::uint64_t>* open_progress(const std::string& path) {
  if (path.empty()) return nullptr;
  const int fd = open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0600);
  must(fd >= 0 && ftruncate(fd, sizeof(std::uint64_t)) == 0, path.c_str());
  auto* const progress = map_shared<std::atomic<std::uint64_t>>(fd);
  close(fd);
  return progress;
}

// One thread's zones. A rate is kept in portions of a millisecond.
void emit(const Options& options, std::uint64_t zones, std::atomic<std::uint64_t>* progress,
          Totals& totals) {
  const std::uint64_t thread_rate = options.rate / options.threads;
  const std::uint64_t portion = thread_rate == 0 ? zones : thread_rate / 1000 + 1;
  const auto start = Clock::now();
  std::uint64_t recorded = 0;
  for (std::uint64_t done = 0; done < zones;) {
    for (const std::uint64_t end = std::min(done + portion, zones); done < end; ++done) {
      if (latido_begin(&g_zone) == 1) {
        latido_end(&g_zone);
        ++recorded;
      }
      if (progress != nullptr) progress->fetch_add(1, std::memory_order_relaxed);
    }
    if (thread_rate == 0) continue;
    const double due_s = static_cast<double>(done) / static_cast<double>(thread_rate);
    std::this_thread::sleep_until(
        start + std::chrono::duration_cast<Clock::duration>(std::chrono::duration<double>(due_s)));
  }
  totals.emitted += zones;
  totals.recorded += recorded;
}

void run_process(const Options& options, std::atomic<std::uint64_t>* progress, Totals& totals) {
  std::vector<std::thread> threads;
  for (std::uint64_t i = 0; i < options.threads; ++i) {
    const std::uint64_t zones =
        options.zones / options.threads + (i < options.zones % options.threads ? 1 : 0);
    threads.emplace_back([&, zones] { emit(options, zones, progress, totals); });
  }
  for (std::thread& thread : threads) thread.join();
  totals.dropped += latido_dropped();
  if (!options.die) return;
  latido_begin(&g_fatal);
  kill(getpid(), SIGKILL);
}

void print(const Totals& totals, double seconds) {
  std::printf("{\"emitted\": %llu, \"recorded\": %llu, \"dropped\": %llu, \"seconds\": %.3f}\n",
              static_cast<unsigned long long>(totals.emitted.load()),
              static_cast<unsigned long long>(totals.recorded.load()),
              static_cast<unsigned long long>(totals.dropped.load()), seconds);
}

}  // namespace

int main(int count, char** arguments) {
  const Options options = parse(count, arguments);
  Totals& totals = *map_shared<Totals>(-1);
  std::atomic<std::uint64_t>* const progress = open_progress(options.progress);
  // A rate is kept up by a process that runs for long: the agent has taken its ring.
  if (options.rate > 0 && options.processes == 1 && latido_define_site(&g_zone) != 0) {
    std::this_thread::sleep_for(std::chrono::milliseconds(100));
  }
  const auto start = Clock::now();
  if (options.processes == 1) {
    run_process(options, progress, totals);
  } else {
    for (std::uint64_t i = 0; i < options.processes; ++i) {
      const pid_t child = fork();
      must(child >= 0, "fork");
      if (child == 0) {
        run_process(options, progress, totals);
        _exit(0);
      }
    }
    while (wait(nullptr) > 0) continue;
  }
  print(totals, std::chrono::duration<double>(Clock::now() - start).count());
  return 0;
}
