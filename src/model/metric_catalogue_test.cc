#include "model/metric_catalogue.h"

#include <gtest/gtest.h>

#include <array>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>

namespace latido::model {
namespace {

constexpr std::array kUnits{Unit::kOne, Unit::kBytes, Unit::kCores, Unit::kNanoseconds};

TEST(MetricCatalogue, FindsEveryEntryAndNothingElse) {
  for (const Metric& metric : kMetricCatalogue) {
    SCOPED_TRACE(metric.name);
    const Metric* const found = find_metric(metric.name);
    ASSERT_NE(found, nullptr);
    EXPECT_EQ(*found, metric);
  }
  EXPECT_EQ(find_metric(""), nullptr);
  EXPECT_EQ(find_metric("proc"), nullptr);
  EXPECT_EQ(find_metric("proc.cpu.user_n"), nullptr);
  EXPECT_EQ(find_metric("zzz"), nullptr);
}

TEST(MetricCatalogue, NamesEndInTheirUnit) {
  for (const Metric& metric : kMetricCatalogue) {
    SCOPED_TRACE(metric.name);
    const std::string_view suffix = suffix_of(metric.unit);
    EXPECT_TRUE(metric.name.ends_with(suffix));
    for (const Unit other : kUnits) {
      if (other == metric.unit || other == Unit::kOne) continue;
      EXPECT_FALSE(metric.name.ends_with(suffix_of(other)));
    }
  }
}

TEST(MetricCatalogue, NamesAreDottedLowerCaseAndHelpIsASentence) {
  for (const Metric& metric : kMetricCatalogue) {
    SCOPED_TRACE(metric.name);
    EXPECT_EQ(metric.name.find_first_not_of("abcdefghijklmnopqrstuvwxyz._"),
              std::string_view::npos);
    EXPECT_NE(metric.name.find('.'), std::string_view::npos);
    EXPECT_TRUE(metric.help.ends_with('.'));
    EXPECT_EQ(metric.help.find('|'), std::string_view::npos) << "breaks the table in docs/";
  }
}

std::string page() {
  std::string text =
      "# Metrics\n"
      "\n"
      "Every series that Latido can record. A counter only grows: read its rate, not its value. A\n"
      "series that this machine or kernel cannot give is absent, never 0.\n"
      "\n"
      "This page is written by `LATIDO_UPDATE_DOCS=1 model_test` from\n"
      "`src/model/metric_catalogue.h`, and a test keeps the two equal.\n"
      "\n"
      "| name | unit | kind | meaning |\n"
      "|---|---|---|---|\n";
  for (const Metric& metric : kMetricCatalogue) {
    text.append("| `").append(metric.name).append("` | ");
    text.append(to_text(metric.unit)).append(" | ");
    text.append(to_text(metric.kind)).append(" | ");
    text.append(metric.help).append(" |\n");
  }
  return text;
}

TEST(MetricCatalogue, DocsPageSaysTheSame) {
  const auto path =
      std::filesystem::path(__FILE__).parent_path().parent_path().parent_path() / "docs/metrics.md";
  if (std::getenv("LATIDO_UPDATE_DOCS") != nullptr) {
    std::ofstream(path, std::ios::binary) << page();
  }
  std::ifstream file(path, std::ios::binary);
  ASSERT_TRUE(file.is_open()) << path;
  const std::string got{std::istreambuf_iterator<char>(file), {}};
  EXPECT_EQ(got, page()) << "run LATIDO_UPDATE_DOCS=1 model_test and read the difference";
}

}  // namespace
}  // namespace latido::model
