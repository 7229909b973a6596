// Output of commands that show something: to stdout or to a file named by -o.
#pragma once

#include <string>

#include "base/result.h"
#include "report/terminal.h"
#include "session/settings.h"

namespace latido::cli {

// Writes `text` to `path`, "" for stdout. Errors: as the system says, kExhausted on a full disk.
Status write_output(const std::string& text, const std::string& path);

// The form to write: `format` if one was asked for, else by the end of the file's name, else "terminal".
std::string output_format(const std::string& format, const std::string& path);

// How text for a person on stdout, or in the file `path`, is laid out.
report::TerminalOptions stdout_options(const session::Settings& settings, const std::string& path);

}  // namespace latido::cli
