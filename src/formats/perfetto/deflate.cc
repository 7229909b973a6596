#include "formats/perfetto/deflate.h"

#include <zlib.h>

#include <algorithm>
#include <cassert>

namespace latido::formats::perfetto {
namespace {

// zlib takes its input through a pointer that is not const in its default build, but never writes
// to it.
Bytef* input(std::string_view bytes) {
  return const_cast<Bytef*>(reinterpret_cast<const Bytef*>(bytes.data()));  // NOLINT: see above
}

Bytef* output(std::string& bytes, std::size_t at) { return reinterpret_cast<Bytef*>(&bytes[at]); }

}  // namespace

Deflater::Deflater(int level) : stream_(std::make_unique<z_stream>()) {
  [[maybe_unused]] const int rc = ::deflateInit(stream_.get(), level);
  assert(rc == Z_OK);
}

Deflater::~Deflater() { ::deflateEnd(stream_.get()); }

std::span<const std::byte> Deflater::compress(std::string_view raw) {
  ::deflateReset(stream_.get());
  out_.resize(::deflateBound(stream_.get(), raw.size()));
  stream_->next_in = input(raw);
  stream_->avail_in = static_cast<uInt>(raw.size());
  stream_->next_out = output(out_, 0);
  stream_->avail_out = static_cast<uInt>(out_.size());
  [[maybe_unused]] const int rc = ::deflate(stream_.get(), Z_FINISH);
  assert(rc == Z_STREAM_END);  // deflateBound() gave enough room
  out_.resize(stream_->total_out);
  return std::as_bytes(std::span(out_));
}

Inflater::Inflater() : stream_(std::make_unique<z_stream>()) {
  [[maybe_unused]] const int rc = ::inflateInit(stream_.get());
  assert(rc == Z_OK);
}

Inflater::~Inflater() { ::inflateEnd(stream_.get()); }

Result<std::string_view> Inflater::decompress(std::string_view compressed,
                                              std::size_t limit_bytes) {
  constexpr std::size_t kFirstGuess = 64 * 1024;
  ::inflateReset(stream_.get());
  stream_->next_in = input(compressed);
  stream_->avail_in = static_cast<uInt>(compressed.size());
  std::size_t size = 0;
  out_.resize(std::min(limit_bytes, std::max(kFirstGuess, out_.capacity())));
  while (true) {
    if (size == out_.size()) {
      if (size == limit_bytes)
        return Error{ErrorCode::kExhausted, "a block is larger than allowed"};
      out_.resize(std::min(limit_bytes, 2 * size));
    }
    stream_->next_out = output(out_, size);
    stream_->avail_out = static_cast<uInt>(out_.size() - size);
    const int rc = ::inflate(stream_.get(), Z_NO_FLUSH);
    size = stream_->total_out;
    if (rc == Z_STREAM_END) return std::string_view(out_).substr(0, size);
    // Z_BUF_ERROR with room left: the input ended before the stream did.
    if (rc != Z_OK || (stream_->avail_in == 0 && stream_->avail_out != 0)) {
      return Error{ErrorCode::kDataLoss, "a block is not a whole deflate stream"};
    }
  }
}

}  // namespace latido::formats::perfetto
