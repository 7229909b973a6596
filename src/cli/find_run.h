// From what a person calls a run to its folder.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "base/result.h"
#include "session/settings.h"

namespace latido::cli {

// Where runs lie: at home, and in the fallback those that could not be recorded there.
std::vector<std::filesystem::path> homes_of(const session::Settings& settings);

// `selector`: ULID, unique start of one, name, "last", "last~N", or a path. Errors: kNotFound saying
// which runs there are, kInvalidInput when it fits several.
Result<std::filesystem::path> find_run(const session::Settings& settings,
                                       const std::string& selector);

}  // namespace latido::cli
