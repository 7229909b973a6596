// attach: records a program that runs already, from outside: its Python stacks, its processes, the host.
//
// attach() is called once, from the main thread of `latido attach`. Nothing is put into the program, and it
// is neither stopped nor signalled: when we end, it goes on.
#pragma once

#include <sys/types.h>

#include <cstdint>
#include <string>

#include "base/result.h"
#include "session/screen.h"
#include "session/settings.h"

namespace latido::session {

struct Attachment {
  pid_t pid = 0;
  std::int64_t duration_ns = 0;  // 0: until the program or somebody ends it
  std::string latido_version;
};

// Returns when the time is over, the program has ended, or on SIGINT or SIGTERM; the report has been
// shown then. `settings.sample_hz` must be more than 0.
// Errors: kNotFound: no such process. kInvalidInput: it runs no Python. kUnavailable: not permitted (the
// sentence names what is missing), or nothing can be recorded. kUnsupported: a Python that cannot be read.
Status attach(const Settings& settings, const Attachment& attachment, Screen& screen);

}  // namespace latido::session
