#include "report/hook_text.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <regex>
#include <string>
#include <string_view>
#include <vector>

namespace latido::report {
namespace {

TEST(HookText, SaysOurReasonsInEveryLanguage) {
  struct Case {
    std::string_view state;
    std::string_view english;
    std::string_view spanish;
    std::string_view italian;
  };
  const Case cases[] = {
      {"ok", "ok", "ok", "ok"},
      {"absent: torch._dynamo was imported first", "absent: torch._dynamo was imported first",
       "ausente: torch._dynamo se importó antes", "assente: torch._dynamo è stato importato prima"},
      {"absent: Optimizer has no step", "absent: Optimizer has no step",
       "ausente: Optimizer no tiene step", "assente: Optimizer non ha step"},
      {"absent: no GradScaler", "absent: no GradScaler", "ausente: falta GradScaler",
       "assente: manca GradScaler"},
      {"absent", "absent", "ausente", "assente"},
      {"failed: KeyError('a has no b')", "failed: KeyError('a has no b')",
       "falló: KeyError('a has no b')", "fallito: KeyError('a has no b')"},
      {"of a later version", "of a later version", "of a later version", "of a later version"},
  };
  for (const Case& c : cases) {
    EXPECT_EQ(hook_state_text(c.state, Catalogue(Language::kEnglish)), c.english);
    EXPECT_EQ(hook_state_text(c.state, Catalogue(Language::kSpanish)), c.spanish);
    EXPECT_EQ(hook_state_text(c.state, Catalogue(Language::kItalian)), c.italian);
  }
}

// The texts that a probe may return as the reason why it does not fit, a name for each {…}.
std::vector<std::string> reasons_in(const std::filesystem::path& file) {
  std::ifstream in(file);
  std::vector<std::string> found;
  const std::regex text(R"re(f?"([^"]+)")re");
  bool in_probe = false;
  for (std::string line; std::getline(in, line);) {
    if (line.starts_with("def ")) in_probe = line.starts_with("def probe");
    const std::size_t start = line.find("return ");
    if (!in_probe || start == std::string::npos) continue;
    // The reason stands last: return None if "x" in y else "no x".
    const std::size_t otherwise = line.find(" else ", start);
    const std::string tail = line.substr(otherwise == std::string::npos ? start : otherwise);
    std::smatch match;
    if (!std::regex_search(tail, match, text)) continue;
    found.push_back(std::regex_replace(match[1].str(), std::regex(R"(\{[^}]*\})"), "name"));
  }
  return found;
}

TEST(HookText, KnowsEveryReasonOfTheRecorder) {
  const std::filesystem::path folder =
      std::filesystem::path(LATIDO_GOLDEN_DIR) / "../../../python/latido/_hooks";
  std::size_t count = 0;
  const Catalogue spanish(Language::kSpanish);
  for (const auto& file : std::filesystem::directory_iterator(folder)) {
    if (file.path().extension() != ".py") continue;
    for (const std::string& reason : reasons_in(file.path())) {
      ++count;
      EXPECT_NE(hook_reason_text(reason, spanish), reason) << file.path();
    }
  }
  EXPECT_GT(count, 8U);
}

}  // namespace
}  // namespace latido::report
