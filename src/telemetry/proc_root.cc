#include "telemetry/proc_root.h"

#include <dirent.h>
#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <memory>

namespace latido::telemetry {
namespace {

// O_NONBLOCK: a recorded tree may hold a FIFO, and waiting for a writer would stop the sampling.
UniqueFd open_for_reading(const std::string& path) noexcept {
  return UniqueFd{::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK)};
}

}  // namespace

Reading FileBuffer::read_all(int fd) {
  std::size_t used = 0;
  // Kernel files are made page by page, so a short read says nothing: only 0 is the end.
  for (;;) {
    if (used == bytes_.size()) {
      if (bytes_.size() >= kMaxBytes) return {{}, EFBIG};
      bytes_.resize(bytes_.size() * 2);
    }
    const ssize_t count =
        ::pread(fd, bytes_.data() + used, bytes_.size() - used, static_cast<off_t>(used));
    if (count == 0) return {{bytes_.data(), used}, 0};
    if (count > 0) {
      used += static_cast<std::size_t>(count);
    } else if (errno != EINTR) {
      return {{}, errno};
    }
  }
}

Reading FileBuffer::read_head(int fd, std::size_t limit_bytes) {
  const std::size_t want = std::min(limit_bytes, bytes_.size());
  ssize_t count = -1;
  do {
    count = ::pread(fd, bytes_.data(), want, 0);
  } while (count < 0 && errno == EINTR);
  if (count < 0) return {{}, errno};
  return {{bytes_.data(), static_cast<std::size_t>(count)}, 0};
}

ProcRoot::ProcRoot(std::string root) : root_(std::move(root)) {
  while (root_.ends_with('/')) root_.pop_back();
}

std::string ProcRoot::path(std::string_view absolute) const {
  std::string full;
  full.reserve(root_.size() + absolute.size());
  return full.append(root_).append(absolute);
}

Reading ProcRoot::read(std::string_view absolute, FileBuffer& buffer) const {
  const UniqueFd fd = open_for_reading(path(absolute));
  if (!fd) return {{}, errno};
  return buffer.read_all(fd.get());
}

Reading ProcRoot::read_head(std::string_view absolute, std::size_t limit_bytes,
                            FileBuffer& buffer) const {
  const UniqueFd fd = open_for_reading(path(absolute));
  if (!fd) return {{}, errno};
  return buffer.read_head(fd.get(), limit_bytes);
}

bool ProcRoot::exists(std::string_view absolute) const noexcept {
  return ::access(path(absolute).c_str(), F_OK) == 0;
}

bool ProcRoot::has_entries(std::string_view absolute) const {
  const std::unique_ptr<DIR, int (*)(DIR*)> folder{::opendir(path(absolute).c_str()), ::closedir};
  if (!folder) return false;
  while (const dirent* const entry = ::readdir(folder.get())) {
    const std::string_view name = entry->d_name;
    if (name != "." && name != "..") return true;
  }
  return false;
}

Reading HeldFile::read(FileBuffer& buffer) {
  if (!fd_) {
    fd_ = open_for_reading(path_);
    if (!fd_) return {{}, errno};
  }
  const Reading reading = buffer.read_all(fd_.get());
  if (!reading.ok()) let_go();
  return reading;
}

}  // namespace latido::telemetry
