// What is acknowledged is there: after the disk was full, and after the recorder was killed.
//
// Each recorder is a child process, since the limits and the kill are for a whole process.
#include <gtest/gtest.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmath>
#include <csignal>
#include <cstdint>
#include <vector>

#include "store/sqlite/run_catalog.h"
#include "store/sqlite/run_database.h"
#include "store/sqlite/sqlite_series_store.h"
#include "store/testing/temp_folder.h"

namespace latido::store {
namespace {

constexpr std::size_t kPointsPerBatch = 500;

std::vector<model::Sample> batch(std::uint64_t sequence) {
  std::vector<model::Sample> samples;
  for (std::size_t i = 0; i < kPointsPerBatch; ++i) {
    const auto ns = static_cast<std::int64_t>(sequence * 1'000 + i);
    samples.push_back({model::SeriesId{0}, ns, std::sin(ns)});
  }
  return samples;
}

model::SeriesTable one_series() {
  model::SeriesTable table;
  table.intern({"train.loss_backward", model::ProcessId{0}, ""});
  return table;
}

struct Acknowledged {
  std::uint64_t batches = 0;
  ErrorCode stopped_by = ErrorCode::kInternal;
};

// Appends until an error, telling the parent of each success; never returns.
[[noreturn]] void record(const std::filesystem::path& path, Journal journal, int to_parent) {
  auto database = create_run_database(path, journal);
  auto store = SqliteSeriesStore::open(database.value());
  const model::SeriesTable table = one_series();
  Acknowledged acknowledged;
  while (true) {
    const Status done =
        store.value().append(acknowledged.batches + 1, batch(acknowledged.batches + 1), table);
    if (!done.has_value()) acknowledged.stopped_by = done.error().code;
    if (done.has_value()) ++acknowledged.batches;
    if (::write(to_parent, &acknowledged, sizeof(acknowledged)) < 0) ::_exit(1);
    if (!done.has_value()) ::_exit(0);
  }
}

// All that the recorder acknowledged must be readable; at most one batch more was on its way.
void expect_all_there(const std::filesystem::path& path, std::uint64_t acknowledged) {
  auto database = open_run_database(path);
  ASSERT_TRUE(database.has_value()) << database.error().message;
  auto store = SqliteSeriesStore::open(database.value());
  ASSERT_TRUE(store.has_value()) << store.error().message;
  const auto samples = store.value().read(model::SeriesId{0}, INT64_MIN, INT64_MAX);
  ASSERT_TRUE(samples.has_value()) << samples.error().message;
  EXPECT_GE(samples.value().size(), acknowledged * kPointsPerBatch);
  EXPECT_LE(samples.value().size(), (acknowledged + 1) * kPointsPerBatch);
  EXPECT_EQ(samples.value().size() % kPointsPerBatch, 0U);
  std::size_t i = 0;
  for (std::uint64_t sequence = 1; sequence <= acknowledged; ++sequence) {
    for (const model::Sample& want : batch(sequence)) ASSERT_EQ(samples.value()[i++], want);
  }
}

class SurvivalTest : public ::testing::TestWithParam<Journal> {
 protected:
  // Starts a recorder, below a file size limit unless it is 0.
  void start(rlim_t limit_bytes) {
    int ends[2] = {-1, -1};
    ASSERT_EQ(::pipe(ends), 0);
    child_ = ::fork();
    if (child_ == 0) {
      ::signal(SIGXFSZ, SIG_IGN);
      const rlimit limit{.rlim_cur = limit_bytes, .rlim_max = limit_bytes};
      if (limit_bytes != 0) ::setrlimit(RLIMIT_FSIZE, &limit);
      record(path(), GetParam(), ends[1]);
    }
    ::close(ends[1]);
    from_child_ = ends[0];
  }
  // False: the recorder has ended.
  bool next(Acknowledged& out) const {
    return ::read(from_child_, &out, sizeof(out)) == static_cast<ssize_t>(sizeof(out));
  }
  void join() {
    ::waitpid(child_, nullptr, 0);
    ::close(from_child_);
  }
  std::filesystem::path path() const { return folder_.path() / "run.db"; }

  TempFolder folder_;
  pid_t child_ = -1;
  int from_child_ = -1;
};

TEST_P(SurvivalTest, AFullDiskIsAnErrorAndKeepsWhatWasThere) {
  start(200'000);
  Acknowledged last;
  while (next(last)) {
  }
  join();
  EXPECT_EQ(last.stopped_by, ErrorCode::kExhausted);
  EXPECT_GT(last.batches, 3U);
  expect_all_there(path(), last.batches);
}

TEST_P(SurvivalTest, AKilledRecorderLeavesWhatItAcknowledged) {
  start(0);
  Acknowledged last;
  for (int i = 0; i < 20; ++i) ASSERT_TRUE(next(last));
  ::kill(child_, SIGKILL);
  while (next(last)) {
  }
  join();
  expect_all_there(path(), last.batches);
}

INSTANTIATE_TEST_SUITE_P(BothJournals, SurvivalTest,
                         ::testing::Values(Journal::kWal, Journal::kRollback),
                         [](const auto& test) {
                           return test.param == Journal::kWal ? "Wal" : "Rollback";
                         });

}  // namespace
}  // namespace latido::store
