#include "cli/output.h"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <string_view>

#include "base/unique_fd.h"
#include "cli/stderr_screen.h"

namespace latido::cli {
namespace {

Status write_all(int fd, std::string_view text, const std::string& name) {
  while (!text.empty()) {
    const ssize_t written = ::write(fd, text.data(), text.size());
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) return errno_error(errno, "writing " + name);
    text.remove_prefix(static_cast<std::size_t>(written));
  }
  return ok();
}

}  // namespace

std::string output_format(const std::string& format, const std::string& path) {
  if (!format.empty()) return format;
  const std::size_t dot = path.rfind('.');
  std::string extension = dot == std::string::npos ? "" : path.substr(dot + 1);
  if (extension == "html" || extension == "json" || extension == "md") return extension;
  return "terminal";
}

Status check_output(const std::string& format, const std::string& path) {
  if (format != "html" || !path.empty() || ::isatty(STDOUT_FILENO) != 1) return ok();
  return Error{ErrorCode::kInvalidInput,
               "HTML is for a browser, not for a terminal: name a file with -o report.html"};
}

report::TerminalOptions stdout_options(const session::Settings& settings, const std::string& path) {
  constexpr std::size_t kFileColumns = 80;
  const bool to_terminal = path.empty();
  return {.columns = to_terminal ? terminal_columns(STDOUT_FILENO) : kFileColumns,
          .colour = to_terminal && wants_colour(STDOUT_FILENO),
          .language = settings.language,
          .overhead_budget_ratio = settings.overhead_budget_ratio};
}

Result<Output> Output::open(const std::string& path) {
  if (path.empty()) return Output(UniqueFd(), "to stdout");
  UniqueFd file(::open(path.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0644));
  if (!file) return errno_error(errno, "writing " + path);
  return Output(std::move(file), path);
}

Status Output::write(std::string_view text) {
  return write_all(file_ ? file_.get() : STDOUT_FILENO, text, name_);
}

Status write_output(const std::string& text, const std::string& path) {
  auto output = Output::open(path);
  return output ? output.value().write(text) : Status(std::move(output).error());
}

}  // namespace latido::cli
