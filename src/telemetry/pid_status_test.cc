#include "telemetry/pid_status.h"

#include <gtest/gtest.h>

#include <string_view>
#include <vector>

namespace latido::telemetry {
namespace {

TEST(ParsePidStatus, TakesWhatIsThere) {
  struct Case {
    std::string_view name;
    std::string_view text;
    PidStatus want;
  };
  const std::vector<Case> cases{
      {"kernel thread",
       "Name:\tkthreadd\nvoluntary_ctxt_switches:\t5\nnonvoluntary_ctxt_switches:\t0\n",
       {{}, {}, 5, 0}},
      {"process",
       "Name:\ta: b\nVmHWM:\t    2000 kB\nVmRSS:\t    1628 kB\nVmSwap:\t       3 kB\nThreads:\t1\n"
       "voluntary_ctxt_switches:\t12\nnonvoluntary_ctxt_switches:\t7\n",
       {3072, 2048000, 12, 7}},
  };
  for (const Case& c : cases) {
    SCOPED_TRACE(c.name);
    const auto got = parse_pid_status(c.text);
    ASSERT_TRUE(got.has_value()) << got.error().message;
    EXPECT_EQ(got.value(), c.want);
  }
}

TEST(ParsePidStatus, RejectsAndNamesTheBadField) {
  struct Case {
    std::string_view name;
    std::string_view text;
    std::string_view message_part;
  };
  const std::vector<Case> cases{
      {"empty", "", "no field 'voluntary_ctxt_switches'"},
      {"cut", "voluntary_ctxt_switches:\t5\nnonvol", "no field 'nonvoluntary_ctxt_switches'"},
      {"no number", "VmSwap:\n", "'VmSwap'"},
      {"too large", "VmSwap:\t18014398509481984 kB\n", "'VmSwap'"},
      {"negative", "voluntary_ctxt_switches:\t-1\n", "'voluntary_ctxt_switches'"},
      {"letters", "nonvoluntary_ctxt_switches:\t1e3\n", "'nonvoluntary_ctxt_switches'"},
  };
  for (const Case& c : cases) {
    SCOPED_TRACE(c.name);
    const auto got = parse_pid_status(c.text);
    ASSERT_FALSE(got.has_value());
    EXPECT_EQ(got.error().code, ErrorCode::kInvalidInput);
    EXPECT_NE(got.error().message.find(c.message_part), std::string::npos) << got.error().message;
  }
}

TEST(FindAllowedCores, TakesTheListNotTheMask) {
  EXPECT_EQ(find_allowed_cores("Cpus_allowed:\tff\nCpus_allowed_list:\t0-7\n"), "0-7");
  EXPECT_EQ(find_allowed_cores("Name:\tx\n"), "");
}

}  // namespace
}  // namespace latido::telemetry
