#include "diagnosis/message_ids.h"

#include <gtest/gtest.h>

#include <set>
#include <string>
#include <string_view>

namespace latido::diagnosis {
namespace {

TEST(MessageIds, AreUniqueAndHaveAGist) {
  std::set<std::string_view> seen;
  for (const MessageSpec& spec : kMessages) {
    EXPECT_TRUE(seen.insert(spec.id).second) << spec.id;
    EXPECT_FALSE(spec.gist.empty()) << spec.id;
    EXPECT_NE(spec.id.find('.'), std::string_view::npos) << spec.id;
  }
}

TEST(MessageIds, NameNoParameterTwice) {
  for (const MessageSpec& spec : kMessages) {
    std::set<std::string> seen;
    for (std::string_view param : spec.params) {
      if (param.empty()) continue;
      if (param.ends_with('?')) param.remove_suffix(1);
      EXPECT_TRUE(seen.insert(std::string(param)).second) << spec.id << " " << param;
    }
  }
}

TEST(Mismatch, SaysWhatIsWrong) {
  struct Case {
    std::string_view name;
    model::Message message;
    std::string_view part;  // of the answer; empty: nothing is wrong
  };
  const Case cases[] = {
      {"complete", {"input_bound.waits", model::Params{}.set("wait_ratio", 0.5)}, ""},
      {"optional absent",
       {"input_bound.inline", model::Params{}.set("wait_ratio", 0.5).set("cores", 2.0)},
       ""},
      {"required absent", {"input_bound.waits", {}}, "lacks 'wait_ratio'"},
      {"not listed",
       {"input_bound.waits", model::Params{}.set("wait_ratio", 0.5).set("x", 1.0)},
       "unlisted 'x'"},
      {"unknown id", {"nothing.such", {}}, "unlisted id"},
  };
  for (const Case& c : cases) {
    SCOPED_TRACE(c.name);
    const std::string got = mismatch(c.message);
    if (c.part.empty()) {
      EXPECT_EQ(got, "");
    } else {
      EXPECT_NE(got.find(c.part), std::string::npos) << got;
    }
  }
}

}  // namespace
}  // namespace latido::diagnosis
