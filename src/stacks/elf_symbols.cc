#include "stacks/elf_symbols.h"

#include <algorithm>
#include <array>
#include <vector>

#include "stacks/byte_view.h"

namespace latido::stacks {
namespace {

constexpr std::size_t kHeaderBytes = 64;
constexpr std::size_t kSegmentBytes = 56;
constexpr std::size_t kSectionBytes = 64;
constexpr std::size_t kSymbolBytes = 24;
constexpr std::uint32_t kSegmentLoad = 1;
constexpr std::uint32_t kSectionSymbols = 2;
constexpr std::uint32_t kSectionDynamicSymbols = 11;
// The largest libpython has some 20,000 symbols; a program with everything in it a few 100,000.
constexpr std::uint64_t kMaxTableBytes = std::uint64_t{64} << 20;

struct Section {
  std::uint32_t name = 0;
  std::uint32_t type = 0;
  std::uint64_t address = 0;
  std::uint64_t offset = 0;
  std::uint64_t size = 0;
  std::uint32_t link = 0;
};

Error malformed(const char* what) {
  return {ErrorCode::kInvalidInput, std::string("not a whole ELF file: ") + what};
}

Result<std::vector<std::byte>> bytes_at(const ReadAt& read_at, std::uint64_t offset,
                                        std::uint64_t size) {
  if (size > kMaxTableBytes) return malformed("a table is too large");
  std::vector<std::byte> bytes(static_cast<std::size_t>(size));
  if (!read_at(offset, bytes)) return malformed("a table is beyond its end");
  return bytes;
}

std::string_view text_at(std::span<const std::byte> texts, std::uint64_t at) {
  if (at >= texts.size()) return {};
  const auto rest = texts.subspan(static_cast<std::size_t>(at));
  const auto end = std::ranges::find(rest, std::byte{0});
  if (end == rest.end()) return {};
  // Characters may alias bytes; this is no struct.
  return {reinterpret_cast<const char*>(rest.data()), static_cast<std::size_t>(end - rest.begin())};
}

Status read_segments(const ReadAt& read_at, ByteView& header, ElfFacts& facts) {
  auto table = bytes_at(read_at, header.u64(32), std::uint64_t{header.u16(56)} * kSegmentBytes);
  if (!table) return std::move(table).error();
  ByteView view(table.value());
  for (std::size_t at = 0; at + kSegmentBytes <= view.size(); at += kSegmentBytes) {
    if (view.u32(at) != kSegmentLoad) continue;
    facts.first_load_address = view.u64(at + 16) - view.u64(at + 8);
    return ok();
  }
  return malformed("nothing is to be loaded");
}

Result<std::vector<Section>> read_sections(const ReadAt& read_at, ByteView& header) {
  auto table = bytes_at(read_at, header.u64(40), std::uint64_t{header.u16(60)} * kSectionBytes);
  if (!table) return std::move(table).error();
  ByteView view(table.value());
  std::vector<Section> sections;
  for (std::size_t at = 0; at + kSectionBytes <= view.size(); at += kSectionBytes) {
    sections.push_back({.name = view.u32(at),
                        .type = view.u32(at + 4),
                        .address = view.u64(at + 16),
                        .offset = view.u64(at + 24),
                        .size = view.u64(at + 32),
                        .link = view.u32(at + 40)});
  }
  return sections;
}

// Adds what `table` defines of `wanted`. A table that cannot be read is as good as none.
void read_symbols(const ReadAt& read_at, const std::vector<Section>& sections, const Section& table,
                  std::span<const std::string_view> wanted, ElfFacts& facts) {
  if (table.link >= sections.size()) return;
  const Section& names = sections[table.link];
  const auto symbols = bytes_at(read_at, table.offset, table.size);
  const auto texts = bytes_at(read_at, names.offset, names.size);
  if (!symbols || !texts) return;
  ByteView view(symbols.value());
  for (std::size_t at = 0; at + kSymbolBytes <= view.size(); at += kSymbolBytes) {
    if (view.u16(at + 6) == 0) continue;  // undefined here
    const std::string_view name = text_at(texts.value(), view.u32(at));
    if (std::ranges::find(wanted, name) == wanted.end()) continue;
    facts.symbols.emplace(name, view.u64(at + 8));
  }
}

void read_section_names(const ReadAt& read_at, const std::vector<Section>& sections,
                        std::uint16_t names_index, std::span<const std::string_view> wanted,
                        ElfFacts& facts) {
  if (names_index >= sections.size()) return;
  const auto texts = bytes_at(read_at, sections[names_index].offset, sections[names_index].size);
  if (!texts) return;
  for (const Section& section : sections) {
    const std::string_view name = text_at(texts.value(), section.name);
    if (std::ranges::find(wanted, name) == wanted.end()) continue;
    facts.sections.emplace(name, section.address);
  }
}

}  // namespace

Result<ElfFacts> find_elf_symbols(const ReadAt& read_at, std::span<const std::string_view> symbols,
                                  std::span<const std::string_view> sections) {
  std::array<std::byte, kHeaderBytes> bytes{};
  if (!read_at(0, bytes)) return malformed("its header is missing");
  ByteView header(bytes);
  constexpr std::uint32_t kMagic = 0x464C'457F;
  constexpr std::uint8_t kClass64 = 2;
  constexpr std::uint8_t kLittleEndian = 1;
  if (header.u32(0) != kMagic) return malformed("it begins otherwise");
  if (header.u8(4) != kClass64 || header.u8(5) != kLittleEndian) {
    return Error{ErrorCode::kUnsupported, "not a program of 64 bits, little endian"};
  }
  ElfFacts facts;
  facts.machine = header.u16(18);
  if (auto status = read_segments(read_at, header, facts); !status)
    return std::move(status).error();
  const auto table = read_sections(read_at, header);
  if (!table) return facts;  // stripped of its section headers: a program all the same
  for (const std::uint32_t type : {kSectionDynamicSymbols, kSectionSymbols}) {
    for (const Section& section : table.value()) {
      if (facts.symbols.size() == symbols.size()) break;
      if (section.type == type) read_symbols(read_at, table.value(), section, symbols, facts);
    }
  }
  read_section_names(read_at, table.value(), header.u16(62), sections, facts);
  return facts;
}

}  // namespace latido::stacks
