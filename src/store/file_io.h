// Files of a run folder: whole reads with a limit, atomic replacement, and appending that never
// leaves half a block behind.
//
// Blocking; called by the recording thread and by commands. Errors are values: kExhausted when the
// disk or a quota is full, else as the system call says.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "base/unique_fd.h"

namespace latido::store {

// Files and folders that we make: for their owner only.
inline constexpr unsigned kFileMode = 0600;
inline constexpr unsigned kFolderMode = 0700;

// kExhausted when the file is longer than `limit_bytes`.
Result<std::vector<std::byte>> read_file(const std::filesystem::path& path,
                                         std::size_t limit_bytes);

// After it, `path` holds `content`; if it fails, what it held before.
Status replace_file(const std::filesystem::path& path, std::string_view content);

// Makes `path` and what is missing above it. Fine when it is there already.
Status make_folders(const std::filesystem::path& path);

class AppendFile {
 public:
  // The file must not exist.
  static Result<AppendFile> create(const std::filesystem::path& path);

  // All of `bytes` or, if it fails, nothing.
  Status append(std::span<const std::byte> bytes);

  std::uint64_t size_bytes() const noexcept { return size_bytes_; }

 private:
  AppendFile(UniqueFd fd, std::string name) : fd_(std::move(fd)), name_(std::move(name)) {}

  UniqueFd fd_;
  std::string name_;  // for messages
  std::uint64_t size_bytes_ = 0;
};

}  // namespace latido::store
