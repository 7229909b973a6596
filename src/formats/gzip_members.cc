#include "formats/gzip_members.h"

#include <libdeflate.h>

#include <cstddef>
#include <new>

namespace latido::formats {
namespace {

constexpr std::size_t kMemberBytes = 1U << 20U;
constexpr int kLevel = 6;

libdeflate_compressor* must_allocate() {
  libdeflate_compressor* const compressor = libdeflate_alloc_compressor(kLevel);
  if (compressor == nullptr) throw std::bad_alloc();
  return compressor;
}

}  // namespace

void GzipMembers::Free::operator()(libdeflate_compressor* compressor) const noexcept {
  libdeflate_free_compressor(compressor);
}

GzipMembers::GzipMembers() : compressor_(must_allocate()) {}

std::string_view GzipMembers::add(std::string_view text) {
  out_.clear();
  text_ += text;
  if (text_.size() >= kMemberBytes) compress();
  return out_;
}

std::string_view GzipMembers::finish() {
  out_.clear();
  // Nothing at all is a file too: one empty member.
  if (!text_.empty() || !any_) compress();
  return out_;
}

void GzipMembers::compress() {
  out_.resize(libdeflate_gzip_compress_bound(compressor_.get(), text_.size()));
  const std::size_t bytes = libdeflate_gzip_compress(compressor_.get(), text_.data(), text_.size(),
                                                     out_.data(), out_.size());
  out_.resize(bytes);
  text_.clear();
  any_ = true;
}

}  // namespace latido::formats
