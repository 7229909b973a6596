#include "store/sqlite/call_tree_store.h"

#include <gtest/gtest.h>

#include <string>

#include "store/sqlite/run_database.h"
#include "store/testing/temp_folder.h"

namespace latido::store {
namespace {

model::CallTree sample_tree() {
  model::CallTree tree;
  tree.frames = {{"main", "a.py", 1}, {"load; \n λ", "b.py", 9}};
  tree.nodes.push_back({.parent = 0, .frame = 0, .line = 12});
  tree.nodes.push_back({.parent = 1, .frame = 1, .line = 10});
  tree.times = {{.process = model::ProcessId{0}, .node = 1, .busy_ns = 5},
                {.process = model::ProcessId{0}, .node = 2, .main_thread = true, .idle_ns = 70}};
  tree.counts = {.samples = 9, .stacks = 18, .invalid = 1, .truncated = 2, .late = 3};
  return tree;
}

model::CallTree without_root(model::CallTree tree) {
  tree.nodes.erase(tree.nodes.begin());
  return tree;
}

class CallTreeStoreTest : public ::testing::Test {
 protected:
  TempFolder folder_;
  Result<Database> database_ = create_run_database(folder_.path() / "run.db");
  CallTreeStore store_{database_.value()};
};

TEST_F(CallTreeStoreTest, ReadsWhatWasPut) {
  ASSERT_TRUE(store_.put(0, 1, without_root(sample_tree())).has_value());
  const auto read = store_.read();
  ASSERT_TRUE(read.has_value()) << read.error().message;
  EXPECT_EQ(read.value(), sample_tree());
}

TEST_F(CallTreeStoreTest, IsEmptyWhenNothingWasSampled) {
  const auto read = store_.read();
  ASSERT_TRUE(read.has_value()) << read.error().message;
  EXPECT_TRUE(read.value().empty());
  EXPECT_EQ(read.value().nodes.size(), 1U) << "the root";
}

TEST_F(CallTreeStoreTest, LaterPartsAddAndReplace) {
  ASSERT_TRUE(store_.put(0, 1, without_root(sample_tree())).has_value());
  model::CallTree more;
  more.frames = {{"step", "c.py", 3}};
  more.nodes = {{.parent = 1, .frame = 2, .line = 4}};
  more.times = {{.process = model::ProcessId{0}, .node = 1, .busy_ns = 8},
                {.process = model::ProcessId{0}, .node = 3, .busy_ns = 1}};
  more.counts.samples = 10;
  ASSERT_TRUE(store_.put(2, 3, more).has_value());
  const auto read = store_.read();
  ASSERT_TRUE(read.has_value()) << read.error().message;
  EXPECT_EQ(read.value().frames.size(), 3U);
  EXPECT_EQ(read.value().nodes[3], more.nodes[0]);
  ASSERT_EQ(read.value().times.size(), 3U);
  EXPECT_EQ(read.value().times[0].busy_ns, 8);
  EXPECT_EQ(read.value().counts.samples, 10U);
}

TEST_F(CallTreeStoreTest, WhatHangsTogetherNoMoreIsDataLoss) {
  const struct {
    std::string name, sql;
  } cases[] = {
      {"a function is gone", "DELETE FROM call_frames WHERE id = 0"},
      {"a call is gone", "DELETE FROM call_nodes WHERE id = 1"},
      {"a parent behind its child", "UPDATE call_nodes SET parent = 2 WHERE id = 1"},
      {"a negative frame", "UPDATE call_nodes SET frame = -1 WHERE id = 1"},
      {"a time of no call", "UPDATE call_times SET node = 77 WHERE node = 2"},
      {"a negative time", "UPDATE call_times SET busy_ns = -5 WHERE node = 2"},
  };
  for (const auto& c : cases) {
    SCOPED_TRACE(c.name);
    const TempFolder folder;
    auto database = create_run_database(folder.path() / "run.db");
    CallTreeStore store(database.value());
    ASSERT_TRUE(store.put(0, 1, without_root(sample_tree())).has_value());
    ASSERT_TRUE(database.value().execute(c.sql).has_value());
    const auto read = store.read();
    ASSERT_FALSE(read.has_value());
    EXPECT_EQ(read.error().code, ErrorCode::kDataLoss);
  }
}

}  // namespace
}  // namespace latido::store
