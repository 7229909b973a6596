#include "formats/perfetto/event_code.h"

#include <cstring>

namespace latido::formats::perfetto {
namespace {

constexpr std::uint32_t kVarint = 0;
constexpr std::uint32_t kBytes = 2;

constexpr char tag(std::uint32_t field, std::uint32_t wire_type) noexcept {
  return static_cast<char>(field << 3U | wire_type);  // fields below 16: one byte
}

// Every packet is shorter than 128 bytes, so that its length is one byte.
constexpr std::size_t kMaxPacket = 64;

char* put_packet_head(char* at, std::uint32_t sequence) noexcept {
  *at++ = tag(kTracePacket, kBytes);
  *at++ = 0;  // length, known at the end
  *at++ = tag(PacketField::kSequenceId, kVarint);
  at = put_varint(at, sequence);
  *at++ = tag(PacketField::kSequenceFlags, kVarint);
  *at++ = static_cast<char>(SequenceFlag::kNeedsState);
  *at++ = tag(PacketField::kTrackEvent, kBytes);
  return at;
}

void finish_packet(std::string& out, std::array<char, kMaxPacket>& packet, char* at,
                   std::uint64_t delta_ns) {
  *at++ = tag(PacketField::kTimestamp, kVarint);
  at = put_varint(at, delta_ns);
  const auto size = static_cast<std::size_t>(at - packet.data());
  packet[1] = static_cast<char>(size - 2);
  out.append(packet.data(), size);
}

}  // namespace

BeginCode begin_code(model::SiteId site, std::uint32_t category_iid, bool has_location) noexcept {
  BeginCode code;
  char* at = code.bytes.data();
  *at++ = tag(EventField::kType, kVarint);
  *at++ = static_cast<char>(EventType::kSliceBegin);
  *at++ = tag(EventField::kCategoryIids, kVarint);
  at = put_varint(at, category_iid);
  if (has_location) {
    at = put_varint(at, EventField::kSourceLocationIid << 3U | kVarint);
    at = put_varint(at, name_iid(site));
  }
  *at++ = tag(EventField::kNameIid, kVarint);
  at = put_varint(at, name_iid(site));
  code.size = static_cast<std::size_t>(at - code.bytes.data());
  return code;
}

void append_begin(std::string& out, std::uint32_t sequence, const BeginCode& code,
                  std::uint64_t delta_ns) {
  std::array<char, kMaxPacket> packet;  // NOLINT(*-member-init): zeroing it would cost more
  char* at = put_packet_head(packet.data(), sequence);
  *at++ = static_cast<char>(code.size);
  std::memcpy(at, code.bytes.data(), code.bytes.size());  // fixed size: one or two moves
  finish_packet(out, packet, at + code.size, delta_ns);
}

void append_end(std::string& out, std::uint32_t sequence, std::uint64_t delta_ns) {
  std::array<char, kMaxPacket> packet;  // NOLINT(*-member-init): as above
  char* at = put_packet_head(packet.data(), sequence);
  *at++ = 2;
  *at++ = tag(EventField::kType, kVarint);
  *at++ = static_cast<char>(EventType::kSliceEnd);
  finish_packet(out, packet, at, delta_ns);
}

}  // namespace latido::formats::perfetto
