#include "session/git_commit.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <fstream>

namespace latido::session {
namespace {

namespace fs = std::filesystem;
const std::string kCommit(40, 'a');

class GitCommitTest : public ::testing::Test {
 protected:
  void SetUp() override {
    fs::remove_all(root_);
    fs::create_directories(root_ / ".git/refs/heads");
    fs::create_directories(root_ / "src/deep");
  }
  void TearDown() override { fs::remove_all(root_); }
  void write(const std::string& path, const std::string& text) {
    std::ofstream(root_ / path) << text;
  }

  const fs::path root_ = fs::temp_directory_path() / ("latido-git-" + std::to_string(::getpid()));
};

TEST_F(GitCommitTest, FollowsTheBranchFromADeepFolder) {
  write(".git/HEAD", "ref: refs/heads/main\n");
  write(".git/refs/heads/main", kCommit + "\n");
  EXPECT_EQ(read_git_commit(root_ / "src/deep"), kCommit);
}

TEST_F(GitCommitTest, FindsPackedBranchesAndDetachedHeads) {
  write(".git/HEAD", "ref: refs/heads/main\n");
  write(".git/packed-refs", "# pack-refs\n" + kCommit + " refs/heads/main\n");
  EXPECT_EQ(read_git_commit(root_), kCommit);
  write(".git/HEAD", kCommit + "\n");
  EXPECT_EQ(read_git_commit(root_), kCommit);
}

TEST_F(GitCommitTest, IsEmptyWhereThereIsNoCommit) {
  write(".git/HEAD", "ref: refs/heads/main\n");
  EXPECT_EQ(read_git_commit(root_), "");
  write(".git/HEAD", "nonsense\n");
  EXPECT_EQ(read_git_commit(root_), "");
  EXPECT_EQ(read_git_commit("/proc"), "");
}

}  // namespace
}  // namespace latido::session
