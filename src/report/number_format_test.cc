#include "report/number_format.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <string>
#include <string_view>
#include <vector>

namespace latido::report {
namespace {

// With plain spaces, so that the expectations below can be read.
std::string visible(std::string text) {
  for (std::size_t at = text.find("\u00A0"); at != std::string::npos; at = text.find("\u00A0")) {
    text.replace(at, 2, " ");
  }
  return text;
}

const NumberFormat kEn(Language::kEnglish);
const NumberFormat kEs(Language::kSpanish);
const NumberFormat kIt(Language::kItalian);

TEST(NumberFormat, FormatsEachKindInEnglish) {
  struct Case {
    std::string_view name;
    std::string got;
    std::string_view want;
  };
  const std::vector<Case> cases{
      {"integer grouped", kEn.integer(8480), "8,480"},
      {"integer negative", kEn.integer(-1234567), "−1,234,567"},
      {"integer smallest", kEn.integer(std::numeric_limits<std::int64_t>::min()),
       "−9,223,372,036,854,775,808"},
      {"fixed grouped", kEn.fixed(3493.8, 1), "3,493.8"},
      {"fixed no minus zero", kEn.fixed(-0.001, 1), "0.0"},
      {"fixed nan", kEn.fixed(std::nan(""), 1), "NaN"},
      {"significant", kEn.significant(2.3051, 3), "2.31"},
      {"significant trims", kEn.significant(0.840001, 3), "0.84"},
      {"significant large", kEn.significant(12345.6, 3), "12,346"},
      {"significant tiny", kEn.significant(0.000012, 3), "1.20e-05"},
      {"compact small", kEn.compact(0.844), "0.84"},
      {"compact one", kEn.compact(9.12), "9.1"},
      {"compact hundred", kEn.compact(412.4), "412"},
      {"percent large", kEn.percent(0.573), "57 %"},
      {"percent small", kEn.percent(0.022), "2.2 %"},
      {"percent tiny", kEn.percent(0.0001), "< 0.1 %"},
      {"percent zero", kEn.percent(0), "0 %"},
      {"percent whole", kEn.percent(0.03), "3 %"},
      {"percent just under ten", kEn.percent(0.0996), "10 %"},
      {"duration ms", kEn.duration(412'000'000), "412 ms"},
      {"duration small ms", kEn.duration(9'120'000), "9.1 ms"},
      {"duration us", kEn.duration(18'600), "18.6 µs"},
      {"duration ns", kEn.duration(840), "840 ns"},
      {"duration s", kEn.duration(41'600'000'000), "41.6 s"},
      {"duration rounds up to the next unit", kEn.duration(999'970'000), "1.0 s"},
      {"duration clock", kEn.duration(3'734'000'000'000), "1:02:14"},
      {"duration negative", kEn.duration(-7'500'000), "−7.5 ms"},
      {"clock minutes", kEn.clock(2'218'000'000'000), "36:58"},
      {"clock days", kEn.clock((2LL * 86400 + 3 * 3600 + 4 * 60 + 5) * 1'000'000'000),
       "2 d 3:04:05"},
      {"clock smallest", kEn.clock(std::numeric_limits<std::int64_t>::min()),
       "−106,751 d 23:47:17"},
      {"bytes", kEn.bytes(51.3 * 0x1p30), "51.3 GiB"},
      {"bytes plain", kEn.bytes(12), "12 B"},
      {"bytes per s", kEn.bytes_per_s(4.2e9), "4.2 GB/s"},
  };
  for (const Case& c : cases) EXPECT_EQ(visible(c.got), c.want) << c.name;
}

TEST(NumberFormat, UsesCommaAndPointTheOtherWayRound) {
  EXPECT_EQ(kEs.fixed(3493.8, 1), "3.493,8");
  EXPECT_EQ(kIt.fixed(3493.8, 1), "3.493,8");
  EXPECT_EQ(kIt.integer(8480), "8.480");
  EXPECT_EQ(visible(kEs.duration(9'120'000)), "9,1 ms");
}

TEST(NumberFormat, GoesByTheSuffixOfTheParameter) {
  struct Case {
    std::string_view name;
    model::ParamValue value;
    std::string_view want;
  };
  const std::vector<Case> cases{
      {"wait_ratio", 0.573, "57 %"},
      {"ratio", 0.99, "99 %"},
      {"batch_ns", std::int64_t{816'000'000}, "816 ms"},
      {"mean_ns", 9'120'000.4, "9.1 ms"},
      {"rss_bytes", std::int64_t{1} << 30, "1.0 GiB"},
      {"read_bytes_per_s", 4.2e9, "4.2 GB/s"},
      {"growth_bytes_per_step", 38.0 * 0x1p20, "38.0 MiB/step"},
      {"faults_per_s", 12.0, "12.0/s"},
      {"samples_per_s", 621.3, "621/s"},
      {"steps", std::int64_t{8471}, "8,471"},
      {"line", std::int64_t{1088}, "1088"},
      {"pid", std::int64_t{31337}, "31337"},
      {"workers", 6.0, "6"},
      {"factor", 2.183, "2.2"},
      {"queue_empty", std::int64_t{8471}, "8,471"},
      {"idle_cores", 0.0086, "0.0"},
      {"cores", 32.0, "32"},
      {"file", std::string("train.py"), "train.py"},
      {"far_ns", 1e300, "not finite, no crash"},
  };
  for (const Case& c : cases) {
    if (c.name == "far_ns") {
      EXPECT_FALSE(kEn.parameter(c.name, c.value).empty());
      continue;
    }
    EXPECT_EQ(visible(kEn.parameter(c.name, c.value)), c.want) << c.name;
  }
}

TEST(Language, IsFoundInLocaleNames) {
  EXPECT_EQ(language_from_text("es_ES.UTF-8"), Language::kSpanish);
  EXPECT_EQ(language_from_text("it"), Language::kItalian);
  EXPECT_EQ(language_from_text("en-GB"), Language::kEnglish);
  EXPECT_EQ(language_from_text("C.UTF-8"), std::nullopt);
  EXPECT_EQ(language_from_text(""), std::nullopt);
  EXPECT_EQ(language_from_text("est"), std::nullopt);
}

}  // namespace
}  // namespace latido::report
