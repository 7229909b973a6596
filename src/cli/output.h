// Output of commands that show something: to stdout or to a file named by -o.
#pragma once

#include <string>

#include "base/result.h"

namespace latido::cli {

// Writes `text` to `path`, "" for stdout. Errors: as the system says, kExhausted on a full disk.
Status write_output(const std::string& text, const std::string& path);

}  // namespace latido::cli
