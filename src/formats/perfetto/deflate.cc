#include "formats/perfetto/deflate.h"

#include <libdeflate.h>

#include <cassert>
#include <new>

namespace latido::formats::perfetto {

void Deflater::Free::operator()(libdeflate_compressor* compressor) const noexcept {
  ::libdeflate_free_compressor(compressor);
}

void Inflater::Free::operator()(libdeflate_decompressor* decompressor) const noexcept {
  ::libdeflate_free_decompressor(decompressor);
}

Deflater::Deflater(int level) : compressor_(::libdeflate_alloc_compressor(level)) {
  if (!compressor_) throw std::bad_alloc();
}

std::span<const std::byte> Deflater::compress(std::string_view raw) {
  const std::size_t bound = ::libdeflate_zlib_compress_bound(compressor_.get(), raw.size());
  if (out_.size() < bound) out_.resize(bound);
  const std::size_t size = ::libdeflate_zlib_compress(compressor_.get(), raw.data(), raw.size(),
                                                      out_.data(), out_.size());
  assert(size != 0);  // the bound is enough
  return std::as_bytes(std::span(out_)).first(size);
}

Inflater::Inflater(std::size_t limit_bytes)
    : decompressor_(::libdeflate_alloc_decompressor()), out_(limit_bytes, '\0') {
  if (!decompressor_) throw std::bad_alloc();
}

Result<std::string_view> Inflater::decompress(std::string_view compressed) {
  std::size_t size = 0;
  switch (::libdeflate_zlib_decompress(decompressor_.get(), compressed.data(), compressed.size(),
                                       out_.data(), out_.size(), &size)) {
    case LIBDEFLATE_SUCCESS:
      return std::string_view(out_).substr(0, size);
    case LIBDEFLATE_INSUFFICIENT_SPACE:
      return Error{ErrorCode::kExhausted, "a block is larger than allowed"};
    default:
      return Error{ErrorCode::kDataLoss, "a block is not a whole deflate stream"};
  }
}

}  // namespace latido::formats::perfetto
