// LineTable: from an instruction's offset to its source line, for every format CPython has had.
//
// Decoded once per code object, from bytes of another process: any bytes give a table or an error.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "base/result.h"

namespace latido::stacks {

enum class LineFormat : std::uint8_t {
  kLineNumberTable,  // co_lnotab: 3.8, 3.9
  kLineDeltas,       // co_linetable: 3.10
  kLocations,        // co_linetable: 3.11 and newer
};

// The format that Python 3.`minor` writes.
LineFormat line_format_of(std::uint32_t minor) noexcept;

// More than any real function has: 1 MiB describes some 400,000 instructions.
inline constexpr std::size_t kMaxLineTableBytes = std::size_t{1} << 20;

class LineTable {
 public:
  // kInvalidInput: cut short, too long, or lines beyond int32.
  static Result<LineTable> decode(LineFormat format, std::span<const std::byte> bytes,
                                  std::int32_t first_line);

  // The line of the instruction at `offset_bytes` of the bytecode; 0 when it has none.
  std::int32_t line_at(std::int64_t offset_bytes) const noexcept;

  std::size_t memory_bytes() const noexcept { return spans_.capacity() * sizeof(Span); }

 private:
  struct Span {
    std::uint32_t end_bytes =
        0;                  // the span ends before this offset; it begins where the last ended
    std::int32_t line = 0;  // 0: none
  };

  Status add(std::uint64_t end_bytes, std::int64_t line);
  Status decode_line_number_table(std::span<const std::byte> bytes, std::int64_t line);
  Status decode_line_deltas(std::span<const std::byte> bytes, std::int64_t line);
  Status decode_locations(std::span<const std::byte> bytes, std::int64_t line);

  std::vector<Span> spans_;
};

}  // namespace latido::stacks
