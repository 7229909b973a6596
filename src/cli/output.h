// Output of commands that show something: to stdout or to a file named by -o.
#pragma once

#include <string>
#include <string_view>

#include "base/result.h"
#include "base/unique_fd.h"
#include "report/terminal.h"
#include "session/settings.h"

namespace latido::cli {

// A page of HTML is for a browser: an error that says so where it would go to the terminal.
Status check_output(const std::string& format, const std::string& path);

// Writes `text` to `path`, "" for stdout. Errors: as the system says, kExhausted on a full disk.
Status write_output(const std::string& text, const std::string& path);

// An output that is written piece by piece.
class Output {
 public:
  // `path` "" is stdout. Errors: as write_output.
  static Result<Output> open(const std::string& path);
  Status write(std::string_view text);

 private:
  explicit Output(UniqueFd file, std::string name)
      : file_(std::move(file)), name_(std::move(name)) {}

  UniqueFd file_;  // none: stdout
  std::string name_;
};

// The form to write: `format` if one was asked for, else by the end of the file's name, else "terminal".
std::string output_format(const std::string& format, const std::string& path);

// How text for a person on stdout, or in the file `path`, is laid out.
report::TerminalOptions stdout_options(const session::Settings& settings, const std::string& path);

}  // namespace latido::cli
