#include "stacks/python_text.h"

#include <algorithm>

#include "base/utf8.h"
#include "stacks/byte_view.h"

namespace latido::stacks {
namespace {

constexpr std::size_t kUsualObjectBytes = 256;

void append_utf8(std::string& text, std::uint32_t code_point) {
  const auto put = [&text](std::uint32_t byte) { text.push_back(static_cast<char>(byte)); };
  if (code_point < 0x80) {
    put(code_point);
  } else if (code_point < 0x800) {
    put(0xC0 | code_point >> 6);
    put(0x80 | (code_point & 0x3F));
  } else if (code_point < 0x10000) {
    put(0xE0 | code_point >> 12);
    put(0x80 | (code_point >> 6 & 0x3F));
    put(0x80 | (code_point & 0x3F));
  } else {
    put(0xF0 | (code_point >> 18 & 7));
    put(0x80 | (code_point >> 12 & 0x3F));
    put(0x80 | (code_point >> 6 & 0x3F));
    put(0x80 | (code_point & 0x3F));
  }
}

// The bit field of PyASCIIObject: interned (2 bits), kind (3), compact (1), ascii (1).
struct TextState {
  std::uint32_t width = 0;  // bytes a character
  bool compact = false;
  bool ascii = false;
};

TextState text_state(std::uint32_t bits) {
  return {.width = bits >> 2 & 7, .compact = (bits >> 5 & 1) != 0, .ascii = (bits >> 6 & 1) != 0};
}

}  // namespace

void want_object(Snapshot& snapshot, std::uint64_t address) {
  const std::uint64_t page_end = (address / kPageBytes + 1) * kPageBytes;
  snapshot.want(address, static_cast<std::size_t>(
                             std::min<std::uint64_t>(kUsualObjectBytes, page_end - address)));
}

std::optional<std::string> read_text(Snapshot& snapshot, const Layout& layout,
                                     std::uint64_t address) {
  const auto head = snapshot.bytes(address, layout.ascii_size);
  if (head.empty()) return std::nullopt;
  ByteView view(head);
  const TextState state = text_state(view.u32(layout.text_state));
  const std::uint64_t length = view.u64(layout.text_length);
  const bool credible = state.compact && length < (std::uint64_t{1} << 40) &&
                        (state.width == 1 || state.width == 2 || state.width == 4) &&
                        (!state.ascii || state.width == 1);
  if (!credible) return std::nullopt;
  const std::size_t shown =
      static_cast<std::size_t>(std::min<std::uint64_t>(length, kMaxTextLength));
  if (shown == 0) return std::string();
  const std::uint64_t begin = address + (state.ascii ? layout.ascii_size : layout.compact_size);
  const auto characters = snapshot.bytes(begin, shown * state.width);
  if (characters.empty()) return std::nullopt;
  ByteView text(characters);
  std::string utf8;
  for (std::size_t k = 0; k < shown; ++k) {
    const std::size_t at = k * state.width;
    append_utf8(utf8, state.width == 1   ? text.u8(at)
                      : state.width == 2 ? text.u16(at)
                                         : text.u32(at));
  }
  if (length > shown) utf8 += "…";
  return to_valid_utf8(utf8);  // lone surrogates are no UTF-8
}

std::optional<std::vector<std::byte>> read_bytes_object(Snapshot& snapshot, const Layout& layout,
                                                        std::uint64_t address,
                                                        std::size_t max_bytes) {
  const auto size = snapshot.u64(address + layout.bytes_size);
  if (!size || *size > max_bytes) return std::nullopt;
  if (*size == 0) return std::vector<std::byte>();
  const auto found = snapshot.bytes(address + layout.bytes_data, static_cast<std::size_t>(*size));
  if (found.empty()) return std::nullopt;
  return std::vector<std::byte>(found.begin(), found.end());
}

}  // namespace latido::stacks
