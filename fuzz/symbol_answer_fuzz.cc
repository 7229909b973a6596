// Feeds bytes to the reader of what the process that looks names up sends, in pieces, and to the reader of
// the names of functions that a recorded process sends.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <span>
#include <string_view>

#include "symbols/answer.h"
#include "symbols/native_name.h"

namespace {

using namespace latido::symbols;

constexpr std::size_t kAsked = 3;

Resolution read_in_pieces(std::span<const std::byte> bytes, std::size_t piece) {
  Resolution resolution;
  resolution.symbols.resize(kAsked);
  AnswerReader reader(resolution);
  while (!bytes.empty()) {
    const std::size_t count = std::min(piece, bytes.size());
    if (!reader.feed(bytes.first(count))) break;
    bytes = bytes.subspan(count);
  }
  return resolution;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::span bytes = std::as_bytes(std::span(data, size));
  const Resolution whole = read_in_pieces(bytes, size + 1);
  const Resolution pieces = read_in_pieces(bytes, 7);
  if (whole.symbols != pieces.symbols || whole.problems != pieces.problems) std::abort();
  if (whole.symbols.size() != kAsked) std::abort();
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  if (const auto name = parse_native_name(text); name && name->shown.size() >= size) std::abort();
  (void)parse_file_identity(text).has_value();
  return 0;
}
