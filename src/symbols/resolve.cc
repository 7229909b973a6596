#include "symbols/resolve.h"

#include <fcntl.h>
#include <poll.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <csignal>
#include <ctime>
#include <map>
#include <string_view>
#include <utility>

#include "base/clock.h"
#include "base/unique_fd.h"
#include "symbols/answer.h"

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define LATIDO_UNDER_SANITIZER
#elif defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
#define LATIDO_UNDER_SANITIZER
#endif
#endif

namespace latido::symbols {
namespace {

constexpr std::int64_t kMillisecond_ns = 1'000'000;

void write_all(int fd, std::string_view bytes) {
  while (!bytes.empty()) {
    const ssize_t count = ::write(fd, bytes.data(), bytes.size());
    if (count < 0 && errno == EINTR) continue;
    if (count <= 0) ::_exit(1);
    bytes.remove_prefix(static_cast<std::size_t>(count));
  }
}

// ---- in the child ------------------------------------------------------------------------------

void limit(int resource, std::uint64_t most) {
  rlimit now{};
  if (::getrlimit(static_cast<__rlimit_resource>(resource), &now) != 0) return;
  now.rlim_cur = std::min<rlim_t>(now.rlim_cur, most);
  ::setrlimit(static_cast<__rlimit_resource>(resource), &now);
}

void confine(const ResolveLimits& limits, pid_t parent) {
  ::prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (::getppid() != parent) ::_exit(1);
  for (const int signal : {SIGSEGV, SIGBUS, SIGABRT, SIGFPE, SIGILL, SIGXCPU, SIGPIPE}) {
    ::signal(signal, SIG_DFL);
  }
  limit(RLIMIT_CORE, 0);
  limit(RLIMIT_CPU, static_cast<std::uint64_t>(limits.wall_ns / 1'000'000'000) + 1);
#ifndef LATIDO_UNDER_SANITIZER              // a sanitizer's own memory is beyond any limit
  limit(RLIMIT_DATA, limits.memory_bytes);  // files that are mapped to be read do not count
#endif
}

struct Module {
  std::vector<std::uint64_t> addresses;
  std::vector<std::uint32_t> indexes;
};

// Answers for each module's functions, in the order in which their first one was asked for.
void answer_all(std::span<const NativeFunction> functions, int fd) {
  std::map<std::pair<std::string_view, std::string_view>, std::size_t> known;
  std::vector<std::pair<const NativeFunction*, Module>> modules;
  for (std::uint32_t i = 0; i < functions.size(); ++i) {
    const NativeFunction& function = functions[i];
    const auto [it, is_new] = known.try_emplace({function.path, function.identity}, modules.size());
    if (is_new) modules.push_back({&function, {}});
    modules[it->second].second.addresses.push_back(function.address);
    modules[it->second].second.indexes.push_back(i);
  }
  for (const auto& [first, module] : modules) {
    const auto found = [&, &of = module](std::size_t index, const Symbol& symbol) {
      write_all(fd, encode_answer(AnswerKind::kSymbol, of.indexes[index], symbol));
    };
    const Status status = find_symbols(first->path, first->identity, module.addresses, found);
    if (status) continue;
    Symbol sentence;
    sentence.name = status.error().message;
    write_all(fd, encode_answer(AnswerKind::kProblem, 0, sentence));
  }
  write_all(fd, encode_answer(AnswerKind::kEnd, 0, {}));
}

// ---- in the parent -----------------------------------------------------------------------------

// Whether all was answered in time.
bool read_answers(int fd, std::int64_t until_ns, Resolution& resolution) {
  AnswerReader reader(resolution);
  std::array<std::byte, 65536> bytes;
  while (true) {
    const std::int64_t left_ns = until_ns - monotonic_now_ns();
    if (left_ns <= 0) return false;
    pollfd readable{.fd = fd, .events = POLLIN, .revents = 0};
    const int ready = ::poll(&readable, 1, static_cast<int>(left_ns / kMillisecond_ns) + 1);
    if (ready < 0 && errno != EINTR) return false;
    if (ready <= 0) continue;
    const ssize_t count = ::read(fd, bytes.data(), bytes.size());
    if (count < 0 && errno == EINTR) continue;
    if (count <= 0) return reader.complete();
    if (!reader.feed(std::span(bytes).first(static_cast<std::size_t>(count)))) {
      return reader.complete();
    }
  }
}

// Kills the child if it lives. One that hangs in the kernel is left behind; it dies when that lets go.
void end_child(pid_t child) {
  ::kill(child, SIGKILL);
  for (int tries = 0; tries < 20; ++tries) {
    if (::waitpid(child, nullptr, WNOHANG) != 0) return;
    const timespec pause{.tv_sec = 0, .tv_nsec = kMillisecond_ns};
    ::nanosleep(&pause, nullptr);
  }
}

}  // namespace

Resolution resolve_functions(std::span<const NativeFunction> functions,
                             const ResolveLimits& limits) {
  Resolution resolution;
  resolution.symbols.resize(functions.size());
  if (functions.empty()) return resolution;
  const std::int64_t until_ns = monotonic_now_ns() + limits.wall_ns;
  std::array<int, 2> ends{};
  if (::pipe2(ends.data(), O_CLOEXEC) != 0) {
    resolution.problems.push_back(errno_error(errno, "pipe").message);
    return resolution;
  }
  UniqueFd read_end(ends[0]);
  UniqueFd write_end(ends[1]);
  const pid_t parent = ::getpid();
  const pid_t child = ::fork();
  if (child == 0) {
    confine(limits, parent);
    answer_all(functions, write_end.get());
    ::_exit(0);
  }
  write_end.reset();
  if (child < 0) {
    resolution.problems.push_back(errno_error(errno, "fork").message);
    return resolution;
  }
  if (!read_answers(read_end.get(), until_ns, resolution)) {
    resolution.problems.push_back("not all names of C and C++ functions could be read");
  }
  end_child(child);
  return resolution;
}

}  // namespace latido::symbols
