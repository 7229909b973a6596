// Deflater and Inflater: zlib streams of at most one block, with their memory kept between blocks.
//
// Used by SegmentWriter and SegmentReader. The limits of the inflater bound what a hostile file
// costs.
#pragma once

#include <cstddef>
#include <memory>
#include <span>
#include <string>
#include <string_view>

#include "base/result.h"

struct z_stream_s;

namespace latido::formats::perfetto {

class Deflater {
 public:
  // `level` 1 (fast) to 9 (small).
  explicit Deflater(int level);
  ~Deflater();
  Deflater(const Deflater&) = delete;
  Deflater& operator=(const Deflater&) = delete;

  // The zlib form of `raw`, valid until the next call.
  std::span<const std::byte> compress(std::string_view raw);

 private:
  std::unique_ptr<z_stream_s> stream_;
  std::string out_;
};

class Inflater {
 public:
  Inflater();
  ~Inflater();
  Inflater(const Inflater&) = delete;
  Inflater& operator=(const Inflater&) = delete;

  // The bytes that `compressed` stands for, valid until the next call. kDataLoss when it is no
  // whole zlib stream, kExhausted when it stands for more than `limit_bytes`.
  Result<std::string_view> decompress(std::string_view compressed, std::size_t limit_bytes);

 private:
  std::unique_ptr<z_stream_s> stream_;
  std::string out_;
};

}  // namespace latido::formats::perfetto
