#include "store/sqlite/run_catalog.h"

#include <gtest/gtest.h>

#include <cmath>
#include <fstream>
#include <optional>

#include "store/sqlite/run_database.h"
#include "store/testing/temp_folder.h"

namespace latido::store {
namespace {

class RunCatalogTest : public ::testing::Test {
 protected:
  void SetUp() override {
    auto created = create_run_database(path());
    ASSERT_TRUE(created.has_value()) << created.error().message;
    database_.emplace(std::move(created).value());
    catalog_.emplace(*database_);
  }
  std::filesystem::path path() const { return folder_.path() / "run.db"; }

  TempFolder folder_;
  std::optional<Database> database_;
  std::optional<RunCatalog> catalog_;
};

model::Run make_run() {
  model::Run run;
  run.id = "01ARYZ6S410000000000000000";
  run.name = "train-0000";
  run.command = {"python", "train.py", "--name=\"a b\""};
  run.folder = "/home/a";
  run.started_wall_ns = 1'700'000'000'000'000'000;
  run.start_ns = 5;
  run.end_ns = 77;
  run.end = {.kind = model::EndKind::kSignal,
             .signal = 9,
             .exception = "ValueError: <bad>",
             .file = "train.py",
             .line = 12,
             .phase = "forward",
             .open_zone = "epoch",
             .rank = 3};
  run.environment.host = "node1";
  run.environment.cores = 8;
  run.environment.memory_bytes = 1ULL << 40U;
  run.environment.torch = "2.13.0";
  run.latido_version = "0.1.0";
  return run;
}

TEST_F(RunCatalogTest, KeepsTheRun) {
  EXPECT_EQ(catalog_->run().error().code, ErrorCode::kNotFound);
  ASSERT_TRUE(catalog_->put_run(model::Run{}).has_value());
  ASSERT_TRUE(catalog_->put_run(make_run()).has_value());
  const auto got = catalog_->run();
  ASSERT_TRUE(got.has_value()) << got.error().message;
  EXPECT_EQ(got.value(), make_run());
}

TEST_F(RunCatalogTest, KeepsQuality) {
  const model::Quality quality{
      .accepted = 10,
      .dropped = 2,
      .malformed = 3,
      .late = 4,
      .overhead_ratio = 0.003,
      .overhead_how = "measured",
      .overhead_budget_ratio = 0.02,
      .detail_changes = {{77, model::Reduction::kAdaptive}, {99, model::Reduction::kNone}},
      .hooks = {{"loader", "ok"}, {"scaler", "absent: none made"}},
      .notes = {"a_note"},
      .absent_series = {"host.psi.cpu: no such file"}};
  ASSERT_TRUE(catalog_->put_quality(quality).has_value());
  const auto got = catalog_->quality();
  ASSERT_TRUE(got.has_value()) << got.error().message;
  EXPECT_EQ(got.value(), quality);
}

TEST_F(RunCatalogTest, AveragesTheSteadySteps) {
  EXPECT_EQ(catalog_->mean_step_ns().error().code, ErrorCode::kNotFound);
  const std::vector<model::Step> first{{.wall_ns = 900, .flags = model::StepFlags::kWarmup},
                                       {.wall_ns = 10},
                                       {.wall_ns = 20, .flags = model::StepFlags::kSkipped}};
  ASSERT_TRUE(catalog_->put_steps(model::ProcessId{0}, 0, {first.data(), 1}).has_value());
  EXPECT_EQ(catalog_->mean_step_ns().error().code, ErrorCode::kNotFound);
  ASSERT_TRUE(catalog_->put_steps(model::ProcessId{0}, 0, first).has_value());
  const std::vector<model::Step> second{{.wall_ns = 60}};
  ASSERT_TRUE(catalog_->put_steps(model::ProcessId{1}, 0, second).has_value());
  const auto mean_ns = catalog_->mean_step_ns();
  ASSERT_TRUE(mean_ns.has_value()) << mean_ns.error().message;
  EXPECT_EQ(mean_ns.value(), 30);
}

TEST_F(RunCatalogTest, KeepsProcessesByPosition) {
  std::vector<model::Process> processes(2);
  processes[0].pid = 10;
  processes[0].parent_pid = 1;
  processes[0].start_ns = 5;
  processes[0].command = "python";
  processes[0].rank = 0;
  processes[1].pid = 11;
  processes[1].role = model::ProcessRole::kWorker;
  ASSERT_TRUE(catalog_->put_processes(processes).has_value());
  processes[0].end_ns = 99;
  processes.emplace_back().pid = 12;
  ASSERT_TRUE(catalog_->put_processes(processes).has_value());
  const auto got = catalog_->processes();
  ASSERT_TRUE(got.has_value()) << got.error().message;
  EXPECT_EQ(got.value(), processes);
}

TEST_F(RunCatalogTest, KeepsStepsWithWhatWasNotMeasured) {
  model::Step step{.start_ns = 100, .wall_ns = 50};
  step.phase_ns = {1, model::kNotMeasured, 3, 4, 5, 6, 31};
  step.other_ns = {1, 2, 3, 4, 21};
  step.batches = 2;
  step.backwards = 3;
  step.optimizer_calls = 1;
  step.samples = 64;
  step.loss = 0.25F;
  step.flags = model::StepFlags::kSkipped;
  const std::vector<model::Step> steps{model::Step{}, step};
  ASSERT_TRUE(catalog_->put_steps(model::ProcessId{1}, 0, steps).has_value());
  ASSERT_TRUE(catalog_->put_steps(model::ProcessId{2}, 0, std::span(steps).first(1)).has_value());
  const auto got = catalog_->steps(model::ProcessId{1});
  ASSERT_TRUE(got.has_value()) << got.error().message;
  ASSERT_EQ(got.value().size(), 2U);
  const model::Step& back = got.value()[1];
  EXPECT_EQ(back.start_ns, step.start_ns);
  EXPECT_EQ(back.wall_ns, step.wall_ns);
  EXPECT_EQ(back.phase_ns, step.phase_ns);
  EXPECT_EQ(back.other_ns, step.other_ns);
  EXPECT_EQ(back.batches, 2U);
  EXPECT_EQ(back.backwards, 3U);
  EXPECT_EQ(back.optimizer_calls, 1U);
  EXPECT_EQ(back.samples, 64U);
  EXPECT_EQ(back.loss, 0.25F);
  EXPECT_TRUE(std::isnan(back.grad_norm) && std::isnan(back.learning_rate));
  EXPECT_TRUE(back.skipped());
}

TEST_F(RunCatalogTest, KeepsTheIndexOfSegments) {
  ASSERT_TRUE(catalog_->put_segment({1, 10, 5, 6, 7}).has_value());
  ASSERT_TRUE(catalog_->put_segment({1, 20, 5, 9, 8}).has_value());
  ASSERT_TRUE(catalog_->put_segment({2, 1, 9, 9, 1}).has_value());
  const auto got = catalog_->segments();
  ASSERT_TRUE(got.has_value());
  const std::vector<SegmentEntry> want{{1, 20, 5, 9, 8}, {2, 1, 9, 9, 1}};
  EXPECT_EQ(got.value(), want);
}

model::Diagnosis make_diagnosis() {
  model::Finding finding;
  finding.rule = "input-bound";
  finding.confidence = 0.9;
  finding.headline.id = "input_bound.headline";
  finding.headline.params.set("wait_ratio", 0.5).set("steps", std::int64_t{3}).set("file", "a.py");
  finding.headline.params.set("whole_real", 3.0);
  finding.evidence.push_back({{"queue_empty", {}}, 5, 6});
  finding.action.id = "raise_workers";
  finding.gain = model::Gain{10, 5, 4, 6};
  finding.run_saved_ratio = 0.4;
  finding.limits.push_back({"until_cpu", {}});
  model::Diagnosis diagnosis;
  diagnosis.verdict = "input-bound";
  diagnosis.headline.id = "none";
  diagnosis.findings.push_back(finding);
  diagnosis.findings.emplace_back().rule = "memory-growing";
  return diagnosis;
}

TEST_F(RunCatalogTest, KeepsTheDiagnosisWithTheTypesOfItsParameters) {
  EXPECT_EQ(catalog_->diagnosis().error().code, ErrorCode::kNotFound);
  ASSERT_TRUE(catalog_->put_diagnosis(make_diagnosis()).has_value());
  ASSERT_TRUE(catalog_->put_diagnosis(make_diagnosis()).has_value());
  const auto got = catalog_->diagnosis();
  ASSERT_TRUE(got.has_value()) << got.error().message;
  EXPECT_EQ(got.value(), make_diagnosis());
}

TEST_F(RunCatalogTest, ASealedFileOpensWithoutSideFiles) {
  ASSERT_TRUE(catalog_->put_run(make_run()).has_value());
  ASSERT_TRUE(seal_run_database(*database_).has_value());
  const TempFolder copy;
  std::filesystem::copy_file(path(), copy.path() / "run.db");
  auto opened = open_run_database(copy.path() / "run.db");
  ASSERT_TRUE(opened.has_value()) << opened.error().message;
  EXPECT_EQ(RunCatalog(opened.value()).run().value(), make_run());
  EXPECT_EQ(std::distance(std::filesystem::directory_iterator(copy.path()), {}), 1);
}

TEST_F(RunCatalogTest, IsReadableWhileItIsWritten) {
  ASSERT_TRUE(catalog_->put_run(make_run()).has_value());
  auto reader = open_run_database(path());
  ASSERT_TRUE(reader.has_value()) << reader.error().message;
  EXPECT_EQ(RunCatalog(reader.value()).run().value(), make_run());
  ASSERT_TRUE(catalog_->put_quality({}).has_value());
  EXPECT_TRUE(RunCatalog(reader.value()).quality().has_value());
}

TEST_F(RunCatalogTest, SaysWhenANewerVersionRecorded) {
  ASSERT_TRUE(
      database_->execute("UPDATE meta SET value = '7' WHERE key = 'schema_version'").has_value());
  const auto opened = open_run_database(path());
  ASSERT_FALSE(opened.has_value());
  EXPECT_EQ(opened.error().code, ErrorCode::kUnsupported);
  EXPECT_NE(opened.error().message.find("recorded by a newer version"), std::string::npos);
}

TEST(OpenRunDatabase, SaysWhatIsWrongWithTheFile) {
  const TempFolder folder;
  folder.write("noise", std::string(5000, 'x'));
  folder.write("empty", "");
  EXPECT_EQ(open_run_database(folder.path() / "none").error().code, ErrorCode::kUnavailable);
  EXPECT_EQ(open_run_database(folder.path() / "noise").error().code, ErrorCode::kDataLoss);
  // An empty file is what a recorder leaves that was killed before its first write.
  EXPECT_TRUE(open_run_database(folder.path() / "empty").has_value());
}

TEST(CreateRunDatabase, WorksWithBothJournals) {
  for (const Journal journal : {Journal::kWal, Journal::kRollback}) {
    const TempFolder folder;
    auto created = create_run_database(folder.path() / "run.db", journal);
    ASSERT_TRUE(created.has_value()) << created.error().message;
    RunCatalog catalog(created.value());
    EXPECT_TRUE(catalog.put_run(make_run()).has_value());
    EXPECT_EQ(std::filesystem::exists(folder.path() / "run.db-wal"), journal == Journal::kWal);
    EXPECT_FALSE(create_run_database(folder.path() / "run.db", journal).has_value());
  }
}

}  // namespace
}  // namespace latido::store
