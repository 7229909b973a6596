// RunFolder: the directory of one run and who may write to it.
//
//   <home>/runs/<ulid>/  meta.json   what `latido runs` lists (run_index.h)
//                        run.db      SQLite: processes, steps, series, findings (docs/formats/run-folder.md)
//                        segments/   0001.pftrace, 0002.pftrace, …
//                        lock        held by the recorder while it lives
//
// Deleting the folder deletes the run, copying it moves the run. Made by session, opened by commands.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "base/unique_fd.h"
#include "store/file_io.h"

namespace latido::store {

std::filesystem::path runs_folder(const std::filesystem::path& home);

class RunFolder {
 public:
  // Makes the folder of run `id` (a ULID) and takes its lock, which is released when the object or
  // the process ends. kInvalidInput when the run exists already.
  static Result<RunFolder> create(const std::filesystem::path& home, std::string_view id);

  // For reading, also while it is being recorded. kNotFound when `path` holds no run.
  static Result<RunFolder> open(const std::filesystem::path& path);

  const std::filesystem::path& path() const noexcept { return path_; }
  std::filesystem::path database_path() const { return path_ / "run.db"; }
  std::filesystem::path segment_path(std::uint32_t number) const;  // 1, 2, 3, …

  // Numbers of the segments that are there, in order.
  Result<std::vector<std::uint32_t>> segments() const;
  // kNotFound, or kExhausted when it is larger than a segment may be.
  Result<std::vector<std::byte>> read_segment(std::uint32_t number) const;
  Result<AppendFile> create_segment(std::uint32_t number) const;

  // Whether a recorder holds the lock at this moment.
  bool being_recorded() const;

 private:
  RunFolder(std::filesystem::path path, UniqueFd lock)
      : path_(std::move(path)), lock_(std::move(lock)) {}

  std::filesystem::path path_;
  UniqueFd lock_;  // -1: opened for reading
};

}  // namespace latido::store
