#include "analysis/function_list.h"

#include <gtest/gtest.h>

#include <string>

namespace latido::analysis {
namespace {

constexpr model::SiteId kFit{0};
constexpr model::SiteId kTiny{1};
constexpr model::SiteId kTinyOfWorker{4};

model::Tables make_tables() {
  model::Tables tables;
  tables.sites = {{"fit", model::Category::kFunction, "train.py", 9},
                  {"tiny", model::Category::kFunction, "train.py", 5},
                  {"forward", model::Category::kForward, "", 0},
                  {"helper", model::Category::kExcluded, "lib.py", 3},
                  {"tiny", model::Category::kFunction, "train.py", 5}};
  return tables;
}

// "recorded fit 2, elided tiny 1, …"
std::string shown(const std::vector<ListedFunction>& list) {
  std::string out;
  for (const ListedFunction& function : list) {
    out += (out.empty() ? "" : ", ") + std::string(to_text(function.state)) + " " + function.name +
           " " + std::to_string(function.calls);
  }
  return out;
}

TEST(FunctionList, SaysWhatBecameOfEachFunction) {
  FunctionTable trainer;
  trainer.add({.site = kFit, .duration_ns = 5}, false);
  trainer.add({.site = kFit, .duration_ns = 5}, false);
  trainer.add({.site = kTiny, .duration_ns = 5}, false);
  trainer.set_elided(kTiny);
  FunctionTable worker;
  worker.add({.site = kTinyOfWorker, .duration_ns = 5}, false);
  const FunctionTable* const tables[] = {&trainer, nullptr, &worker};
  EXPECT_EQ(shown(list_functions(make_tables(), tables)),
            "recorded fit 2, elided tiny 2, excluded helper 0");
  EXPECT_EQ(count_excluded(make_tables()), 1U);
}

TEST(FunctionList, IsEmptyWithoutFunctions) {
  EXPECT_TRUE(list_functions({}, {}).empty());
  EXPECT_EQ(count_excluded({}), 0U);
}

}  // namespace
}  // namespace latido::analysis
