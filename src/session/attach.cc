#include "session/attach.h"

#include <poll.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <fstream>
#include <iterator>

#include "base/clock.h"
#include "base/unique_fd.h"
#include "session/describe_run.h"
#include "session/recording.h"
#include "session/report_end.h"
#include "session/signal_watch.h"
#include "stacks/python_target.h"
#include "store/home.h"

namespace latido::session {
namespace {

namespace fs = std::filesystem;

constexpr std::int64_t kSecond_ns = 1'000'000'000;
constexpr std::int64_t kTick_ns = 100'000'000;

std::vector<std::string> command_line(pid_t pid) {
  std::ifstream file("/proc/" + std::to_string(pid) + "/cmdline", std::ios::binary);
  const std::string text{std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
  std::vector<std::string> words;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = std::min(text.find('\0', at), text.size());
    words.push_back(text.substr(at, end - at));
    at = end + 1;
  }
  if (words.empty()) words.push_back("process");
  return words;
}

std::string working_folder(pid_t pid) {
  std::error_code error;
  const fs::path folder = fs::read_symlink("/proc/" + std::to_string(pid) + "/cwd", error);
  return error ? std::string() : folder.string();
}

// Until the time is over, the process has ended or a signal came. True: the process has ended.
class AttachedLoop {
 public:
  AttachedLoop(const Settings& settings, const Attachment& attachment, Recording& recording,
               SignalWatch& signals, int ended_fd)
      : period_ns_(
            static_cast<std::int64_t>(static_cast<double>(kSecond_ns) / settings.telemetry_hz)),
        duration_ns_(attachment.duration_ns),
        recording_(recording),
        signals_(signals),
        ended_fd_(ended_fd) {}

  bool run() {
    const std::int64_t start_ns = monotonic_now_ns();
    std::int64_t next_sample_ns = start_ns;
    std::int64_t next_flush_ns = start_ns + kSecond_ns;
    while (true) {
      const std::int64_t now_ns = monotonic_now_ns();
      if (duration_ns_ > 0 && now_ns >= start_ns + duration_ns_) return false;
      recording_.drain();
      if (now_ns >= next_sample_ns) {
        recording_.sample(now_ns);
        next_sample_ns = std::max(next_sample_ns + period_ns_, now_ns);
      }
      if (now_ns >= next_flush_ns) {
        recording_.flush(now_ns);
        next_flush_ns = now_ns + kSecond_ns;
      }
      std::int64_t until_ns = std::min({now_ns + kTick_ns, next_sample_ns, next_flush_ns});
      if (duration_ns_ > 0) until_ns = std::min(until_ns, start_ns + duration_ns_);
      if (const int ready = wait(until_ns - monotonic_now_ns()); ready != 0) return ready > 0;
    }
  }

 private:
  // 1: the process has ended. -1: a signal asks to end.
  int wait(std::int64_t pause_ns) {
    pause_ns = std::max<std::int64_t>(pause_ns, 0);
    std::array<pollfd, 2> events{{{.fd = ended_fd_, .events = POLLIN, .revents = 0},
                                  {.fd = signals_.fd(), .events = POLLIN, .revents = 0}}};
    const timespec timeout{.tv_sec = pause_ns / kSecond_ns, .tv_nsec = pause_ns % kSecond_ns};
    ::ppoll(events.data(), events.size(), &timeout, nullptr);
    if (events[0].revents != 0) return 1;
    while (const auto seen = signals_.next()) {
      if (seen->signal == SIGINT || seen->signal == SIGTERM || seen->signal == SIGHUP) return -1;
    }
    return 0;
  }

  const std::int64_t period_ns_;
  const std::int64_t duration_ns_;
  Recording& recording_;
  SignalWatch& signals_;
  const int ended_fd_;
};

}  // namespace

Status attach(const Settings& settings, const Attachment& attachment, Screen& screen) {
  // What cannot be read is said before anything is recorded.
  if (auto target = stacks::PythonTarget::open(attachment.pid); !target) {
    return std::move(target).error();
  }
  const UniqueFd ended(static_cast<int>(::syscall(SYS_pidfd_open, attachment.pid, 0)));
  if (ended.get() < 0) {
    return Error{ErrorCode::kNotFound, "no process " + std::to_string(attachment.pid)};
  }
  auto home = store::prepare_home({.folder = settings.home, .fallback = settings.home_fallback});
  if (!home) return std::move(home).error();
  Settings used = settings;
  used.home = home.value().folder;
  auto run = describe_run({.arguments = command_line(attachment.pid),
                           .environment = {},
                           .folder = working_folder(attachment.pid),
                           .python_package = {},
                           .latido_version = attachment.latido_version});
  if (!run) return std::move(run).error();
  auto recording = Recording::begin(used, std::move(run).value());
  if (!recording) return std::move(recording).error();
  auto signals = SignalWatch::start();
  if (!signals) return std::move(signals).error();

  Recording& live = *recording.value();
  live.agent().watch(attachment.pid);
  live.note("attached");
  screen.say("latido: watching process " + std::to_string(attachment.pid) + " as " +
             live.run().name + "; Ctrl-C ends the watching, not the process");
  AttachedLoop(used, attachment, live, signals.value(), ended.get()).run();
  model::RunEnd end;
  end.kind = model::EndKind::kDetached;
  report_end(used, screen, live, end);
  return ok();
}

}  // namespace latido::session
