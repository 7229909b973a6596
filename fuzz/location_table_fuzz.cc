// Feeds bytes to the readers of what other processes and their files hold: tables of lines, maps of
// memory, ELF files, tables of offsets. None may crash, hang or read beyond its input.
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <span>
#include <string_view>

#include "stacks/elf_symbols.h"
#include "stacks/layout.h"
#include "stacks/location_table.h"
#include "stacks/memory_map.h"

namespace {

using namespace latido::stacks;

void decode_lines(std::span<const std::byte> bytes) {
  for (const LineFormat format :
       {LineFormat::kLineNumberTable, LineFormat::kLineDeltas, LineFormat::kLocations}) {
    const auto table = LineTable::decode(format, bytes, 1);
    if (!table) continue;
    for (std::int64_t offset = -2; offset < 64; ++offset) {
      if (table.value().line_at(offset) < 0) std::abort();
    }
  }
}

void read_elf(std::span<const std::byte> bytes) {
  constexpr std::array<std::string_view, 2> kSymbols = {"_PyRuntime", "Py_Version"};
  constexpr std::array<std::string_view, 1> kSections = {".PyRuntime"};
  const ReadAt read_at = [bytes](std::uint64_t offset, std::span<std::byte> into) {
    if (offset > bytes.size() || bytes.size() - offset < into.size()) return false;
    if (!into.empty()) std::memcpy(into.data(), bytes.data() + offset, into.size());
    return true;
  };
  (void)find_elf_symbols(read_at, kSymbols, kSections).has_value();
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::span bytes = std::as_bytes(std::span(data, size));
  decode_lines(bytes);
  read_elf(bytes);
  (void)parse_debug_offsets(bytes).has_value();
  (void)parse_memory_map(std::string_view(reinterpret_cast<const char*>(data), size)).size();
  return 0;
}
