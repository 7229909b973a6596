#include "session/source_lines.h"

#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cstdint>
#include <filesystem>
#include <fstream>
#include <string>

#include "base/clock.h"

namespace latido::session {
namespace {

class SourceLines : public testing::Test {
 protected:
  void SetUp() override {
    folder_ = std::filesystem::temp_directory_path() /
              ("latido_source_lines_" + std::to_string(::getpid()));
    std::filesystem::create_directories(folder_);
  }
  void TearDown() override { std::filesystem::remove_all(folder_); }

  void write(const std::string& name, const std::string& text) {
    std::ofstream(folder_ / name, std::ios::binary) << text;
  }

  // What is shown of a line when the run begins `begin_s` after now.
  std::string source_of(const std::string& file, std::uint32_t line, std::int64_t begin_s = 60) {
    analysis::RunFacts facts;
    facts.run.folder = folder_.string();
    facts.run.started_wall_ns = wall_now_ns() + begin_s * 1'000'000'000;
    analysis::LineTime time;
    time.file = file;
    time.line = line;
    facts.ranks.emplace_back().lines.push_back(time);
    read_source_lines(facts);
    return facts.ranks[0].lines[0].source;
  }

  std::filesystem::path folder_;
};

TEST_F(SourceLines, AreReadWithoutTheBlanksAround) {
  write("a.py", "import os\n\n\tfor x in y:  \r\n  last");
  EXPECT_EQ(source_of("a.py", 1), "import os");
  EXPECT_EQ(source_of("a.py", 2), "");
  EXPECT_EQ(source_of((folder_ / "a.py").string(), 3), "for x in y:");
  EXPECT_EQ(source_of("a.py", 4), "last");
  EXPECT_EQ(source_of("a.py", 5), "");
  EXPECT_EQ(source_of("a.py", 4'000'000'000U), "");
  EXPECT_EQ(source_of("a.py", 0), "") << "no line has this number";
}

TEST_F(SourceLines, AreNotThoseOfAFileThatChangedSince) {
  write("a.py", "new");
  EXPECT_EQ(source_of("a.py", 1, -60), "");
}

TEST_F(SourceLines, AreOfSourceFilesOnly) {
  write("secret.txt", "password");
  write("key", "private");
  EXPECT_EQ(source_of("secret.txt", 1), "");
  EXPECT_EQ(source_of("key", 1), "");
  EXPECT_EQ(source_of("missing.py", 1), "");
  EXPECT_EQ(source_of("<string>", 1), "");
  std::filesystem::create_directory(folder_ / "folder.py");
  EXPECT_EQ(source_of("folder.py", 1), "");
  ASSERT_EQ(::mkfifo((folder_ / "pipe.py").c_str(), 0600), 0);
  EXPECT_EQ(source_of("pipe.py", 1), "");
  write("large.py", std::string(5U << 20U, '\n'));
  EXPECT_EQ(source_of("large.py", 1), "");
}

}  // namespace
}  // namespace latido::session
