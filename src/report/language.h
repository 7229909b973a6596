// Language: the languages that people can read reports in.
//
// Used by every renderer and by the command line (--lang, LANG). Reads no environment itself.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>

namespace latido::report {

enum class Language : std::uint8_t { kEnglish, kSpanish, kItalian };
inline constexpr std::size_t kLanguageCount = 3;
inline constexpr std::array<Language, kLanguageCount> kLanguages{
    Language::kEnglish, Language::kSpanish, Language::kItalian};

// "en", "es", "it": also the value of <html lang>.
constexpr std::string_view to_text(Language language) noexcept {
  constexpr std::array<std::string_view, kLanguageCount> kCodes{"en", "es", "it"};
  return kCodes[static_cast<std::size_t>(language)];
}

// Accepts a code or a locale name: "es", "es_ES.UTF-8", "it-CH". Empty for any other language, "C"
// and "POSIX" included; callers then take English.
constexpr std::optional<Language> language_from_text(std::string_view text) noexcept {
  const std::string_view code = text.substr(0, text.find_first_of("_-.@"));
  for (const Language language : kLanguages) {
    if (code == to_text(language)) return language;
  }
  return std::nullopt;
}

}  // namespace latido::report
