// Runs of every released schema stay readable: tests/compat/runs/ holds one of each, never edited.
// Run with LATIDO_WRITE_COMPAT=1 to write that of a new version.
#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <vector>

#include "store/run_index.h"
#include "store/sqlite/call_tree_store.h"
#include "store/sqlite/function_name_store.h"
#include "store/sqlite/run_catalog.h"
#include "store/sqlite/run_database.h"
#include "store/sqlite/sqlite_series_store.h"
#include "store/testing/temp_folder.h"

namespace latido::store {
namespace {

const std::filesystem::path kFolder = LATIDO_SOURCE_DIR "/tests/compat/runs";

model::Run sample_run() {
  model::Run run;
  run.id = "01ARYZ6S410000000000000000";
  run.name = "train-0000";
  run.command = {"python", "train.py"};
  run.start_ns = 1'000;
  run.end_ns = 9'000;
  run.end.kind = model::EndKind::kExit;
  run.latido_version = "0.1.0";
  return run;
}

std::vector<model::Process> sample_processes() {
  std::vector<model::Process> processes(2);
  processes[0].pid = 100;
  processes[0].command = "python train.py";
  processes[0].rank = 0;
  processes[1].pid = 101;
  processes[1].end_ns = 8'000;
  processes[1].role = model::ProcessRole::kWorker;
  return processes;
}

std::vector<model::Step> sample_steps() {
  std::vector<model::Step> steps(2);
  steps[0].start_ns = 2'000;
  steps[0].wall_ns = 500;
  steps[0].phase_ns = {100, model::kNotMeasured, 100, 100, model::kNotMeasured, 100, 100};
  steps[0].other_ns = {0, 0, 0, 40, 60};
  steps[0].loss = 0.5F;
  steps[1].start_ns = 2'500;
  steps[1].flags = model::StepFlags::kSkipped;
  return steps;
}

model::Diagnosis sample_diagnosis() {
  model::Diagnosis diagnosis;
  diagnosis.verdict = "input-bound";
  model::Finding& finding = diagnosis.findings.emplace_back();
  finding.rule = "input-bound";
  finding.headline.id = "input_bound.headline";
  finding.headline.params.set("wait_ratio", 0.5).set("steps", std::int64_t{2}).set("file", "a.py");
  finding.gain = model::Gain{500, 400, 380, 420};
  return diagnosis;
}

std::vector<model::Sample> sample_points(std::int64_t first) {
  std::vector<model::Sample> samples;
  for (std::int64_t t = first; t < first + 5; ++t) {
    samples.push_back({model::SeriesId{0}, t, static_cast<double>(t)});
    samples.push_back({model::SeriesId{1}, t, 1.0 / static_cast<double>(t)});
  }
  return samples;
}

model::CallTree sample_calls() {
  model::CallTree tree;
  tree.frames = {{"main", "a.py", 1}};
  tree.nodes.push_back({.parent = 0, .frame = 0, .line = 12});
  tree.times = {{.process = model::ProcessId{0}, .node = 1, .main_thread = true, .busy_ns = 5}};
  tree.counts.samples = 9;
  return tree;
}

// From version 4 on.
model::CallTree sample_calls_apart() {
  model::CallTree tree = sample_calls();
  tree.times.push_back(tree.times[0]);
  tree.times[1].from_first_step = true;
  tree.counts.from_first_step = 4;
  return tree;
}

std::vector<model::FunctionName> sample_names() {
  return {{"kmeans+0x1a2b#9f86", "/src/kmeans", "assign(int)", "/src/kmeans.cc", 12}};
}

void write_fixture(const std::filesystem::path& folder) {
  std::filesystem::create_directories(folder);
  auto database = create_run_database(folder / "run.db");
  ASSERT_TRUE(database.has_value()) << database.error().message;
  RunCatalog catalog(database.value());
  auto store = SqliteSeriesStore::open(database.value());
  ASSERT_TRUE(store.has_value());
  model::SeriesTable table;
  table.intern({"host.cpu.busy_ratio", model::kHost, ""});
  table.intern({"proc.memory.rss_bytes", model::ProcessId{1}, ""});
  EXPECT_TRUE(catalog.put_run(sample_run()).has_value());
  EXPECT_TRUE(catalog.put_processes(sample_processes()).has_value());
  EXPECT_TRUE(catalog.put_steps(model::ProcessId{0}, 0, sample_steps()).has_value());
  EXPECT_TRUE(catalog.put_segment({1, 637, 1'000, 2'000, 20}).has_value());
  EXPECT_TRUE(catalog.put_diagnosis(sample_diagnosis()).has_value());
  model::CallTree calls = sample_calls_apart();
  calls.nodes.erase(calls.nodes.begin());  // the root
  EXPECT_TRUE(CallTreeStore(database.value()).put(0, 1, calls).has_value());
  EXPECT_TRUE(FunctionNameStore(database.value()).put(sample_names()).has_value());
  EXPECT_TRUE(store.value().append(1, sample_points(10), table).has_value());
  EXPECT_TRUE(store.value().seal().has_value());
  EXPECT_TRUE(store.value().append(2, sample_points(15), table).has_value());
  EXPECT_TRUE(seal_run_database(database.value()).has_value());
  EXPECT_TRUE(write_meta(folder, sample_run()).has_value());
}

// Everything that version 1 could hold.
void expect_sample_run(const std::filesystem::path& fixture) {
  SCOPED_TRACE(fixture);
  const TempFolder copy;  // an older file is migrated in place when it is opened
  std::filesystem::copy(fixture, copy.path() / "run");
  auto database = open_run_database(copy.path() / "run" / "run.db");
  ASSERT_TRUE(database.has_value()) << database.error().message;
  RunCatalog catalog(database.value());
  EXPECT_EQ(read_meta(copy.path() / "run").value(), sample_run());
  EXPECT_EQ(catalog.run().value(), sample_run());
  EXPECT_EQ(catalog.processes().value(), sample_processes());
  EXPECT_EQ(catalog.diagnosis().value(), sample_diagnosis());
  EXPECT_EQ(catalog.segments().value().at(0).bytes, 637U);
  const auto steps = catalog.steps(model::ProcessId{0});
  ASSERT_EQ(steps.value().size(), 2U);
  EXPECT_EQ(steps.value()[0].phase_ns, sample_steps()[0].phase_ns);
  EXPECT_EQ(steps.value()[0].loss, 0.5F);
  EXPECT_TRUE(steps.value()[1].skipped());
  auto store = SqliteSeriesStore::open(database.value());
  const auto points = store.value().read(model::SeriesId{1}, 12, 17);
  ASSERT_EQ(points.value().size(), 6U);
  EXPECT_EQ(points.value()[5], (model::Sample{model::SeriesId{1}, 17, 1.0 / 17}));
}

TEST(RunCompat, ReadsVersionOne) {
  expect_sample_run(kFolder / "v1");
  const TempFolder copy;
  std::filesystem::copy(kFolder / "v1", copy.path() / "run");
  auto database = open_run_database(copy.path() / "run" / "run.db");
  ASSERT_TRUE(database.has_value()) << database.error().message;
  const auto calls = CallTreeStore(database.value()).read();
  ASSERT_TRUE(calls.has_value()) << calls.error().message;
  EXPECT_TRUE(calls.value().empty());
}

TEST(RunCompat, ReadsVersionTwo) {
  expect_sample_run(kFolder / "v2");
  const TempFolder copy;
  std::filesystem::copy(kFolder / "v2", copy.path() / "run");
  auto database = open_run_database(copy.path() / "run" / "run.db");
  ASSERT_TRUE(database.has_value()) << database.error().message;
  const auto calls = CallTreeStore(database.value()).read();
  ASSERT_TRUE(calls.has_value()) << calls.error().message;
  EXPECT_EQ(calls.value(), sample_calls());
  EXPECT_TRUE(FunctionNameStore(database.value()).read().value().empty());
}

TEST(RunCompat, ReadsVersionThree) {
  expect_sample_run(kFolder / "v3");
  const TempFolder copy;
  std::filesystem::copy(kFolder / "v3", copy.path() / "run");
  auto database = open_run_database(copy.path() / "run" / "run.db");
  ASSERT_TRUE(database.has_value()) << database.error().message;
  EXPECT_EQ(FunctionNameStore(database.value()).read().value(), sample_names());
  EXPECT_EQ(CallTreeStore(database.value()).read().value(), sample_calls());
}

TEST(RunCompat, ReadsVersionFour) {
  if (std::getenv("LATIDO_WRITE_COMPAT") != nullptr) write_fixture(kFolder / "v4");
  expect_sample_run(kFolder / "v4");
  const TempFolder copy;
  std::filesystem::copy(kFolder / "v4", copy.path() / "run");
  auto database = open_run_database(copy.path() / "run" / "run.db");
  ASSERT_TRUE(database.has_value()) << database.error().message;
  EXPECT_EQ(CallTreeStore(database.value()).read().value(), sample_calls_apart());
}

}  // namespace
}  // namespace latido::store
