#include "diagnosis/hot_function.h"

#include <gtest/gtest.h>

#include "diagnosis/facts_fixture.h"

namespace latido::diagnosis {
namespace {

analysis::FunctionTime function(const char* name, const char* file, std::int64_t sampled_ns) {
  return {.name = name, .file = file, .line = 7, .sampled_self_ns = sampled_ns};
}

analysis::RankFacts rank_with(std::vector<analysis::FunctionTime> functions) {
  analysis::RankFacts rank;
  rank.functions = std::move(functions);
  rank.sampled_steps_ns = 1000;
  return rank;
}

TEST(HotFunction, IsTheProgramsOwnWithTheMostTime) {
  const auto rank =
      rank_with({function("_max_pool2d", "/v/lib/python3.11/site-packages/torch/x.py", 600),
                 function("_find", "<frozen importlib._bootstrap>", 500),
                 function("get", "/usr/lib/python3.11/queue.py", 400),
                 function("small", "/home/ana/train.py", 110),
                 function("tokenise", "/home/ana/train.py", 350)});
  const auto hot = hot_function({}, rank);
  ASSERT_TRUE(hot.has_value());
  EXPECT_EQ(hot->function->name, "tokenise");
  EXPECT_DOUBLE_EQ(hot->ratio, 0.35);
}

TEST(HotFunction, IsNoneThatTakesLessThanATenth) {
  EXPECT_TRUE(hot_function({}, rank_with({function("f", "a.py", 100)})).has_value());
  EXPECT_FALSE(hot_function({}, rank_with({function("f", "a.py", 99)})).has_value());
}

TEST(HotFunction, IsUnknownWhereStacksWereNotSampled) {
  EXPECT_FALSE(
      hot_function({}, rank_with({function("f", "a.py", model::kNotMeasured)})).has_value());
  EXPECT_FALSE(hot_function({}, rank_with({})).has_value());
}

TEST(HotFunction, OfWorkersIsAPartOfWhatTheyCompute) {
  analysis::RankFacts rank;
  rank.worker_functions = {function("decode", "data.py", 300),
                           function("crop", "/x/site-packages/p.py", 100)};
  const auto hot = hot_worker_function(rank);
  ASSERT_TRUE(hot.has_value());
  EXPECT_DOUBLE_EQ(hot->ratio, 0.75);
}

TEST(HotFunction, NamesItselfAsEvidence) {
  const auto rank = rank_with({function("tokenise", "train.py", 350)});
  FindingBuilder finding("other-heavy", {});
  add_evidence(finding, hot_function({}, rank));
  add_evidence(finding, std::nullopt);
  const model::Finding found = finding.take();
  ASSERT_EQ(found.evidence.size(), 1U);
  EXPECT_EQ(mismatch(found.evidence[0].message), "");
}

}  // namespace
}  // namespace latido::diagnosis
