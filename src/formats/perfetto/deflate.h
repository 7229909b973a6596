// Deflater and Inflater: blocks as zlib streams, with the memory for it kept between blocks.
//
// Used by SegmentWriter and SegmentReader. libdeflate, not zlib: three times as fast on such data, and
// smaller. The limit of the inflater bounds what a hostile file costs.
#pragma once

#include <cstddef>
#include <memory>
#include <span>
#include <string>
#include <string_view>

#include "base/result.h"

struct libdeflate_compressor;
struct libdeflate_decompressor;

namespace latido::formats::perfetto {

class Deflater {
 public:
  // `level` 1 (fast) to 12 (small).
  explicit Deflater(int level);

  // The zlib form of `raw`, valid until the next call.
  std::span<const std::byte> compress(std::string_view raw);

 private:
  struct Free {
    void operator()(libdeflate_compressor* compressor) const noexcept;
  };
  std::unique_ptr<libdeflate_compressor, Free> compressor_;
  std::string out_;
};

class Inflater {
 public:
  // Refuses blocks that stand for more than `limit_bytes`.
  explicit Inflater(std::size_t limit_bytes);

  // The bytes that `compressed` stands for, valid until the next call. kDataLoss when it is no whole
  // zlib stream, kExhausted when it stands for more than the limit.
  Result<std::string_view> decompress(std::string_view compressed);

 private:
  struct Free {
    void operator()(libdeflate_decompressor* decompressor) const noexcept;
  };
  std::unique_ptr<libdeflate_decompressor, Free> decompressor_;
  std::string out_;  // as large as the limit
};

}  // namespace latido::formats::perfetto
