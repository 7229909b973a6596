// Hand-made encoding of the packets that a timeline consists of: zone begin and end.
//
// Called by SegmentWriter for every event; everything rarer goes through protozero. Both write the
// same wire format. Fixed shapes instead of a general writer because of the speed.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>

#include "formats/perfetto/fields.h"
#include "model/ids.h"

namespace latido::formats::perfetto {

inline char* put_varint(char* at, std::uint64_t value) noexcept {
  while (value >= 0x80) {
    *at++ = static_cast<char>(value | 0x80U);
    value >>= 7U;
  }
  *at++ = static_cast<char>(value);
  return at;
}

constexpr std::uint32_t sequence_id(model::TrackId track) noexcept {
  return static_cast<std::uint32_t>(track) + 2;  // 0 is no sequence, 1 is the tables'
}
inline constexpr std::uint32_t kTableSequence = 1;

constexpr std::uint64_t name_iid(model::SiteId site) noexcept {
  return static_cast<std::uint64_t>(site) + 1;
}

constexpr std::uint64_t arg_name_iid(model::SiteId site) noexcept {
  return static_cast<std::uint64_t>(site) + AnnotationName::kFirstArg;
}

// The TrackEvent of a zone's begin; the same for every zone of a site.
struct BeginCode {
  std::array<char, 24> bytes{};
  std::size_t size = 0;
};

BeginCode begin_code(model::SiteId site, std::uint32_t category_iid, bool has_location) noexcept;

// Appends a whole packet. `delta_ns` counts from the packet before of the same sequence.
void append_begin(std::string& out, std::uint32_t sequence, const BeginCode& code,
                  std::uint64_t delta_ns);
// The end of the innermost open zone, without arguments.
void append_end(std::string& out, std::uint32_t sequence, std::uint64_t delta_ns);

}  // namespace latido::formats::perfetto
