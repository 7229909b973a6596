#include "symbols/native_name.h"

#include <algorithm>
#include <array>
#include <charconv>

namespace latido::symbols {
namespace {

constexpr std::string_view kFile = "file:";

std::optional<std::uint64_t> parse_hex(std::string_view text) {
  std::uint64_t number = 0;
  const char* const end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data(), end, number, 16);
  if (text.empty() || error != std::errc{} || stop != end) return std::nullopt;
  return number;
}

bool is_identity(std::string_view text) {
  const auto is_hex = [](char c) { return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f'); };
  return text == "?" || parse_file_identity(text).has_value() ||
         (!text.empty() && std::ranges::all_of(text, is_hex));
}

}  // namespace

std::optional<NativeName> parse_native_name(std::string_view name) {
  constexpr std::string_view kPlus = "+0x";
  const std::size_t hash = name.rfind('#');
  if (hash == std::string_view::npos) return std::nullopt;
  const std::string_view shown = name.substr(0, hash);
  const std::size_t plus = shown.rfind(kPlus);
  if (plus == std::string_view::npos) return std::nullopt;
  const auto address = parse_hex(shown.substr(plus + kPlus.size()));
  const std::string_view identity = name.substr(hash + 1);
  if (!address || !is_identity(identity)) return std::nullopt;
  return NativeName{.address = *address, .identity = identity, .shown = shown};
}

std::optional<FileIdentity> parse_file_identity(std::string_view identity) {
  if (!identity.starts_with(kFile)) return std::nullopt;
  identity.remove_prefix(kFile.size());
  FileIdentity file;
  const std::array<std::uint64_t*, 4> numbers{&file.inode, &file.size_bytes, &file.modified_s,
                                              &file.modified_ns};
  for (std::uint64_t* const number : numbers) {
    const bool last = number == numbers.back();
    const std::size_t colon = last ? identity.size() : identity.find(':');
    if (colon == std::string_view::npos) return std::nullopt;
    const auto parsed = parse_hex(identity.substr(0, colon));
    if (!parsed) return std::nullopt;
    *number = *parsed;
    identity.remove_prefix(last ? colon : colon + 1);
  }
  return file;
}

}  // namespace latido::symbols
