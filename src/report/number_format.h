// NumberFormat: numbers as people of one language read them. 3,493.8 is 3.493,8 in Spanish and
// Italian.
//
// Between a number and its unit stands a no-break space (U+00A0), so that no line ends between
// them; the terminal shows it as a plain one. Negative numbers carry the minus sign U+2212. Pure.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "model/finding.h"
#include "report/language.h"

namespace latido::report {

class NumberFormat {
 public:
  explicit NumberFormat(Language language) noexcept;

  std::string integer(std::int64_t value) const;            // "8,480"
  std::string fixed(double value, int decimals) const;      // "3,493.8"
  std::string significant(double value, int digits) const;  // "2.31", "0.84", "12,345"
  std::string compact(double value) const;  // "412", "9.1", "0.84": at least two digits that count
  std::string percent(double ratio) const;  // 0.573 → "57 %", 0.022 → "2.2 %"
  std::string duration(std::int64_t ns) const;  // "412 ms", "41.6 s"; a clock from two minutes on
  std::string clock(std::int64_t ns) const;     // "36:58", "1:02:14", "2 d 3:04:05"
  std::string bytes(double bytes) const;        // "51.3 GiB"
  std::string bytes_per_s(double bytes_per_s) const;  // "4.2 GB/s"

  // By the suffix of the parameter's name: _ns, _ratio, _bytes, _bytes_per_s, _bytes_per_step,
  // _per_s, _per_step, _cores. Line numbers, process ids and codes are never grouped.
  std::string parameter(std::string_view name, const model::ParamValue& value) const;

 private:
  std::string with_suffix(std::string_view name, double value) const;

  Language language_;
};

}  // namespace latido::report
