#include "store/file_io.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>

namespace latido::store {
namespace {

// Writes all of it; an interrupted or partial write goes on. 0 or an errno value.
int write_all(int fd, std::span<const std::byte> bytes) {
  while (!bytes.empty()) {
    const ssize_t wrote = ::write(fd, bytes.data(), bytes.size());
    if (wrote < 0 && errno == EINTR) continue;
    if (wrote < 0) return errno;
    bytes = bytes.subspan(static_cast<std::size_t>(wrote));
  }
  return 0;
}

// errno_error() knows the codes of a full disk except a limit on the file's size.
Error write_error(int errno_value, const std::string& what) {
  Error error = errno_error(errno_value, what);
  if (errno_value == EFBIG) error.code = ErrorCode::kExhausted;
  return error;
}

}  // namespace

Result<std::vector<std::byte>> read_file(const std::filesystem::path& path,
                                         std::size_t limit_bytes) {
  // Not blocking: opening a pipe would wait for somebody to write into it.
  const UniqueFd fd(::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK));
  struct stat status {};
  if (!fd || ::fstat(fd.get(), &status) != 0) return errno_error(errno, path.string());
  if (!S_ISREG(status.st_mode))
    return Error{ErrorCode::kInvalidInput, path.string() + ": not a file"};
  const auto size = static_cast<std::uint64_t>(status.st_size);
  if (size > limit_bytes) {
    return Error{ErrorCode::kExhausted,
                 path.string() + ": longer than " + std::to_string(limit_bytes) + " bytes"};
  }
  std::vector<std::byte> bytes(size);
  std::size_t got = 0;
  while (got < bytes.size()) {
    const ssize_t count = ::read(fd.get(), &bytes[got], bytes.size() - got);
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) return errno_error(errno, path.string());
    if (count == 0) break;  // became shorter meanwhile
    got += static_cast<std::size_t>(count);
  }
  bytes.resize(got);
  return bytes;
}

Status replace_file(const std::filesystem::path& path, std::string_view content) {
  std::filesystem::path draft = path;
  draft += ".new";
  {
    const UniqueFd fd(::open(draft.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, kFileMode));
    if (!fd) return errno_error(errno, draft.string());
    if (const int failed = write_all(fd.get(), std::as_bytes(std::span(content)))) {
      ::unlink(draft.c_str());
      return write_error(failed, draft.string());
    }
  }
  if (::rename(draft.c_str(), path.c_str()) != 0) return errno_error(errno, path.string());
  return ok();
}

Status make_folders(const std::filesystem::path& path) {
  std::filesystem::path made;
  for (const auto& part : path) {
    made /= part;
    if (::mkdir(made.c_str(), kFolderMode) == 0 || errno == EEXIST) continue;
    const int failed = errno;
    // On a read-only root, mkdir of a folder that is there says EROFS or EACCES.
    std::error_code ignored;
    if (!std::filesystem::is_directory(made, ignored)) return errno_error(failed, made.string());
  }
  std::error_code ignored;
  if (!std::filesystem::is_directory(path, ignored)) return errno_error(ENOTDIR, path.string());
  return ok();
}

Result<AppendFile> AppendFile::create(const std::filesystem::path& path) {
  UniqueFd fd(::open(path.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_APPEND | O_CLOEXEC, kFileMode));
  if (!fd) return errno_error(errno, path.string());
  return AppendFile(std::move(fd), path.string());
}

Status AppendFile::append(std::span<const std::byte> bytes) {
  if (const int failed = write_all(fd_.get(), bytes)) {
    // Half a block would make everything behind it unreadable.
    if (::ftruncate(fd_.get(), static_cast<off_t>(size_bytes_)) != 0) {
      return write_error(errno, name_);
    }
    return write_error(failed, name_);
  }
  size_bytes_ += bytes.size();
  return ok();
}

}  // namespace latido::store
