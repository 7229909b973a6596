#include "session/native_names.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace latido::session {
namespace {

model::Tables tables_of(const std::vector<model::Site>& sites) {
  model::Tables tables;
  tables.sites = sites;
  return tables;
}

model::Site function(const std::string& name, const std::string& file, std::uint32_t line = 0) {
  return {.name = name, .category = model::Category::kFunction, .file = file, .line = line};
}

TEST(NativeNames, AreGivenToTheSitesThatTheyBelongTo) {
  struct Case {
    const char* name;
    model::Site site;
    model::Site wanted;
  };
  model::Site zone = function("a+0x10#ff", "/bin/a");
  zone.category = model::Category::kZone;
  const std::vector<Case> cases{
      {"found", function("a+0x10#ff", "/bin/a"), function("f(int)", "/src/a.cc", 7)},
      {"name only", function("a+0x20#ff", "/bin/a"), function("g()", "/bin/a")},
      {"not found", function("a+0x30#ff", "/bin/a"), function("a+0x30", "/bin/a")},
      {"never asked for", function("a+0x40#ff", "/bin/a"), function("a+0x40", "/bin/a")},
      {"of another file", function("a+0x10#ff", "/lib/a"), function("a+0x10", "/lib/a")},
      {"of another build", function("a+0x10#fe", "/bin/a"), function("a+0x10", "/bin/a")},
      {"a function of Python", function("Trainer.fit", "/t.py", 3),
       function("Trainer.fit", "/t.py", 3)},
      {"one that is named so", function("a+0x10#ff", "/bin/a", 3),
       function("a+0x10#ff", "/bin/a", 3)},
      {"a zone that is named so", zone, zone},
  };
  const std::vector<model::FunctionName> names{{"a+0x10#ff", "/bin/a", "f(int)", "/src/a.cc", 7},
                                               {"a+0x20#ff", "/bin/a", "g()", "", 0},
                                               {"a+0x30#ff", "/bin/a", "", "", 0}};
  for (const Case& c : cases) {
    SCOPED_TRACE(c.name);
    model::Tables tables = tables_of({c.site});
    EXPECT_EQ(has_native_functions(tables), c.site.name != c.wanted.name);
    apply_native_names(names, tables);
    EXPECT_EQ(tables.sites[0], c.wanted);
    EXPECT_FALSE(has_native_functions(tables));
  }
}

TEST(NativeNames, OfAFileThatIsGoneAreMissingAndItIsSaid) {
  const FoundNames found = find_native_names(
      tables_of({function("Trainer.fit", "/t.py", 3), function("a+0x10#ff", "/no/such/file")}));
  ASSERT_EQ(found.names.size(), 1U);
  EXPECT_EQ(found.names[0], (model::FunctionName{"a+0x10#ff", "/no/such/file", "", "", 0}));
  ASSERT_EQ(found.problems.size(), 1U);
  EXPECT_NE(found.problems[0].find("/no/such/file"), std::string::npos);
}

}  // namespace
}  // namespace latido::session
