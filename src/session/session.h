// session: one recording on one machine. Runs a program, records it, says what held it back.
//
// record() is called once, from the main thread of `latido run`, and returns when the program has
// ended. It owns SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGUSR1, SIGUSR2, SIGPIPE and SIGXFSZ
// while it runs. A failure on our side never ends or changes the program: what could not be recorded is
// said at the end.
#pragma once

#include <string>
#include <vector>

#include "base/result.h"
#include "session/child_process.h"
#include "session/screen.h"
#include "session/settings.h"

namespace latido::session {

struct Command {
  std::vector<std::string> arguments;    // at least one
  std::vector<std::string> environment;  // "NAME=value"
  std::string folder;                    // working directory
  std::string python_package;            // folder of our Python package; empty: no Python hooks
  std::string latido_version;
};

// Errors: kNotFound and kInvalidInput when the program could not be started (the run is recorded as
// such), kUnavailable and kExhausted when not even that was possible.
Result<ExitStatus> record(const Settings& settings, const Command& command, Screen& screen);

// Whether this process runs inside another recording whose agent still listens.
bool outer_run_is_alive(const std::vector<std::string>& environment);

}  // namespace latido::session
