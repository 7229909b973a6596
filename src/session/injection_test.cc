#include "session/injection.h"

#include <gtest/gtest.h>

namespace latido::session {
namespace {

const Injection kInjection{
    .socket_path = "/s", .run_id = "R", .home = "/h", .python_hook_folder = "/p"};

TEST(Inject, PutsOurFolderInFrontOfTheUsersPythonPath) {
  const auto out = inject({"A=1", "PYTHONPATH=/mine:/other"}, kInjection);
  EXPECT_EQ(environment_value(out, "PYTHONPATH"), "/p:/mine:/other");
  EXPECT_EQ(environment_value(out, "A"), "1");
}

TEST(Inject, AddsNoEmptyEntryWhichPythonWouldTakeForTheWorkingFolder) {
  EXPECT_EQ(environment_value(inject({}, kInjection), "PYTHONPATH"), "/p");
  EXPECT_EQ(environment_value(inject({"PYTHONPATH="}, kInjection), "PYTHONPATH"), "/p");
}

TEST(Inject, LeavesPythonAloneWithoutHooks) {
  Injection injection = kInjection;
  injection.python_hook_folder.clear();
  const auto out = inject({"PYTHONPATH=/mine"}, injection);
  EXPECT_EQ(environment_value(out, "PYTHONPATH"), "/mine");
  EXPECT_EQ(environment_value(out, "LATIDO_SOCKET"), "/s");
}

TEST(Inject, ReplacesAnOlderRunsValues) {
  const auto out = inject({"LATIDO_SOCKET=/old", "LATIDO_RUN_ID=old"}, kInjection);
  EXPECT_EQ(environment_value(out, "LATIDO_SOCKET"), "/s");
  EXPECT_EQ(environment_value(out, "LATIDO_RUN_ID"), "R");
  EXPECT_EQ(out.size(), 8U);
}

TEST(Inject, HandsOnWhatToRecordOfFunctions) {
  Injection injection = kInjection;
  injection.functions = "full";
  injection.include = "train*,Model.*";
  injection.exclude = "*/site-packages/*";
  injection.layers = true;
  const auto out = inject({"LATIDO_RUN_FUNCTIONS=off"}, injection);
  EXPECT_EQ(environment_value(out, "LATIDO_RUN_LAYERS"), "true");
  EXPECT_EQ(environment_value(out, "LATIDO_RUN_FUNCTIONS"), "full");
  EXPECT_EQ(environment_value(out, "LATIDO_RUN_INCLUDE"), "train*,Model.*");
  EXPECT_EQ(environment_value(out, "LATIDO_RUN_EXCLUDE"), "*/site-packages/*");
}

}  // namespace
}  // namespace latido::session
