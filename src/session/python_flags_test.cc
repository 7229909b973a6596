#include "session/python_flags.h"

#include <gtest/gtest.h>

namespace latido::session {
namespace {

TEST(KeepsHooksOut, IsTrueForIsolatedPythonOnly) {
  const std::vector<std::vector<std::string>> isolated{
      {"python", "-I", "train.py"},
      {"/usr/bin/python3.12", "-sE", "train.py"},
      {"python", "-X", "dev", "-S", "-c", "pass"},
      {"python", "-Xdev", "-u", "-I", "-m", "pkg"},
  };
  for (const auto& arguments : isolated) EXPECT_TRUE(keeps_hooks_out(arguments)) << arguments[1];
  const std::vector<std::vector<std::string>> open{
      {"python"},
      {"python", "train.py", "-I"},
      {"python", "-c", "-I"},
      {"python", "-mSomething"},
      {"python", "-W", "-I"},
      {"python", "-WIgnore", "train.py"},
      {"python", "--version", "-"},
      {"grep", "-I", "x"},
  };
  for (const auto& arguments : open) EXPECT_FALSE(keeps_hooks_out(arguments)) << arguments.back();
}

}  // namespace
}  // namespace latido::session
