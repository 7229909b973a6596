#include "report/process_text.h"

#include <gtest/gtest.h>

namespace latido::report {
namespace {

TEST(ProcessText, WhatWasNotMeasuredIsNoNumber) {
  const Catalogue catalogue(Language::kEnglish, "");
  const struct {
    const char* name;
    std::int64_t cpu_ns;
    std::int64_t rss_bytes;
    const char* cpu;
    const char* memory;
  } cases[] = {
      {"both", 1'190'000'000, 2'000'000'000, "1.2\u00A0s", "1.9\u00A0GiB"},
      {"less than a tick", 0, 2'000'000'000, "<\u00A010\u00A0ms", "1.9\u00A0GiB"},
      {"never looked at", 0, 0, "n/a", "n/a"},
  };
  for (const auto& c : cases) {
    const analysis::ProcessFacts use{.cpu_ns = c.cpu_ns, .rss_peak_bytes = c.rss_bytes};
    EXPECT_EQ(cpu_time_text(use, catalogue), c.cpu) << c.name;
    EXPECT_EQ(memory_text(use, catalogue), c.memory) << c.name;
  }
}

}  // namespace
}  // namespace latido::report
