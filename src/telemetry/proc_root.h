// ProcRoot and HeldFile: the seam to the kernel's text files. With another root than "/" the same
// code reads a recorded tree, which is how every source of this folder is tested.
//
// Called from the sampling thread only. Never throws on what a file says: a file that is not there
// or not readable is an errno in the answer, since that is the normal case on some machine.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "base/unique_fd.h"

namespace latido::telemetry {

// What one read of a file gave. `text` points into the FileBuffer until its next use.
struct Reading {
  std::string_view text;
  int error_number = 0;  // errno; 0: `text` is the whole file

  bool ok() const noexcept { return error_number == 0; }
};

// Memory that all reads of one source share. Grows to the largest file seen, never shrinks.
class FileBuffer {
 public:
  // More than the largest of these files on the largest machines; beyond it a read fails (EFBIG).
  static constexpr std::size_t kMaxBytes = std::size_t{4} << 20;

  // Reads `fd` from its start to its end, at most `limit_bytes` of it.
  Reading read_all(int fd);
  Reading read_head(int fd, std::size_t limit_bytes);

 private:
  std::vector<char> bytes_ = std::vector<char>(std::size_t{16} << 10);
};

class ProcRoot {
 public:
  // `root` is a folder that has proc/, sys/ and etc/ in it.
  explicit ProcRoot(std::string root = "/");

  // "/proc/stat" of the system that this root stands for.
  std::string path(std::string_view absolute) const;

  Reading read(std::string_view absolute, FileBuffer& buffer) const;
  // The first bytes of a file that is large or slow to make, such as /proc/cpuinfo.
  Reading read_head(std::string_view absolute, std::size_t limit_bytes, FileBuffer& buffer) const;

  bool exists(std::string_view absolute) const noexcept;
  bool has_entries(std::string_view absolute) const;  // a folder that is not empty

 private:
  std::string root_;  // without the final slash
};

// A file that is read again and again: its descriptor stays open and is read with pread, which
// saves the path walk and ties /proc/<pid> files to the process they were opened for.
class HeldFile {
 public:
  explicit HeldFile(std::string path) : path_(std::move(path)) {}

  // Opens at first use, and again after a failure.
  Reading read(FileBuffer& buffer);
  // Gives the descriptor back until the next read.
  void let_go() noexcept { fd_.reset(); }
  const std::string& path() const noexcept { return path_; }

 private:
  std::string path_;
  UniqueFd fd_;
};

}  // namespace latido::telemetry
