#include "store/sqlite/function_name_store.h"

#include <gtest/gtest.h>

#include <vector>

#include "store/sqlite/run_database.h"
#include "store/testing/temp_folder.h"

namespace latido::store {
namespace {

using Names = std::vector<model::FunctionName>;

TEST(FunctionNameStore, ReadsWhatWasPutAndReplacesTheSameSite) {
  const TempFolder folder;
  auto database = create_run_database(folder.path() / "run.db");
  ASSERT_TRUE(database.has_value()) << database.error().message;
  FunctionNameStore store(database.value());
  EXPECT_EQ(store.read().value(), Names{});

  const model::FunctionName other{"a+0x10#ff", "/b/a", "", "", 0};
  const model::FunctionName before{"a+0x10#ff", "/a", "f", "x.cc", 3};
  const model::FunctionName after{"a+0x10#ff", "/a", "f(λ\n)", "y.cc", 4};
  ASSERT_TRUE(store.put(Names{before, other}).has_value());
  ASSERT_TRUE(store.put(Names{after}).has_value());
  EXPECT_EQ(store.read().value(), (Names{after, other}));
}

}  // namespace
}  // namespace latido::store
