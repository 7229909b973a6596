#include "session/named_tables.h"

#include <gtest/gtest.h>

#include <string>

namespace latido::session {
namespace {

TEST(NamedTables, NameFunctionsAsTheyAppear) {
  model::Tables tables;
  tables.sites = {{"fit", model::Category::kFunction, "train.py", 3}};
  NamedTables named({});
  EXPECT_FALSE(named.has_names());
  EXPECT_EQ(named.update(tables).sites[0].name, "fit");
  tables.sites.push_back({"zone", model::Category::kZone, "train.py", 9});
  tables.texts = {"a", "b"};
  tables.tracks = {{model::ProcessId{0}, 7, ""}};
  tables.processes.resize(1);
  const model::Tables& grown = named.update(tables);
  EXPECT_EQ(grown, tables);
  tables.tracks[0].name = "MainThread";
  EXPECT_EQ(named.update(tables).tracks[0].name, "MainThread");
}

}  // namespace
}  // namespace latido::session
