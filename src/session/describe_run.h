// What a recording says of itself at its start: an id, a name, where and when.
#pragma once

#include "base/result.h"
#include "model/run.h"
#include "session/session.h"

namespace latido::session {

// Its command is redacted. Errors: kUnavailable when the system has no random numbers for the id.
Result<model::Run> describe_run(const Command& command);

}  // namespace latido::session
