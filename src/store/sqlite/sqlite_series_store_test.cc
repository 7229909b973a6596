#include "store/sqlite/sqlite_series_store.h"

#include <gtest/gtest.h>

#include <vector>

#include "store/sqlite/run_database.h"
#include "store/testing/temp_folder.h"

namespace latido::store {
namespace {

using model::Sample;
using model::SeriesId;

class SeriesStoreTest : public ::testing::Test {
 protected:
  void SetUp() override {
    auto created = create_run_database(path());
    ASSERT_TRUE(created.has_value()) << created.error().message;
    database_.emplace(std::move(created).value());
    open_store();
    a_ = table_.intern({"proc.cpu.user_ns", model::ProcessId{0}, ""});
    b_ = table_.intern({"host.cpu.busy_ratio", model::kHost, "cpu1"});
  }

  std::filesystem::path path() const { return folder_.path() / "run.db"; }

  void open_store() {
    auto store = SqliteSeriesStore::open(*database_);
    ASSERT_TRUE(store.has_value()) << store.error().message;
    store_.emplace(std::move(store).value());
  }

  // One sample of each series at each of `count` times from `first`.
  std::vector<Sample> ticks(std::int64_t first, std::int64_t count) const {
    std::vector<Sample> samples;
    for (std::int64_t t = first; t < first + count; ++t) {
      samples.push_back({a_, t, static_cast<double>(3 * t)});
      samples.push_back({b_, t, 0.1 * static_cast<double>(t)});
    }
    return samples;
  }

  std::vector<Sample> of(SeriesId series, const std::vector<Sample>& all) const {
    std::vector<Sample> samples;
    for (const Sample& sample : all) {
      if (sample.series == series) samples.push_back(sample);
    }
    return samples;
  }

  std::vector<Sample> read(SeriesId series, std::int64_t from = INT64_MIN,
                           std::int64_t to = INT64_MAX) {
    auto got = store_->read(series, from, to);
    EXPECT_TRUE(got.has_value()) << got.error().message;
    return got.has_value() ? got.value() : std::vector<Sample>();
  }

  std::int64_t count(std::string_view table) {
    auto query = database_->prepare("SELECT count(*) FROM " + std::string(table));
    EXPECT_TRUE(query.has_value() && query.value().step().has_value());
    return query.value().integer(0);
  }

  TempFolder folder_;
  std::optional<Database> database_;
  std::optional<SqliteSeriesStore> store_;
  model::SeriesTable table_;
  SeriesId a_{};
  SeriesId b_{};
};

TEST_F(SeriesStoreTest, ReadsUnsealedBatches) {
  const auto samples = ticks(10, 5);
  ASSERT_TRUE(store_->append(1, samples, table_).has_value());
  EXPECT_EQ(read(a_), of(a_, samples));
  EXPECT_EQ(read(b_, 11, 12), of(b_, ticks(11, 2)));
  EXPECT_EQ(read(b_, 100, 200), std::vector<Sample>());
  const auto series = store_->series();
  ASSERT_TRUE(series.has_value());
  EXPECT_EQ(series.value().all(), table_.all());
}

TEST_F(SeriesStoreTest, ReadsSealedAndUnsealedTogether) {
  ASSERT_TRUE(store_->append(1, ticks(0, 5'000), table_).has_value());
  ASSERT_TRUE(store_->seal().has_value());
  EXPECT_EQ(count("batches"), 0);
  ASSERT_TRUE(store_->append(2, ticks(5'000, 10), table_).has_value());
  EXPECT_EQ(read(a_), of(a_, ticks(0, 5'010)));
  EXPECT_EQ(read(b_, 4'090, 5'005), of(b_, ticks(4'090, 916)));
}

TEST_F(SeriesStoreTest, SeriesSampledTogetherShareTheirTimes) {
  ASSERT_TRUE(store_->append(1, ticks(0, 100), table_).has_value());
  ASSERT_TRUE(store_->seal().has_value());
  EXPECT_EQ(count("chunks"), 2);
  EXPECT_EQ(count("times"), 1);
}

TEST_F(SeriesStoreTest, SealsByItselfWhenMuchIsUnsealed) {
  std::uint64_t sequence = 0;
  for (std::int64_t t = 0; t < 3'000; t += 100) {
    ASSERT_TRUE(store_->append(++sequence, ticks(t, 100), table_).has_value());
  }
  EXPECT_LT(count("batches"), 11);
  EXPECT_GT(count("chunks"), 0);
  EXPECT_EQ(read(a_), of(a_, ticks(0, 3'000)));
}

TEST_F(SeriesStoreTest, KeepsARepeatedBatchOnce) {
  ASSERT_TRUE(store_->append(1, ticks(0, 3), table_).has_value());
  ASSERT_TRUE(store_->append(1, ticks(0, 3), table_).has_value());
  ASSERT_TRUE(store_->seal().has_value());
  ASSERT_TRUE(store_->append(1, ticks(0, 3), table_).has_value());
  open_store();  // a new recorder on the same file knows too
  ASSERT_TRUE(store_->append(1, ticks(0, 3), table_).has_value());
  EXPECT_EQ(read(a_).size(), 3U);
}

TEST_F(SeriesStoreTest, SortsWhatCameOutOfOrder) {
  const std::vector<Sample> late{{a_, 50, 1}, {a_, 40, 2}};
  ASSERT_TRUE(store_->append(1, late, table_).has_value());
  ASSERT_TRUE(store_->append(2, std::vector<Sample>{{a_, 45, 3}}, table_).has_value());
  const std::vector<Sample> want{{a_, 40, 2}, {a_, 45, 3}, {a_, 50, 1}};
  EXPECT_EQ(read(a_), want);
  ASSERT_TRUE(store_->seal().has_value());
  EXPECT_EQ(read(a_), want);
}

TEST_F(SeriesStoreTest, RefusesASeriesWithoutName) {
  const std::vector<Sample> unknown{{SeriesId{2}, 1, 1}};
  const Status status = store_->append(1, unknown, table_);
  ASSERT_FALSE(status.has_value());
  EXPECT_EQ(status.error().code, ErrorCode::kInvalidInput);
  EXPECT_EQ(count("batches"), 0);
}

TEST_F(SeriesStoreTest, HandlesMoreSeriesThanOneGroup) {
  std::vector<Sample> samples;
  for (int i = 0; i < 150; ++i) {
    const SeriesId id = table_.intern({"x", model::ProcessId{7}, std::to_string(i)});
    samples.push_back({id, 5, static_cast<double>(i)});
  }
  ASSERT_TRUE(store_->append(1, samples, table_).has_value());
  ASSERT_TRUE(store_->seal().has_value());
  for (const Sample& sample : samples) {
    EXPECT_EQ(read(sample.series), std::vector<Sample>{sample});
  }
}

}  // namespace
}  // namespace latido::store
