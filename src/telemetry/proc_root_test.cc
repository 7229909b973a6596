#include "telemetry/proc_root.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <cerrno>
#include <string>

#include "telemetry/recorded_tree.h"

namespace latido::telemetry {
namespace {

TEST(ProcRoot, PutsTheRootInFrontOfEveryPath) {
  EXPECT_EQ(ProcRoot{"/"}.path("/proc/stat"), "/proc/stat");
  EXPECT_EQ(ProcRoot{""}.path("/proc/stat"), "/proc/stat");
  EXPECT_EQ(ProcRoot{"/tree/"}.path("/proc/stat"), "/tree/proc/stat");
}

TEST(ProcRoot, ReadsWholeFilesAndHeads) {
  const RecordedTree tree;
  tree.write("/proc/small", "abc\n");
  tree.write("/proc/large", std::string(100'000, 'x'));
  tree.write("/proc/empty", "");
  const ProcRoot root{tree.root()};
  FileBuffer buffer;
  EXPECT_EQ(root.read("/proc/small", buffer).text, "abc\n");
  EXPECT_EQ(root.read("/proc/large", buffer).text.size(), 100'000U);
  EXPECT_TRUE(root.read("/proc/empty", buffer).ok());
  EXPECT_EQ(root.read_head("/proc/large", 10, buffer).text, "xxxxxxxxxx");
}

TEST(ProcRoot, SaysWhyAFileCannotBeRead) {
  const RecordedTree tree;
  tree.write("/proc/huge", std::string(FileBuffer::kMaxBytes + 1, 'x'));
  const ProcRoot root{tree.root()};
  FileBuffer buffer;
  EXPECT_EQ(root.read("/proc/none", buffer).error_number, ENOENT);
  EXPECT_EQ(root.read_head("/proc/none", 10, buffer).error_number, ENOENT);
  EXPECT_EQ(root.read("/proc", buffer).error_number, EISDIR);
  EXPECT_EQ(root.read("/proc/huge", buffer).error_number, EFBIG);
}

TEST(ProcRoot, TellsFilesAndFilledFolders) {
  const RecordedTree tree;
  tree.write("/sys/block/sda/size", "1");
  tree.make_folder("/sys/block/sda/slaves");
  const ProcRoot root{tree.root()};
  EXPECT_TRUE(root.exists("/sys/block/sda"));
  EXPECT_FALSE(root.exists("/sys/block/sdb"));
  EXPECT_TRUE(root.has_entries("/sys/block/sda"));
  EXPECT_FALSE(root.has_entries("/sys/block/sda/slaves"));
  EXPECT_FALSE(root.has_entries("/sys/none"));
}

TEST(HeldFile, SeesNewContentAndComesBackAfterAFailure) {
  const RecordedTree tree;
  HeldFile file{ProcRoot{tree.root()}.path("/proc/stat")};
  FileBuffer buffer;
  EXPECT_EQ(file.read(buffer).error_number, ENOENT);
  tree.write("/proc/stat", "one");
  EXPECT_EQ(file.read(buffer).text, "one");
  tree.write("/proc/stat", "twenty");
  EXPECT_EQ(file.read(buffer).text, "twenty");
  file.let_go();
  EXPECT_EQ(file.read(buffer).text, "twenty");
}

TEST(HeldFile, ReadsARealKernelFileTwice) {
  HeldFile file{"/proc/self/stat"};
  FileBuffer buffer;
  const std::string want = std::to_string(::getpid()) + " (";
  EXPECT_TRUE(file.read(buffer).text.starts_with(want));
  EXPECT_TRUE(file.read(buffer).text.starts_with(want));
}

}  // namespace
}  // namespace latido::telemetry
