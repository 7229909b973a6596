// Nanoseconds as the microseconds of the Trace Event Format, exact: "1234.567", "12", "-0.001".
//
// Never through a floating-point number: a run of a week has no exact doubles for its nanoseconds. Pure.
#pragma once

#include <charconv>
#include <cstdint>
#include <string>

namespace latido::formats::chrome_json {

inline void append_micros(std::string& out, std::int64_t ns) {
  constexpr std::uint64_t kPerMicro = 1'000;
  const bool negative = ns < 0;
  const std::uint64_t size =
      negative ? ~static_cast<std::uint64_t>(ns) + 1 : static_cast<std::uint64_t>(ns);
  char text[24];
  const auto [end, error] = std::to_chars(text, text + sizeof text, size / kPerMicro);
  static_cast<void>(error);  // 24 characters hold every number
  if (negative) out += '-';
  out.append(text, end);
  std::uint64_t rest = size % kPerMicro;
  if (rest == 0) return;
  out += '.';
  for (std::uint64_t place = kPerMicro / 10; rest > 0; place /= 10) {
    out += static_cast<char>('0' + rest / place);
    rest %= place;
  }
}

}  // namespace latido::formats::chrome_json
