#include "store/run_folder.h"

#include <gtest/gtest.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <string>
#include <vector>

#include "store/run_index.h"
#include "store/testing/temp_folder.h"

namespace latido::store {
namespace {

constexpr std::string_view kFirst = "01ARYZ6S410000000000000000";
constexpr std::string_view kSecond = "01ARYZ6S420000000000000000";
constexpr std::string_view kThird = "02BBBBBBBB0000000000000000";

std::vector<std::byte> bytes(std::string_view text) {
  const auto span = std::as_bytes(std::span(text));
  return {span.begin(), span.end()};
}

model::Run run_named(std::string_view id, std::string name, model::EndKind kind) {
  model::Run run;
  run.id = id;
  run.name = std::move(name);
  run.end.kind = kind;
  return run;
}

TEST(RunFolder, IsPrivateAndHasAnOwner) {
  const TempFolder home;
  const auto folder = RunFolder::create(home.path(), kFirst);
  ASSERT_TRUE(folder.has_value()) << folder.error().message;
  struct stat status {};
  ASSERT_EQ(::stat(folder.value().path().c_str(), &status), 0);
  EXPECT_EQ(status.st_mode & 0777U, 0700U);
  EXPECT_TRUE(folder.value().being_recorded());
  EXPECT_EQ(RunFolder::create(home.path(), kFirst).error().code, ErrorCode::kInvalidInput);
  EXPECT_EQ(RunFolder::create(home.path(), "../up").error().code, ErrorCode::kInvalidInput);
}

TEST(RunFolder, DoesNotWaitForAPipeInPlaceOfAFile) {
  const TempFolder home;
  const std::filesystem::path path = home.path() / kFirst;
  std::filesystem::create_directories(path);
  ASSERT_EQ(::mkfifo((path / "meta.json").c_str(), 0600), 0);
  const auto run = read_meta(path);
  ASSERT_FALSE(run.has_value());
  EXPECT_EQ(run.error().code, ErrorCode::kInvalidInput);
}

TEST(RunFolder, TellsReadersWhetherTheRecorderLives) {
  const TempFolder home;
  std::filesystem::path path;
  {
    auto folder = RunFolder::create(home.path(), kFirst);
    ASSERT_TRUE(folder.has_value());
    path = folder.value().path();
    ASSERT_TRUE(write_meta(path, run_named(kFirst, "a", model::EndKind::kRunning)).has_value());
    EXPECT_TRUE(RunFolder::open(path).value().being_recorded());
  }
  EXPECT_FALSE(RunFolder::open(path).value().being_recorded());
  EXPECT_EQ(RunFolder::open(home.path()).error().code, ErrorCode::kNotFound);
}

TEST(RunFolder, ListsItsSegmentsInOrder) {
  const TempFolder home;
  const auto created = RunFolder::create(home.path(), kFirst);
  ASSERT_TRUE(created.has_value());
  const RunFolder& folder = created.value();
  EXPECT_EQ(folder.segments().value(), std::vector<std::uint32_t>());
  for (const std::uint32_t number : {2U, 10'000U, 1U}) {
    auto file = folder.create_segment(number);
    ASSERT_TRUE(file.has_value()) << file.error().message;
    ASSERT_TRUE(file.value().append(bytes("abc")).has_value());
    ASSERT_TRUE(file.value().append(bytes("d")).has_value());
  }
  EXPECT_FALSE(folder.create_segment(2).has_value());
  const std::vector<std::uint32_t> want{1, 2, 10'000};
  EXPECT_EQ(folder.segments().value(), want);
  EXPECT_EQ(folder.read_segment(2).value(), bytes("abcd"));
  EXPECT_EQ(folder.read_segment(3).error().code, ErrorCode::kNotFound);
}

// In a child process, since the limit holds for the whole process.
TEST(AppendFile, KeepsTheFileWholeWhenTheDiskIsFull) {
  const TempFolder folder;
  const std::filesystem::path path = folder.path() / "file";
  const pid_t child = ::fork();
  if (child == 0) {
    ::signal(SIGXFSZ, SIG_IGN);
    const rlimit limit{.rlim_cur = 10'000, .rlim_max = 10'000};
    ::setrlimit(RLIMIT_FSIZE, &limit);
    auto file = AppendFile::create(path);
    const std::vector<std::byte> block(6'000, std::byte{7});
    const bool first = file.value().append(block).has_value();
    const Status second = file.value().append(block);
    const bool full = !second.has_value() && second.error().code == ErrorCode::kExhausted;
    ::_exit(first && full && file.value().size_bytes() == 6'000 ? 0 : 1);
  }
  int status = 0;
  ASSERT_EQ(::waitpid(child, &status, 0), child);
  EXPECT_EQ(status, 0);
  EXPECT_EQ(std::filesystem::file_size(path), 6'000U);
}

TEST(ReplaceFile, LeavesTheOldContentWhenItFails) {
  const TempFolder folder;
  ASSERT_TRUE(replace_file(folder.path() / "a", "one").has_value());
  ASSERT_TRUE(replace_file(folder.path() / "a", "two").has_value());
  EXPECT_EQ(read_file(folder.path() / "a", 10).value(), bytes("two"));
  EXPECT_EQ(read_file(folder.path() / "a", 2).error().code, ErrorCode::kExhausted);
  EXPECT_EQ(read_file(folder.path(), 10).error().code, ErrorCode::kInvalidInput);
  EXPECT_FALSE(replace_file(folder.path() / "none" / "a", "x").has_value());
}

class RunIndexTest : public ::testing::Test {
 protected:
  void add(std::string_view id, std::string name, model::EndKind kind = model::EndKind::kExit) {
    auto folder = RunFolder::create(home_.path(), id);
    ASSERT_TRUE(folder.has_value());
    ASSERT_TRUE(
        write_meta(folder.value().path(), run_named(id, std::move(name), kind)).has_value());
  }
  std::filesystem::path folder(std::string_view id) const { return home_.path() / "runs" / id; }

  TempFolder home_;
};

TEST_F(RunIndexTest, AHomeThatIsNotThereHasNoRuns) {
  EXPECT_TRUE(list_runs(home_.path() / "none").value().empty());
  const auto last = resolve(home_.path(), "last");
  EXPECT_EQ(last.error().code, ErrorCode::kNotFound);
  EXPECT_NE(last.error().message.find("no runs yet"), std::string::npos) << last.error().message;
}

TEST_F(RunIndexTest, ListsTheNewestFirstWithItsState) {
  add(kFirst, "done");
  add(kSecond, "killed", model::EndKind::kRunning);
  const auto recording = RunFolder::create(home_.path(), kThird);
  ASSERT_TRUE(recording.has_value());
  ASSERT_TRUE(
      write_meta(folder(kThird), run_named(kThird, "now", model::EndKind::kRunning)).has_value());
  const auto runs = list_runs(home_.path());
  ASSERT_TRUE(runs.has_value()) << runs.error().message;
  ASSERT_EQ(runs.value().size(), 3U);
  EXPECT_EQ(runs.value()[0].state, RunState::kRecording);
  EXPECT_EQ(runs.value()[1].state, RunState::kInterrupted);
  EXPECT_EQ(runs.value()[2].state, RunState::kFinished);
  EXPECT_EQ(runs.value()[2].run.name, "done");
}

TEST_F(RunIndexTest, ListsBrokenRunsAsBroken) {
  struct Case {
    std::string_view name;
    std::string_view meta;
    std::string_view problem;
  };
  const std::vector<Case> cases{
      {"truncated", "{\"schema\":1,\"run\":{", "not valid JSON"},
      {"no object", "[]", "not a JSON object"},
      {"newer", "{\"schema\":9,\"run\":{}}", "newer version"},
  };
  add(kFirst, "x");
  for (const Case& c : cases) {
    SCOPED_TRACE(c.name);
    ASSERT_TRUE(replace_file(folder(kFirst) / "meta.json", c.meta).has_value());
    const auto runs = list_runs(home_.path());
    ASSERT_EQ(runs.value().size(), 1U);
    EXPECT_EQ(runs.value()[0].state, RunState::kBroken);
    EXPECT_EQ(runs.value()[0].id, kFirst);
    EXPECT_NE(runs.value()[0].problem.find(c.problem), std::string::npos)
        << runs.value()[0].problem;
  }
}

TEST_F(RunIndexTest, ResolvesWhatAPersonTypes) {
  add(kFirst, "train-0000");
  add(kSecond, "train-0001");
  add(kThird, "eval-0000");
  struct Case {
    std::string selector;
    std::string_view want;  // empty: an error
    std::string_view message = "";
  };
  const std::vector<Case> cases{
      {"last", kThird},
      {"last~1", kSecond},
      {"last~3", "", "no run 'last~3'"},
      {"last~x", "", "no run"},
      {std::string(kFirst), kFirst},
      {"01ARYZ6S42", kSecond},
      {"02bbb", kThird},
      {"01ARYZ", "",
       "means more than one run: 01ARYZ6S420000000000000000 (train-0001), "
       "01ARYZ6S410000000000000000 (train-0000)"},
      {"train-0000", kFirst},
      {"train", "", "no run 'train'; the newest: 02BBBBBBBB0000000000000000 (eval-0000)"},
      {"0", "", "no run"},
      {"", "", "no run"},
      {folder(kSecond).string(), kSecond},
      {"./nowhere", "", "no recorded run"},
  };
  for (const Case& c : cases) {
    SCOPED_TRACE(c.selector);
    const auto got = resolve(home_.path(), c.selector);
    ASSERT_EQ(got.has_value(), !c.want.empty());
    if (got.has_value()) {
      EXPECT_EQ(got.value(), folder(c.want));
    } else {
      EXPECT_NE(got.error().message.find(c.message), std::string::npos) << got.error().message;
    }
  }
}

TEST_F(RunIndexTest, SeveralHomesAreOneList) {
  add(kFirst, "train-0000");
  add(kThird, "eval-0000");
  const TempFolder other;
  ASSERT_TRUE(RunFolder::create(other.path(), kSecond).has_value());
  const std::vector<std::filesystem::path> homes{home_.path(), other.path()};
  const auto listed = list_runs(homes);
  ASSERT_TRUE(listed.has_value());
  ASSERT_EQ(listed.value().size(), 3U);
  EXPECT_EQ(listed.value()[1].id, kSecond);
  const auto back = resolve(homes, "last~1");
  ASSERT_TRUE(back.has_value());
  EXPECT_EQ(back.value(), runs_folder(other.path()) / kSecond);
}

TEST_F(RunIndexTest, AHomeThatCannotBeReadHidesNoOther) {
  add(kFirst, "train-0000");
  const std::vector<std::filesystem::path> both{"/proc/self/status/no", home_.path()};
  const auto listed = list_runs(both);
  ASSERT_TRUE(listed.has_value());
  EXPECT_EQ(listed.value().size(), 1U);
  EXPECT_FALSE(list_runs(std::span(both).first(1)).has_value());
}

}  // namespace
}  // namespace latido::store
