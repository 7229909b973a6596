#include "stacks/location_table.h"

#include <algorithm>
#include <limits>

#include "stacks/byte_view.h"

namespace latido::stacks {
namespace {

constexpr std::uint32_t kEndOfCode = std::numeric_limits<std::uint32_t>::max();
constexpr std::int64_t kNoLine = 0;
constexpr std::uint64_t kBytesPerUnit = 2;  // one instruction unit

Error malformed(const char* what) {
  return {ErrorCode::kInvalidInput, std::string("table of lines: ") + what};
}

std::int64_t as_signed(std::uint8_t byte) noexcept { return static_cast<std::int8_t>(byte); }

// Walks the entries of a 3.11 table. 6 bits a byte, lowest first; bit 6 says that more follow.
class LocationCursor {
 public:
  explicit LocationCursor(std::span<const std::byte> bytes) noexcept : view_(bytes) {}

  bool at_end() const noexcept { return at_ >= view_.size(); }
  bool failed() const noexcept { return failed_ || view_.out_of_bounds(); }
  std::uint8_t byte() noexcept { return view_.u8(at_++); }
  void skip(std::size_t bytes) noexcept {
    for (std::size_t k = 0; k < bytes; ++k) (void)byte();
  }

  std::uint64_t number() noexcept {
    constexpr int kMaxShift = 36;  // no number of a table needs more than 32 bits
    std::uint64_t value = 0;
    for (int shift = 0; shift <= kMaxShift; shift += 6) {
      const std::uint8_t next = byte();
      value |= std::uint64_t{next & 0x3FU} << shift;
      if ((next & 0x40U) == 0) return value;
    }
    failed_ = true;
    return 0;
  }

  std::int64_t signed_number() noexcept {
    const std::uint64_t value = number();
    const auto magnitude = static_cast<std::int64_t>(value >> 1);
    return (value & 1) != 0 ? -magnitude : magnitude;
  }

 private:
  ByteView view_;
  std::size_t at_ = 0;
  bool failed_ = false;
};

// Kinds of an entry of a 3.11 table (the four bits after the top one of its first byte). Below
// kOneLine: the same line, and one byte of columns.
enum LocationKind : std::uint8_t { kOneLine = 10, kNoColumns = 13, kLong = 14, kNothing = 15 };

}  // namespace

LineFormat line_format_of(std::uint32_t minor) noexcept {
  if (minor >= 11) return LineFormat::kLocations;
  return minor == 10 ? LineFormat::kLineDeltas : LineFormat::kLineNumberTable;
}

Status LineTable::add(std::uint64_t end_bytes, std::int64_t line) {
  if (line < 0 || line > std::numeric_limits<std::int32_t>::max()) {
    return malformed("a line is out of range");
  }
  if (end_bytes > kEndOfCode) return malformed("it describes too much code");
  const Span span{static_cast<std::uint32_t>(end_bytes), static_cast<std::int32_t>(line)};
  const std::uint32_t begin = spans_.empty() ? 0 : spans_.back().end_bytes;
  if (span.end_bytes < begin) return malformed("it goes backwards");
  if (span.end_bytes == begin) return ok();
  if (!spans_.empty() && spans_.back().line == span.line) {
    spans_.back().end_bytes = span.end_bytes;
  } else {
    spans_.push_back(span);
  }
  return ok();
}

// Pairs (instruction bytes, signed lines); a line holds from after its pair to the next one.
Status LineTable::decode_line_number_table(std::span<const std::byte> bytes, std::int64_t line) {
  ByteView view(bytes);
  std::uint64_t end = 0;
  for (std::size_t at = 0; at + 2 <= view.size(); at += 2) {
    end += view.u8(at);
    if (auto status = add(end, line); !status) return status;
    line += as_signed(view.u8(at + 1));
  }
  return add(kEndOfCode, line);
}

// Pairs (instruction bytes, signed lines) as well, but the lines come first; -128: no line.
Status LineTable::decode_line_deltas(std::span<const std::byte> bytes, std::int64_t line) {
  constexpr std::int64_t kNone = -128;
  ByteView view(bytes);
  std::uint64_t end = 0;
  for (std::size_t at = 0; at + 2 <= view.size(); at += 2) {
    end += view.u8(at);
    const std::int64_t delta = as_signed(view.u8(at + 1));
    if (delta != kNone) line += delta;
    if (auto status = add(end, delta == kNone ? kNoLine : line); !status) return status;
  }
  return ok();
}

Status LineTable::decode_locations(std::span<const std::byte> bytes, std::int64_t line) {
  LocationCursor cursor(bytes);
  std::uint64_t end = 0;
  while (!cursor.at_end()) {
    const std::uint8_t first = cursor.byte();
    if ((first & 0x80U) == 0) return malformed("an entry begins wrongly");
    end += kBytesPerUnit * ((first & 7U) + 1U);
    const auto kind = static_cast<std::uint8_t>(first >> 3 & 15U);
    if (kind < kOneLine) {
      cursor.skip(1);
    } else if (kind < kNoColumns) {
      line += kind - kOneLine;
      cursor.skip(2);
    } else if (kind != kNothing) {
      line += cursor.signed_number();
      for (int k = 0; kind == kLong && k < 3; ++k) (void)cursor.number();
    }
    if (cursor.failed()) return malformed("it is cut short");
    if (auto status = add(end, kind == kNothing ? kNoLine : line); !status) return status;
  }
  return ok();
}

Result<LineTable> LineTable::decode(LineFormat format, std::span<const std::byte> bytes,
                                    std::int32_t first_line) {
  if (bytes.size() > kMaxLineTableBytes) return malformed("it is too long");
  LineTable table;
  Status status = ok();
  switch (format) {
    case LineFormat::kLineNumberTable:
      status = table.decode_line_number_table(bytes, first_line);
      break;
    case LineFormat::kLineDeltas:
      status = table.decode_line_deltas(bytes, first_line);
      break;
    case LineFormat::kLocations:
      status = table.decode_locations(bytes, first_line);
      break;
  }
  if (!status) return std::move(status).error();
  table.spans_.shrink_to_fit();
  return table;
}

std::int32_t LineTable::line_at(std::int64_t offset_bytes) const noexcept {
  if (spans_.empty()) return 0;
  const std::int64_t offset = std::max<std::int64_t>(offset_bytes, 0);  // -1: about to begin
  const auto found = std::ranges::upper_bound(
      spans_, offset, {}, [](const Span& span) { return std::int64_t{span.end_bytes}; });
  return found == spans_.end() ? 0 : found->line;
}

}  // namespace latido::stacks
