#include "agent/table_builder.h"

#include <gtest/gtest.h>

namespace latido::agent {
namespace {

TEST(TableBuilder, KnowsAProcessByItsStartTickHoweverItsTimeIsRead) {
  TableBuilder tables;
  const model::ProcessId first = tables.process(7, 100, 1, 1'000'000'000);
  EXPECT_EQ(tables.process(7, 100, 1, 1'000'400'000), first);
  EXPECT_EQ(tables.process(first).start_ns, 1'000'000'000);
  EXPECT_NE(tables.process(7, 101, 1, 1'010'000'000), first);
  EXPECT_EQ(tables.tables().processes.size(), 2U);
}

TEST(TableBuilder, KeepsNoSecretOfAText) {
  TableBuilder tables;
  const auto text = model::index_of(tables.text("no answer from https://me:canary@host"));
  EXPECT_EQ(tables.tables().texts[text], "no answer from https://[redacted]@host");
}

TEST(TableBuilder, GivesOneSiteOneIdAndAnUnknownCategoryAZone) {
  TableBuilder tables;
  const model::SiteId load = tables.site("load", "data_wait", "a.py", 3);
  EXPECT_EQ(tables.site("load", "data_wait", "a.py", 3), load);
  EXPECT_NE(tables.site("load", "data_wait", "a.py", 4), load);
  const model::SiteId odd = tables.site("x", "from the future", "", 0);
  EXPECT_EQ(tables.tables().sites[model::index_of(odd)].category, model::Category::kZone);
}

TEST(TableBuilder, TakesAFunctionThatIsKnownByItsAddressForAFunction) {
  TableBuilder tables;
  const model::SiteId site = tables.site("a+0x10#ff", "native_function", "/bin/a", 0);
  EXPECT_EQ(tables.tables().sites[model::index_of(site)].category, model::Category::kFunction);
  EXPECT_EQ(tables.site("a+0x10#ff", "native_function", "/bin/a", 0), site);
}

}  // namespace
}  // namespace latido::agent
