#include "stacks/elf_symbols.h"

#include <gtest/gtest.h>

#include <array>
#include <cstring>
#include <string>
#include <vector>

namespace latido::stacks {
namespace {

constexpr std::array<std::string_view, 2> kWanted = {"_PyRuntime", "absent"};
constexpr std::array<std::string_view, 1> kSections = {".PyRuntime"};

void put(std::string& file, std::size_t at, std::uint64_t value, std::size_t width) {
  for (std::size_t k = 0; k < width; ++k) file[at + k] = static_cast<char>(value >> (8 * k));
}

// Header, one segment at 0x40, four sections at 0x100, symbols at 0x240, texts at 0x300.
std::string small_elf() {
  std::string file(0x400, '\0');
  file.replace(0, 6,
               "\x7F"
               "ELF\x02\x01");
  put(file, 18, kMachineAmd64, 2);
  put(file, 32, 0x40, 8);   // segments
  put(file, 40, 0x100, 8);  // sections
  put(file, 56, 1, 2);
  put(file, 60, 4, 2);
  put(file, 62, 3, 2);  // names of sections
  put(file, 0x40, 1, 4);
  put(file, 0x40 + 8, 0x1000, 8);     // at this offset of the file
  put(file, 0x40 + 16, 0x401000, 8);  // and this address
  const auto section = [&file](std::size_t index, std::uint32_t name, std::uint32_t type,
                               std::uint64_t offset, std::uint64_t size, std::uint32_t link) {
    const std::size_t at = 0x100 + index * 64;
    put(file, at, name, 4);
    put(file, at + 4, type, 4);
    put(file, at + 16, 0x777000, 8);
    put(file, at + 24, offset, 8);
    put(file, at + 32, size, 8);
    put(file, at + 40, link, 4);
  };
  section(1, 0, 2, 0x240, 48, 2);
  section(2, 0, 3, 0x300, 64, 0);
  section(3, 16, 3, 0x300, 64, 0);
  const std::string texts("\0_PyRuntime\0\0\0\0\0.PyRuntime\0", 27);
  file.replace(0x300, texts.size(), texts);
  put(file, 0x240, 1, 4);  // undefined here
  put(file, 0x258, 1, 4);
  put(file, 0x258 + 6, 5, 2);
  put(file, 0x258 + 8, 0x405678, 8);
  return file;
}

Result<ElfFacts> facts_of(const std::string& file) {
  const ReadAt read_at = [&file](std::uint64_t offset, std::span<std::byte> into) {
    if (offset > file.size() || file.size() - offset < into.size()) return false;
    if (!into.empty())
      std::memcpy(into.data(), &file[static_cast<std::size_t>(offset)], into.size());
    return true;
  };
  return find_elf_symbols(read_at, kWanted, kSections);
}

TEST(ElfSymbols, FindsWhatIsDefined) {
  const auto facts = facts_of(small_elf());
  ASSERT_TRUE(facts.has_value()) << facts.error().message;
  EXPECT_EQ(facts.value().machine, kMachineAmd64);
  EXPECT_EQ(facts.value().first_load_address, 0x400000U);
  EXPECT_EQ(facts.value().symbols.at("_PyRuntime"), 0x405678U);
  EXPECT_EQ(facts.value().symbols.size(), 1U);
  EXPECT_EQ(facts.value().sections.at(".PyRuntime"), 0x777000U);
}

TEST(ElfSymbols, RefusesWhatIsNoElfFile) {
  EXPECT_EQ(facts_of("").error().code, ErrorCode::kInvalidInput);
  EXPECT_EQ(facts_of(std::string(200, 'x')).error().code, ErrorCode::kInvalidInput);
  std::string narrow = small_elf();
  narrow[4] = 1;
  EXPECT_EQ(facts_of(narrow).error().code, ErrorCode::kUnsupported);
}

TEST(ElfSymbols, EveryCutAndEveryChangedByteIsSurvived) {
  const std::string whole = small_elf();
  for (std::size_t k = 0; k < whole.size(); ++k) {
    (void)facts_of(whole.substr(0, k)).has_value();
    std::string changed = whole;
    changed[k] = static_cast<char>(0xFF);
    (void)facts_of(changed).has_value();
  }
}

TEST(ElfSymbols, AFileWithoutSectionHeadersHasNoSymbols) {
  std::string file = small_elf();
  put(file, 40, 0x10000, 8);
  const auto facts = facts_of(file);
  ASSERT_TRUE(facts.has_value());
  EXPECT_TRUE(facts.value().symbols.empty());
}

}  // namespace
}  // namespace latido::stacks
