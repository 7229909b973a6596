// Finds a few symbols and sections in an ELF file (64 bit, little endian).
//
// Called once per file when a process is opened. The file belongs to somebody else: every offset and
// length is checked against limits, and nothing is mapped, so that a file cut short is an error only.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <span>
#include <string>
#include <string_view>

#include "base/result.h"

namespace latido::stacks {

// Fills `into` with the file's bytes from `offset`; false when they are not all there.
using ReadAt = std::function<bool(std::uint64_t offset, std::span<std::byte> into)>;

// What find_elf_symbols found. Addresses are those of the file, before it is moved in memory.
struct ElfFacts {
  std::uint16_t machine = 0;             // e_machine; 62: x86-64
  std::uint64_t first_load_address = 0;  // p_vaddr of the segment that holds the file's start
  std::map<std::string, std::uint64_t> symbols;   // of those asked for, those that are defined
  std::map<std::string, std::uint64_t> sections;  // of those asked for
};

inline constexpr std::uint16_t kMachineAmd64 = 62;

// kInvalidInput: no such ELF file, or its tables are out of bounds. Reads at most a few times 16 MiB.
Result<ElfFacts> find_elf_symbols(const ReadAt& read_at, std::span<const std::string_view> symbols,
                                  std::span<const std::string_view> sections);

}  // namespace latido::stacks
