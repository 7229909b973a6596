// GzipMembers: text of any length as a gzip file, in bounded memory.
//
// A file of several gzip members one after the other, as RFC 1952 allows and gzip, zlib and Perfetto read.
// Used by exports, on one thread.
#pragma once

#include <memory>
#include <string>
#include <string_view>

struct libdeflate_compressor;

namespace latido::formats {

class GzipMembers {
 public:
  GzipMembers();

  // The file's next bytes, often none; valid until the next call.
  std::string_view add(std::string_view text);
  // Its last ones.
  std::string_view finish();

 private:
  struct Free {
    void operator()(libdeflate_compressor* compressor) const noexcept;
  };
  void compress();

  std::unique_ptr<libdeflate_compressor, Free> compressor_;
  std::string text_;
  std::string out_;
  bool any_ = false;
};

}  // namespace latido::formats
