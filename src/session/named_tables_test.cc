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

TEST(NamedTables, GiveNativeFunctionsTheNamesThatWereFound) {
  constexpr auto kFunction = model::Category::kFunction;
  model::Tables tables;
  tables.sites = {{"kmeans+0x1a2b#9f86d081", kFunction, "/opt/kmeans", 0}};
  model::FunctionName name;
  name.site = tables.sites[0].name;
  name.module = "/opt/kmeans";
  name.name = "assign(int)";
  name.file = "/src/kmeans.cc";
  name.line = 45;
  NamedTables named({name});
  EXPECT_TRUE(named.has_names());
  EXPECT_EQ(named.update(tables).sites[0],
            (model::Site{"assign(int)", kFunction, "/src/kmeans.cc", 45}));
  tables.sites.push_back({"kmeans+0x9#9f86d081", kFunction, "/opt/kmeans", 0});
  const model::Tables& grown = named.update(tables);
  EXPECT_EQ(grown.sites[0].name, "assign(int)");
  EXPECT_EQ(grown.sites[1].name, "kmeans+0x9") << "without a name: where it lies";
}

}  // namespace
}  // namespace latido::session
