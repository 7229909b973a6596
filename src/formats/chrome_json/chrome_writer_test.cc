#include "formats/chrome_json/chrome_writer.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <limits>
#include <string>
#include <utility>
#include <vector>

#include "base/json_reader.h"
#include "formats/chrome_json/micros.h"
#include "formats/perfetto/testing/sample_timeline.h"

namespace latido::formats::chrome_json {
namespace {

using perfetto::begin;
using perfetto::end;
using perfetto::make_tables;
using perfetto::point;

model::Run example_run() {
  model::Run run;
  run.id = "01J";
  run.name = "train-0f3a";
  run.start_ns = 1'000;
  run.end_ns = 5'000;
  run.started_wall_ns = 1'700'000'000'123'456'789;
  run.latido_version = "0.3";
  return run;
}

std::string written(const std::vector<model::Event>& events, const model::Tables& tables,
                    ChromeWriter::Counts* counts = nullptr) {
  ChromeWriter writer(example_run(), "1.0");
  writer.append(events, tables);
  writer.finish(tables);
  if (counts != nullptr) *counts = writer.counts();
  return writer.take();
}

JsonValue parsed(const std::string& text) {
  auto value = parse_json(text);
  EXPECT_TRUE(value.has_value()) << text;
  return value.has_value() ? std::move(value).value() : JsonValue();
}

// Of `phase`, in order.
std::vector<JsonValue> events_of(const JsonValue& file, std::string_view phase) {
  std::vector<JsonValue> found;
  for (const JsonValue& event : file["traceEvents"].items()) {
    if (event["ph"].string_or("") == phase) found.push_back(event);
  }
  return found;
}

TEST(Micros, AreExact) {
  struct Case {
    std::int64_t ns;
    const char* want;
  };
  for (const Case& c : {Case{0, "0"}, Case{1, "0.001"}, Case{-1, "-0.001"}, Case{1'000, "1"},
                        Case{1'200, "1.2"}, Case{-12'345, "-12.345"}, Case{10, "0.01"},
                        Case{999'999'999'999'999'999, "999999999999999.999"},
                        Case{std::numeric_limits<std::int64_t>::max(), "9223372036854775.807"},
                        Case{std::numeric_limits<std::int64_t>::min(), "-9223372036854775.808"}}) {
    std::string text;
    append_micros(text, c.ns);
    EXPECT_EQ(text, c.want);
  }
}

TEST(ChromeWriter, WritesEveryKindOfEvent) {
  const model::Tables tables = make_tables();
  const std::string text = written(perfetto::every_kind(), tables);
  const JsonValue file = parsed(text);
  EXPECT_EQ(file["displayTimeUnit"].string_or(""), "ns");
  EXPECT_EQ(file["otherData"]["start_unix_ns"].string_or(""), "1700000000123456789");
  const auto spans = events_of(file, "X");
  ASSERT_EQ(spans.size(), 5U);
  EXPECT_NE(text.find(R"("name":"forward","cat":"forward","pid":100,"tid":100,"ts":0.1,)"
                      R"("dur":0.007,"args":{"batch":64,"batch":7,"batch":0}})"),
            std::string::npos)
      << text;
  EXPECT_NE(text.find(R"("name":"epoch","cat":"zone","pid":100,"tid":100,"ts":0,"dur":0.2,)"
                      R"("args":{"at":"train.py:12"}})"),
            std::string::npos)
      << text;
  EXPECT_NE(text.find(R"("pid":101,"tid":101,"ts":-0.1,"dur":1999999999.1)"), std::string::npos);
  const auto counters = events_of(file, "C");
  ASSERT_EQ(counters.size(), 1U) << "NaN is no number in JSON";
  EXPECT_EQ(counters[0]["name"].string_or(""), "loss");
  EXPECT_DOUBLE_EQ(counters[0]["args"]["value"].number_or(0), 0.25);
  const auto instants = events_of(file, "i");
  ASSERT_EQ(instants.size(), 5U);
  EXPECT_EQ(instants[0]["args"]["text"].string_or(""), "absent: no torch");
  EXPECT_EQ(instants[2]["args"]["number"].integer_or(0), 99);
  EXPECT_EQ(instants[2]["s"].string_or(""), "t");
}

TEST(ChromeWriter, NamesProcessesAndThreads) {
  model::Tables tables = make_tables();
  tables.processes[1].pid = 100;  // the id was used again
  tables.tracks[0].name = "</script>\n\"";
  tables.sites[0].name = "<module>\x01\xff\\";
  const std::string text = written(perfetto::every_kind(), tables);
  EXPECT_NE(text.find("\"name\":\"<module>\\u0001\uFFFD\\\\\""), std::string::npos)
      << "no escape that JSON does not ask for: Perfetto shows it as it stands\n"
      << text;
  const JsonValue file = parsed(text);
  const auto names = events_of(file, "M");
  ASSERT_EQ(names.size(), 5U);
  EXPECT_EQ(names[0]["args"]["name"].string_or(""), "machine");
  EXPECT_EQ(names[1]["name"].string_or(""), "process_name");
  EXPECT_EQ(names[1]["args"]["name"].string_or(""), "rank 0 · python train.py");
  EXPECT_EQ(names[1]["pid"].integer_or(0), 100);
  EXPECT_EQ(names[2]["args"]["name"].string_or(""), "worker · rank 0 · python train.py (100)");
  EXPECT_GT(names[2]["pid"].integer_or(0), 1 << 22);
  EXPECT_EQ(names[3]["name"].string_or(""), "thread_name");
  EXPECT_EQ(names[3]["args"]["name"].string_or(""), "</script>\n\"");
  EXPECT_EQ(names[4]["pid"].integer_or(0), names[2]["pid"].integer_or(1));
}

TEST(ChromeWriter, EndsWhatIsOpenWithItsProcess) {
  const model::Tables tables = make_tables();
  ChromeWriter::Counts counts;
  const std::string text =
      written({begin(1'500, 0), begin(800, 0, 1), begin(850, 1, 1)}, tables, &counts);
  EXPECT_EQ(counts.spans, 3U);
  EXPECT_EQ(counts.unfinished, 3U);
  EXPECT_NE(text.find(R"("ts":0.5,"dur":3.5,"args":{"at":"train.py:12","unfinished":true})"),
            std::string::npos)
      << "to the end of the run\n"
      << text;
  EXPECT_NE(text.find(R"("ts":-0.15,"dur":0.05,"args":{"unfinished":true})"), std::string::npos)
      << "to the end of the process\n"
      << text;
}

TEST(ChromeWriter, WritesZonesThatCrossFunctionsBesideThem) {
  model::Tables tables = make_tables();
  tables.sites.push_back({"generate", model::Category::kFunction, "train.py", 30});
  const JsonValue file =
      parsed(written({begin(1'000, 7), begin(1'100, 0), end(1'200, 7), end(1'300, 0)}, tables));
  ASSERT_EQ(events_of(file, "X").size(), 1U);
  const auto begins = events_of(file, "b");
  const auto ends = events_of(file, "e");
  ASSERT_EQ(begins.size(), 1U);
  ASSERT_EQ(ends.size(), 1U);
  EXPECT_EQ(begins[0]["id"].string_or("a"), ends[0]["id"].string_or("b"));
  EXPECT_EQ(begins[0]["name"].string_or(""), "epoch");
  EXPECT_DOUBLE_EQ(ends[0]["ts"].number_or(0), 0.3);
}

TEST(ChromeWriter, WritesSeriesOfProcessesAndOfTheMachine) {
  const model::Tables tables = make_tables();
  ChromeWriter writer(example_run(), "1.0");
  const std::vector<model::Sample> samples{
      {.ts_ns = 2'000, .value = 1.5},
      {.ts_ns = 3'000, .value = std::numeric_limits<double>::infinity()}};
  writer.append_series({.metric = "host.cpu.user_cores", .label = "cpu0"}, samples, tables);
  writer.append_series({.metric = "process.rss_bytes", .process = model::ProcessId{1}, .label = {}},
                       samples, tables);
  writer.append_series({}, {}, tables);
  writer.finish(tables);
  EXPECT_EQ(writer.counts().not_finite, 2U);
  const JsonValue file = parsed(writer.take());
  const auto counters = events_of(file, "C");
  ASSERT_EQ(counters.size(), 2U);
  EXPECT_EQ(counters[0]["name"].string_or(""), "host.cpu.user_cores cpu0");
  EXPECT_EQ(counters[1]["pid"].integer_or(0), 101);
  EXPECT_EQ(events_of(file, "M").size(), 2U);
}

TEST(ChromeWriter, CountsWhatPointsNowhere) {
  const model::Tables tables = make_tables();
  ChromeWriter::Counts counts;
  const JsonValue file = parsed(written(
      {begin(1, 99), begin(1, 0, 99), point(model::EventKind::kText, 1, 4, 99)}, tables, &counts));
  EXPECT_EQ(counts.malformed, 3U);
  EXPECT_TRUE(events_of(file, "X").empty());
}

TEST(ChromeWriter, IsValidWithNothing) {
  EXPECT_TRUE(parsed(written({}, make_tables()))["traceEvents"].items().empty());
}

}  // namespace
}  // namespace latido::formats::chrome_json
