#include "session/describe_run.h"

#include <algorithm>
#include <cctype>

#include "base/clock.h"
#include "base/redact.h"
#include "session/git_commit.h"
#include "session/run_name.h"
#include "store/ulid.h"
#include "telemetry/machine.h"

namespace latido::session {

Result<model::Run> describe_run(const Command& command) {
  auto id = store::new_ulid();
  if (!id) return std::move(id).error();
  model::Run run;
  run.id = id.value();
  std::string last4 = run.id.substr(run.id.size() - 4);
  std::ranges::transform(last4, last4.begin(), [](unsigned char c) { return std::tolower(c); });
  run.name = redact_text(script_name(command.arguments)) + "-" + last4;
  run.command = redact_arguments(command.arguments);
  run.folder = command.folder;
  run.started_wall_ns = wall_now_ns();
  run.start_ns = monotonic_now_ns();
  run.environment = telemetry::read_environment("/");
  run.environment.git_commit = read_git_commit(command.folder);
  run.latido_version = command.latido_version;
  return run;
}

}  // namespace latido::session
