#include "capture/glob.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace latido::capture {
namespace {

TEST(Glob, MatchesTheWholeText) {
  struct Case {
    const char* pattern;
    const char* text;
    bool matches;
  };
  const std::vector<Case> cases{
      {"", "", true},
      {"", "a", false},
      {"*", "", true},
      {"*", "/a/b", true},
      {"a", "a", true},
      {"a", "ab", false},
      {"a*", "abc", true},
      {"*c", "abc", true},
      {"*b", "abc", false},
      {"a?c", "abc", true},
      {"a?c", "ac", false},
      {"*a*b*", "xxaxxbxx", true},
      {"*ab", "aab", true},
      {"*/lib*.so", "/x/libm.so", true},
      {"*/lib*.so", "/x/libm.so.6", false},
  };
  for (const Case& c : cases) {
    SCOPED_TRACE(std::string(c.pattern) + " on " + c.text);
    EXPECT_EQ(glob_matches(c.pattern, c.text), c.matches);
  }
}

TEST(Glob, TakesNoLongerForManyStars) {
  const std::string text(5000, 'a');
  EXPECT_FALSE(glob_matches("*a*a*a*a*a*a*a*a*a*b", text));
}

TEST(FunctionPatterns, IncludeAndExcludeByPathAndName) {
  struct Case {
    const char* name;
    FunctionPatterns patterns;
    bool wanted;
  };
  const std::vector<Case> cases{
      {"none", {}, true},
      {"included by name", {"x,kmeans", ""}, true},
      {"included by path", {"/opt/*", ""}, true},
      {"not included", {"x,y", ""}, false},
      {"excluded", {"", "km*"}, false},
      {"included and excluded", {"*", "*/kmeans"}, false},
      {"empty ones mean nothing", {"", ",,"}, true},
  };
  for (const Case& c : cases) {
    SCOPED_TRACE(c.name);
    EXPECT_EQ(c.patterns.wants("/opt/kmeans", "kmeans"), c.wanted);
  }
}

}  // namespace
}  // namespace latido::capture
