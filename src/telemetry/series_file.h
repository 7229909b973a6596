// SeriesFile: a kernel file that feeds some series, and why they are absent when it does not.
//
// Owned by one source and used on its thread. Keeps errno instead of a sentence, so that a machine
// without the file pays one failed open a round and no allocation.
#pragma once

#include <cerrno>
#include <initializer_list>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "telemetry/proc_root.h"

namespace latido::telemetry {

class SeriesFile {
 public:
  // `metrics` are literals: the names that stay away when the file cannot be read.
  SeriesFile(std::string path, std::initializer_list<std::string_view> metrics)
      : file_(std::move(path)), metrics_(metrics) {}

  // The file's text until the buffer's next use; empty when it cannot be read.
  std::optional<std::string_view> read(FileBuffer& buffer);
  // The text made no sense: the next absent() says `why`.
  void reject(const Error& why) { rejected_ = why.message; }

  void let_go() noexcept { file_.let_go(); }

  bool ok() const noexcept { return error_number_ == 0 && rejected_.empty(); }
  // The last read found no such file, or the process that it was about has ended.
  bool is_gone() const noexcept { return error_number_ == ENOENT || error_number_ == ESRCH; }
  // One line "<metric>: <reason>" for each series that the last read could not give.
  void append_absent(std::vector<std::string>& out) const;

 private:
  HeldFile file_;
  std::vector<std::string_view> metrics_;
  int error_number_ = 0;
  std::string rejected_;
};

}  // namespace latido::telemetry
