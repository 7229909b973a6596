#include "store/home.h"

#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <string_view>
#include <vector>

#include "store/testing/temp_folder.h"

namespace latido::store {
namespace {

TEST(ChooseHome, FollowsTheEnvironment) {
  struct Case {
    std::string_view name;
    HomeEnvironment environment;
    std::string_view folder;
    std::string_view fallback;
  };
  const std::vector<Case> cases{
      {"LATIDO_HOME wins", {"/data/l", "/home/a", "", "", 7}, "/data/l", "/tmp/latido-7"},
      {"HOME", {"", "/home/a", "", "/var/t", 7}, "/home/a/.latido", "/var/t/latido-7"},
      {"Slurm's folder before TMPDIR",
       {"", "/home/a", "/s", "/t", 7},
       "/home/a/.latido",
       "/s/latido-7"},
      {"no HOME", {"", "", "", "/t", 7}, "/t/latido-7", "/t/latido-7"},
  };
  for (const Case& c : cases) {
    SCOPED_TRACE(c.name);
    const HomeChoice got = choose_home(c.environment);
    EXPECT_EQ(got.folder, c.folder);
    EXPECT_EQ(got.fallback, c.fallback);
  }
}

TEST(PrepareHome, MakesAPrivateFolder) {
  const TempFolder temp;
  const auto home = prepare_home({temp.path() / "a" / "b", temp.path() / "fallback"});
  ASSERT_TRUE(home.has_value()) << home.error().message;
  EXPECT_EQ(home.value().folder, temp.path() / "a" / "b");
  EXPECT_EQ(home.value().note, "");
  struct stat status {};
  ASSERT_EQ(::stat((temp.path() / "a" / "b" / "runs").c_str(), &status), 0);
  EXPECT_EQ(status.st_mode & 0777U, 0700U);
}

TEST(PrepareHome, FallsBackWithASentence) {
  const TempFolder temp;
  // Nothing can be made below a file, whoever asks (root too).
  temp.write("file", "");
  const auto home = prepare_home({temp.path() / "file" / "x", temp.path() / "fallback"});
  ASSERT_TRUE(home.has_value()) << home.error().message;
  EXPECT_EQ(home.value().folder, temp.path() / "fallback");
  EXPECT_NE(home.value().note.find("cannot be written to"), std::string::npos) << home.value().note;
}

TEST(PrepareHome, RefusesAFallbackThatOthersCanEnter) {
  const TempFolder temp;
  temp.write("file", "");
  ASSERT_EQ(::mkdir((temp.path() / "open").c_str(), 0755), 0);
  ASSERT_EQ(::symlink(temp.path().c_str(), (temp.path() / "link").c_str()), 0);
  for (const char* const name : {"open", "link"}) {
    SCOPED_TRACE(name);
    EXPECT_FALSE(prepare_home({temp.path() / "file" / "x", temp.path() / name}).has_value());
  }
}

TEST(ReadableHomes, HasTheFallbackOnlyWhereItIsThereAndPrivate) {
  const TempFolder temp;
  const auto home = temp.path() / "home";
  EXPECT_EQ(readable_homes({home, temp.path() / "none"}).size(), 1U);
  EXPECT_EQ(readable_homes({home, home}).size(), 1U);
  ASSERT_EQ(::mkdir((temp.path() / "open").c_str(), 0755), 0);
  EXPECT_EQ(readable_homes({home, temp.path() / "open"}).size(), 1U);
  ASSERT_EQ(::mkdir((temp.path() / "mine").c_str(), 0700), 0);
  EXPECT_EQ(readable_homes({home, temp.path() / "mine"}).size(), 2U);
}

}  // namespace
}  // namespace latido::store
