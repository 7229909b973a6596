#include "report/collapsed.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "report/call_tree_fixture.h"

namespace latido::report {
namespace {

using fixtures::CallTreeBuilder;

TEST(Collapsed, HasALineForEachPathWithTime) {
  CallTreeBuilder tree;
  tree.busy({"main@4", "fit@9"}, 2'000'400)
      .busy({"main@5", "fit@8"}, 1'000'000)
      .idle({"main@6"}, 7'500, true)
      .idle({"pool"}, 9'000'000, false);
  EXPECT_EQ(render_collapsed(tree.tree),
            "main (train.py:1) 8\n"
            "main (train.py:1);fit (train.py:1) 3000\n");
  EXPECT_EQ(render_collapsed(tree.tree, CountedTime::kBusy),
            "main (train.py:1);fit (train.py:1) 3000\n");
  EXPECT_EQ(render_collapsed({}), "");
}

TEST(Collapsed, LetsNoNameBreakTheFormat) {
  model::CallTree tree;
  tree.frames = {{"a;b\n9 1", "x\r;y.py", 0}, {"", "", 0}, {"\xff\x1b[31m", "", 3}};
  tree.nodes = {{}, {.parent = 0}, {.parent = 1, .frame = 1}, {.parent = 2, .frame = 2}};
  tree.times.push_back({.node = 3, .busy_ns = 5'000});
  const std::string text = render_collapsed(tree);
  EXPECT_EQ(text, "a,b 9 1 (x ,y.py);?;\uFFFD\uFFFD[31m 5\n");
  EXPECT_EQ(std::ranges::count(text, '\n'), 1);
}

TEST(Collapsed, TakesARecursionOf10000Calls) {
  const std::string text = render_collapsed(fixtures::deep_tree(10'000));
  EXPECT_EQ(std::ranges::count(text, ';'), 9'999);
  EXPECT_TRUE(text.ends_with(" 1000000\n"));
}

}  // namespace
}  // namespace latido::report
