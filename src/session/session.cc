#include "session/session.h"

#include <poll.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstring>

#include "analysis/expected_steps.h"
#include "base/clock.h"
#include "base/unique_fd.h"
#include "diagnosis/diagnose.h"
#include "report/live_line.h"
#include "session/describe_run.h"
#include "session/injection.h"
#include "session/python_flags.h"
#include "session/recording.h"
#include "session/report_end.h"
#include "session/signal_policy.h"
#include "session/signal_watch.h"
#include "store/home.h"

namespace latido::session {
namespace {

constexpr std::int64_t kSecond_ns = 1'000'000'000;
// A scheduler that sent SIGTERM kills 30 s later at the latest; the report must stand before.
constexpr std::int64_t kTermDeadline_ns = 20 * kSecond_ns;
// When a drain brought this many records the rings fill fast: look again soon.
constexpr std::uint64_t kBusyRecords = 100'000;
constexpr std::int64_t kBusyPause_ns = 10'000'000;

// The codes for a program that did not start are kept for that.
Error cannot_record(Error error) {
  if (error.code != ErrorCode::kExhausted) error.code = ErrorCode::kUnavailable;
  return std::move(error).with_context("cannot record (--home names another folder)");
}

class Loop {
 public:
  Loop(const Settings& settings, Screen& screen, Recording& recording, ChildProcess& child,
       SignalWatch& signals)
      : settings_(settings),
        screen_(screen),
        recording_(recording),
        child_(child),
        signals_(signals),
        next_sample_ns_(monotonic_now_ns()),
        next_flush_ns_(next_sample_ns_ + kSecond_ns) {}

  // Until the program has ended, or the deadline after a SIGTERM has passed (then: empty).
  std::optional<ExitStatus> run() {
    while (true) {
      if (child_.has_ended()) {
        // What it took since the last look, while /proc still tells.
        recording_.sample(monotonic_now_ns());
        if (auto status = child_.try_wait()) return status;
      }
      const std::int64_t now_ns = monotonic_now_ns();
      if (deadline_ns_ > 0 && now_ns > deadline_ns_) return std::nullopt;
      tick(now_ns);
      wait();
    }
  }

 private:
  void tick(std::int64_t now_ns) {
    const std::uint64_t records = recording_.drain();
    pause_ns_ =
        records > kBusyRecords
            ? kBusyPause_ns
            : static_cast<std::int64_t>(static_cast<double>(kSecond_ns) / settings_.drain_hz);
    if (now_ns >= next_sample_ns_) {
      recording_.sample(now_ns);
      const auto period_ns =
          static_cast<std::int64_t>(static_cast<double>(kSecond_ns) / settings_.telemetry_hz);
      next_sample_ns_ = std::max(next_sample_ns_ + period_ns, now_ns);
    }
    if (now_ns >= next_flush_ns_) {
      recording_.flush(now_ns);
      show_live(now_ns);
      next_flush_ns_ = now_ns + kSecond_ns;
    }
  }

  void show_live(std::int64_t now_ns) {
    const analysis::RunFacts facts = recording_.facts_for_verdict(now_ns);
    const model::Diagnosis diagnosis = diagnosis::diagnose(facts, settings_.thresholds);
    screen_.live(report::render_live_line(
        facts, diagnosis,
        {.columns = screen_.columns(),
         .language = settings_.language,
         .expected_steps = analysis::expected_steps(facts),
         .last_data_ns = recording_.last_data_ns(),
         .steps_needed = static_cast<std::uint64_t>(settings_.thresholds.min_steady_steps)}));
  }

  // Sleeps until something happens: the program ends, a signal, a new ring, the next look.
  void wait() {
    const std::int64_t until_ns =
        std::min({monotonic_now_ns() + pause_ns_, next_sample_ns_, next_flush_ns_});
    const std::int64_t pause_ns = std::max<std::int64_t>(until_ns - monotonic_now_ns(), 0);
    std::array<pollfd, 3> events{
        {{.fd = child_.ended_fd(), .events = POLLIN, .revents = 0},
         {.fd = signals_.fd(), .events = POLLIN, .revents = 0},
         {.fd = recording_.agent().listener_fd(), .events = POLLIN, .revents = 0}}};
    const timespec timeout{.tv_sec = pause_ns / kSecond_ns, .tv_nsec = pause_ns % kSecond_ns};
    ::ppoll(events.data(), events.size(), &timeout, nullptr);
    while (const auto signal = signals_.next()) on_signal(*signal);
  }

  void on_signal(const SeenSignal& seen) {
    const SignalAction action = policy_.on_signal(seen.signal, seen.from_terminal);
    if (action.send != 0) child_.send(action.send);
    if (action.start_deadline && deadline_ns_ == 0) {
      deadline_ns_ = monotonic_now_ns() + kTermDeadline_ns;
    }
  }

  const Settings& settings_;
  Screen& screen_;
  Recording& recording_;
  ChildProcess& child_;
  SignalWatch& signals_;
  SignalPolicy policy_;
  std::int64_t next_sample_ns_;
  std::int64_t next_flush_ns_;
  std::int64_t pause_ns_ = 0;
  std::int64_t deadline_ns_ = 0;  // 0: none
};

model::RunEnd end_of(const std::optional<ExitStatus>& status) {
  model::RunEnd end;
  if (!status) return end;  // still running when we had to leave
  end.kind = status->signal != 0 ? model::EndKind::kSignal : model::EndKind::kExit;
  end.code = status->code;
  end.signal = status->signal;
  return end;
}

}  // namespace

Result<ExitStatus> record(const Settings& settings, const Command& command, Screen& screen) {
  auto home = store::prepare_home({.folder = settings.home, .fallback = settings.home_fallback});
  if (!home) return cannot_record(std::move(home).error());
  Settings used = settings;
  used.home = home.value().folder;
  auto run = describe_run(command);
  if (!run) return std::move(run).error();
  auto recording = Recording::begin(used, std::move(run).value());
  if (!recording) return cannot_record(std::move(recording).error());
  auto signals = SignalWatch::start();
  if (!signals) return std::move(signals).error();

  Recording& live = *recording.value();
  const auto environment =
      inject(command.environment,
             {.socket_path = live.socket_path(),
              .run_id = live.run().id,
              .home = used.home,
              .python_hook_folder = settings.python_hooks && !command.python_package.empty()
                                        ? command.python_package + "/_inject"
                                        : "",
              .functions = std::string(to_text(settings.functions)),
              .include = settings.include,
              .exclude = settings.exclude,
              .layers = settings.layers});
  auto child = ChildProcess::start(command.arguments, environment);
  if (!child) {
    model::RunEnd end;
    end.kind = model::EndKind::kNotStarted;
    live.finish(monotonic_now_ns(), end);
    live.store_diagnosis({.verdict = "no-steps", .headline = {}, .findings = {}});
    return std::move(child).error();
  }
  live.agent().watch(child.value().pid());
  if (keeps_hooks_out(command.arguments)) live.note("python_without_hooks");
  if (!home.value().note.empty()) screen.say("latido: " + home.value().note);
  if (settings.report_at_end)
    screen.say("latido: recording " + live.run().name + " into " + live.folder().path().string());

  const auto status = Loop(used, screen, live, child.value(), signals.value()).run();
  report_end(used, screen, live, end_of(status));
  return status.value_or(ExitStatus{.code = 0, .signal = SIGTERM});
}

bool outer_run_is_alive(const std::vector<std::string>& environment) {
  const std::string path = environment_value(environment, "LATIDO_SOCKET");
  sockaddr_un address{};
  address.sun_family = AF_UNIX;
  if (path.empty() || path.size() >= sizeof(address.sun_path)) return false;
  std::memcpy(address.sun_path, path.c_str(), path.size() + 1);
  const UniqueFd socket(::socket(AF_UNIX, SOCK_SEQPACKET | SOCK_NONBLOCK | SOCK_CLOEXEC, 0));
  return ::connect(socket.get(), reinterpret_cast<sockaddr*>(&address), sizeof(address)) == 0;
}

}  // namespace latido::session
