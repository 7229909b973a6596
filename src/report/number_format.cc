#include "report/number_format.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <cstddef>
#include <span>

namespace latido::report {
namespace {

constexpr std::string_view kMinus = "−";
constexpr std::string_view kNoBreak = "\u00A0";
constexpr std::int64_t kSecond_ns = 1'000'000'000;
constexpr std::int64_t kClockFrom_ns = 120 * kSecond_ns;

struct Unit {
  double size;
  std::string_view name;
};

// The largest unit in which `value` is at least 1; the smallest one for less.
const Unit& unit_for(double value, std::span<const Unit> largest_first) {
  for (const Unit& unit : largest_first) {
    // 999.96 ms would be printed as 1,000 ms.
    if (value >= unit.size * 0.99995) return unit;
  }
  return largest_first.back();
}

// Digits of |value| with a point, no grouping.
std::string plain_digits(double value, int decimals) {
  std::array<char, 384> buffer{};
  const auto end = std::to_chars(buffer.data(), buffer.data() + buffer.size(), std::abs(value),
                                 std::chars_format::fixed, decimals);
  return {buffer.data(), end.ptr};
}

bool is_zero(std::string_view digits) {
  return digits.find_first_not_of("0.") == std::string_view::npos;
}

// Never grouped: they are names rather than amounts.
bool is_identifier(std::string_view name) {
  constexpr std::array<std::string_view, 7> kNames{"line",   "pid",    "rank", "code",
                                                   "signal", "worker", "port"};
  return std::ranges::find(kNames, name) != kNames.end() || name.ends_with("_line");
}

std::string two_digits(std::int64_t value) {
  return (value < 10 ? "0" : "") + std::to_string(value);
}

}  // namespace

NumberFormat::NumberFormat(Language language) noexcept : language_(language) {}

std::string NumberFormat::fixed(double value, int decimals) const {
  if (std::isnan(value)) return "NaN";
  if (std::isinf(value)) return value > 0 ? "∞" : std::string(kMinus) + "∞";
  const bool english = language_ == Language::kEnglish;
  const std::string digits = plain_digits(value, decimals);
  const std::size_t whole = std::min(digits.find('.'), digits.size());
  std::string out;
  if (value < 0 && !is_zero(digits)) out = kMinus;
  for (std::size_t i = 0; i < whole; ++i) {
    if (i > 0 && (whole - i) % 3 == 0) out += english ? ',' : '.';
    out += digits[i];
  }
  if (whole < digits.size()) {
    out += english ? '.' : ',';
    out += digits.substr(whole + 1);
  }
  return out;
}

std::string NumberFormat::integer(std::int64_t value) const {
  // Exact above 2^53, where a double would not be.
  std::string digits = std::to_string(value);
  const bool negative = digits.front() == '-';
  if (negative) digits.erase(0, 1);
  std::string out = negative ? std::string(kMinus) : std::string();
  for (std::size_t i = 0; i < digits.size(); ++i) {
    if (i > 0 && (digits.size() - i) % 3 == 0) out += language_ == Language::kEnglish ? ',' : '.';
    out += digits[i];
  }
  return out;
}

std::string NumberFormat::significant(double value, int digits) const {
  if (!std::isfinite(value) || value == 0) return fixed(value, 0);
  const double size = std::abs(value);
  if (size < 1e-4 || size >= 1e15) {
    std::array<char, 32> buffer{};
    const auto end = std::to_chars(buffer.data(), buffer.data() + buffer.size(), value,
                                   std::chars_format::scientific, digits - 1);
    std::string text(buffer.data(), end.ptr);
    if (language_ != Language::kEnglish) std::ranges::replace(text, '.', ',');
    return text;
  }
  const int exponent = static_cast<int>(std::floor(std::log10(size)));
  const int decimals = std::max(0, digits - 1 - exponent);
  std::string text = fixed(value, decimals);
  if (decimals == 0) return text;
  while (text.ends_with('0')) text.pop_back();
  if (text.ends_with('.') || text.ends_with(',')) text.pop_back();
  return text;
}

std::string NumberFormat::compact(double value) const {
  const double size = std::abs(value);
  if (size >= 99.95) return fixed(value, 0);
  if (size >= 0.95 || size == 0) return fixed(value, 1);
  return significant(value, 2);
}

std::string NumberFormat::percent(double ratio) const {
  const double value = ratio * 100;
  const double size = std::abs(value);
  const int decimals = size >= 9.95 ? 0 : 1;
  if (size > 0 && size < 0.05) {
    return "<" + std::string(kNoBreak) + fixed(0.1, 1) + std::string(kNoBreak) + "%";
  }
  std::string text = fixed(value, decimals);
  if (decimals == 1 && text.ends_with('0')) text.erase(text.size() - 2);  // "3.0": 3
  return text + std::string(kNoBreak) + "%";
}

std::string NumberFormat::clock(std::int64_t ns) const {
  const bool negative = ns < 0;
  // Divided before the sign is dropped: the most negative int64 has no positive twin.
  const std::int64_t half = negative ? -kSecond_ns / 2 : kSecond_ns / 2;
  const std::int64_t seconds = std::abs(ns / kSecond_ns + (ns % kSecond_ns + half) / kSecond_ns);
  const std::int64_t hours = seconds / 3600 % 24;
  const std::int64_t days = seconds / 86'400;
  std::string out = negative ? std::string(kMinus) : std::string();
  if (days > 0) out += integer(days) + std::string(kNoBreak) + "d" + std::string(kNoBreak);
  if (days > 0 || hours > 0) {
    out += std::to_string(hours) + ":" + two_digits(seconds / 60 % 60);
  } else {
    out += std::to_string(seconds / 60);
  }
  return out + ":" + two_digits(seconds % 60);
}

std::string NumberFormat::duration(std::int64_t ns) const {
  if (ns >= kClockFrom_ns || ns <= -kClockFrom_ns) return clock(ns);
  constexpr std::array<Unit, 4> kUnits{{{1e9, "s"}, {1e6, "ms"}, {1e3, "µs"}, {1, "ns"}}};
  const double value = static_cast<double>(ns);
  if (ns == 0) return "0" + std::string(kNoBreak) + "ms";
  const Unit& unit = unit_for(std::abs(value), kUnits);
  const std::string number = unit.size == 1 ? integer(ns) : compact(value / unit.size);
  return number + std::string(kNoBreak) + std::string(unit.name);
}

std::string NumberFormat::bytes(double bytes) const {
  constexpr std::array<Unit, 5> kUnits{
      {{0x1p40, "TiB"}, {0x1p30, "GiB"}, {0x1p20, "MiB"}, {0x1p10, "KiB"}, {1, "B"}}};
  const Unit& unit = unit_for(std::abs(bytes), kUnits);
  const double value = bytes / unit.size;
  const std::string number = unit.size == 1 ? fixed(value, 0) : compact(value);
  return number + std::string(kNoBreak) + std::string(unit.name);
}

std::string NumberFormat::bytes_per_s(double bytes_per_s) const {
  constexpr std::array<Unit, 5> kUnits{
      {{1e12, "TB/s"}, {1e9, "GB/s"}, {1e6, "MB/s"}, {1e3, "kB/s"}, {1, "B/s"}}};
  const Unit& unit = unit_for(std::abs(bytes_per_s), kUnits);
  const double value = bytes_per_s / unit.size;
  const std::string number = unit.size == 1 ? fixed(value, 0) : compact(value);
  return number + std::string(kNoBreak) + std::string(unit.name);
}

std::string NumberFormat::with_suffix(std::string_view name, double value) const {
  constexpr std::array<std::string_view, kLanguageCount> kPerStep{"/step", "/paso", "/passo"};
  const std::string per_step(kPerStep[static_cast<std::size_t>(language_)]);
  if (name.ends_with("bytes_per_s")) return bytes_per_s(value);
  if (name.ends_with("bytes_per_step")) return bytes(value) + per_step;
  if (name.ends_with("_per_step")) return compact(value) + per_step;
  if (name.ends_with("_per_s")) return compact(value) + "/s";
  if (name.ends_with("bytes")) return bytes(value);
  if (name.ends_with("ratio")) return percent(value);
  if (name.ends_with("_ns")) return duration(static_cast<std::int64_t>(std::llround(value)));
  const bool whole = std::abs(value) < 1e15 && value == std::round(value);
  // Hundredths of a core are noise.
  if (name.ends_with("cores") && !whole) return fixed(value, 1);
  return whole ? fixed(value, 0) : compact(value);
}

std::string NumberFormat::parameter(std::string_view name, const model::ParamValue& value) const {
  if (const auto* text = std::get_if<std::string>(&value)) return *text;
  if (const auto* number = std::get_if<double>(&value)) {
    const bool rounds_to_ns = name.ends_with("_ns") && std::abs(*number) > 9e18;
    if (!std::isfinite(*number) || rounds_to_ns) return fixed(*number, 0);
    return with_suffix(name, *number);
  }
  const std::int64_t number = std::get<std::int64_t>(value);
  if (is_identifier(name)) return std::to_string(number);
  if (name.ends_with("_ns")) return duration(number);
  if (name.find('_') == std::string_view::npos) return integer(number);
  return with_suffix(name, static_cast<double>(number));
}

}  // namespace latido::report
