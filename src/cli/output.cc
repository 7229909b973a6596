#include "cli/output.h"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <string_view>

#include "base/unique_fd.h"

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

Status write_output(const std::string& text, const std::string& path) {
  if (path.empty()) return write_all(STDOUT_FILENO, text, "to stdout");
  const UniqueFd file(::open(path.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0644));
  if (!file) return errno_error(errno, "writing " + path);
  return write_all(file.get(), text, path);
}

}  // namespace latido::cli
