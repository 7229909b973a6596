// From what a person calls a run to its folder.
#pragma once

#include <filesystem>
#include <string>

#include "base/result.h"
#include "session/settings.h"

namespace latido::cli {

// `selector`: ULID, unique start of one, name, "last", "last~N", or a path. Errors: kNotFound saying
// which runs there are, kInvalidInput when it fits several.
Result<std::filesystem::path> find_run(const session::Settings& settings,
                                       const std::string& selector);

}  // namespace latido::cli
