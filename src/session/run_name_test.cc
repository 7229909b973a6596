#include "session/run_name.h"

#include <gtest/gtest.h>

namespace latido::session {
namespace {

struct Case {
  std::vector<std::string> arguments;
  std::string name;
};

TEST(ScriptName, IsWhatAPersonWouldCallTheRun) {
  const std::vector<Case> cases{
      {{"python", "train.py"}, "train"},
      {{"/usr/bin/python3", "-u", "src/train.py", "--config", "big.yaml"}, "train"},
      {{"python", "-m", "pkg.train", "--out", "x.py"}, "pkg.train"},
      {{"torchrun", "--nproc-per-node", "2", "train.py"}, "train"},
      {{"python", "-m", "torch.distributed.run", "train.py"}, "train"},
      {{"bash", "train.sh"}, "train"},
      {{"bash", "-c", "echo $$ > job.pid; cd src && python 'train.py' --lr 1"}, "train"},
      {{"bash", "-c", "./train.py"}, "train"},
      {{"sh", "-ec", "python -m pkg.train"}, "pkg.train"},
      {{"bash", "-c", "sleep 1; echo done > x.pid"}, "bash"},
      {{"bash", "-c"}, "bash"},
      {{"bash", "-c", ""}, "bash"},
      {{"./job", "--fast", "data.csv"}, "job"},
      {{"./train.py"}, "train.py"},
      {{"python"}, "python"},
      {{"python", "-m"}, "python"},
      {{"python", "-c", "print(1)"}, "python"},
      {{"python", ".py"}, "python"},
  };
  for (const Case& one : cases) {
    EXPECT_EQ(script_name(one.arguments), one.name) << one.arguments.back();
  }
}

}  // namespace
}  // namespace latido::session
