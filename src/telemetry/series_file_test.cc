#include "telemetry/series_file.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "telemetry/recorded_tree.h"

namespace latido::telemetry {
namespace {

TEST(SeriesFile, NamesEverySeriesThatAMissingFileTakesAway) {
  const RecordedTree tree;
  SeriesFile file{tree.root() + "/proc/pressure/io",
                  {"host.psi.io.some_ns", "host.psi.io.full_ns"}};
  FileBuffer buffer;
  EXPECT_FALSE(file.read(buffer).has_value());
  std::vector<std::string> absent;
  file.append_absent(absent);
  const std::string why = ": " + tree.root() + "/proc/pressure/io: No such file or directory";
  EXPECT_EQ(absent,
            (std::vector<std::string>{"host.psi.io.some_ns" + why, "host.psi.io.full_ns" + why}));
}

TEST(SeriesFile, ForgetsTheReasonOnceTheFileIsBack) {
  const RecordedTree tree;
  SeriesFile file{tree.root() + "/proc/vmstat", {"host.swap.in_bytes"}};
  FileBuffer buffer;
  EXPECT_FALSE(file.read(buffer).has_value());
  tree.write("/proc/vmstat", "nonsense");
  EXPECT_EQ(file.read(buffer), "nonsense");
  file.reject({ErrorCode::kInvalidInput, "no field"});
  std::vector<std::string> absent;
  file.append_absent(absent);
  EXPECT_EQ(absent, std::vector<std::string>{"host.swap.in_bytes: no field"});
  EXPECT_TRUE(file.read(buffer).has_value());
  absent.clear();
  file.append_absent(absent);
  EXPECT_TRUE(absent.empty());
}

}  // namespace
}  // namespace latido::telemetry
