#include "cli/config.h"

#include <gtest/gtest.h>

#include "cli/option_table.h"

namespace latido::cli {
namespace {

TEST(Config, FlagsBeatTheEnvironmentWhichBeatsTheFile) {
  Config config;
  ASSERT_TRUE(apply_file(config, "latido.toml",
                         "[run]\ntelemetry_hz = 2\ndrain_hz = 20\nlive = \"never\"\n"));
  ASSERT_TRUE(apply_environment(config, {"LATIDO_RUN_TELEMETRY_HZ=3", "LATIDO_RUN_DRAIN_HZ=30"}));
  ASSERT_TRUE(apply_flag(config, "run.drain_hz", "40", "--set"));
  EXPECT_EQ(config.settings.live, session::LiveMode::kNever);
  EXPECT_EQ(config.settings.telemetry_hz, 3);
  EXPECT_EQ(config.settings.drain_hz, 40);
  EXPECT_EQ(config.origin["run.live"], "latido.toml:4");
  EXPECT_EQ(config.origin["run.telemetry_hz"], "LATIDO_RUN_TELEMETRY_HZ");
  EXPECT_EQ(config.origin["run.drain_hz"], "--set");
}

TEST(Config, NamesTheLineOfEveryMistake) {
  struct Case {
    std::string name, text, want;
  };
  const std::vector<Case> cases{
      {"unknown key", "[run]\n\ntelemetri_hz = 1\n",
       "latido.toml:3: unknown setting 'run.telemetri_hz', did you mean 'run.telemetry_hz'?"},
      {"unknown section", "\n[ruin]\nfoo = 1\n", "latido.toml:3: unknown setting 'ruin.foo'"},
      {"unknown section without keys", "[run]\n[nope]\n", "latido.toml:2: unknown setting 'nope'"},
      {"number for a text", "[run]\nhome = 3\n", "latido.toml:2: run.home: wants a text in quotes"},
      {"flag for a text", "[run]\nhome = true\n",
       "latido.toml:2: run.home: wants a text in quotes"},
      {"date for a text", "[run]\nhome = 2026-01-02\n",
       "latido.toml:2: run.home: wants a text in quotes"},
      {"section in a section", "[run.more]\n", "latido.toml:1: unknown setting 'run.more'"},
      {"wrong type", "[run]\ntelemetry_hz = \"fast\"\n",
       "latido.toml:2: run.telemetry_hz: wants a number, got 'fast'"},
      {"out of range", "[run]\ntelemetry_hz = 1000\n",
       "latido.toml:2: run.telemetry_hz: wants a number from 0.1 to 100, got '1000'"},
      {"list", "[run]\nhome = [1]\n", "latido.toml:2: 'run.home' takes one value, not a list"},
      {"syntax", "[run]\nhome = \n", "latido.toml:2: "},
  };
  for (const Case& c : cases) {
    SCOPED_TRACE(c.name);
    Config config;
    const auto status = apply_file(config, "latido.toml", c.text);
    ASSERT_FALSE(status.has_value());
    EXPECT_TRUE(status.error().message.starts_with(c.want)) << status.error().message;
  }
}

TEST(Config, SaysWhichFunctionsToRecord) {
  Config config;
  ASSERT_TRUE(apply_file(config, "f", "[run]\nfunctions = \"full\"\nexclude = \"*.tests.*\"\n"));
  EXPECT_EQ(config.settings.functions, session::FunctionMode::kFull);
  EXPECT_EQ(config.settings.exclude, "*.tests.*");
  const auto status = apply_flag(config, "run.functions", "some", "--functions");
  ASSERT_FALSE(status.has_value());
  EXPECT_EQ(status.error().message,
            "--functions: run.functions: wants off, adaptive or full, got 'some'");
}

TEST(Config, TakesASectionWithoutKeys) {
  Config config;
  EXPECT_TRUE(apply_file(config, "f", "[run]\n\n[thresholds]\n"));
}

TEST(Config, NamesAVariableThatIsNoSetting) {
  struct Case {
    std::string name, entry, want;
  };
  const std::vector<Case> cases{
      {"unknown key", "LATIDO_RUN_FOO=1", "LATIDO_RUN_FOO: unknown setting 'run.foo'"},
      {"misspelt", "LATIDO_RUN_TELEMETRI_HZ=1",
       "LATIDO_RUN_TELEMETRI_HZ: unknown setting 'run.telemetri_hz', did you mean "
       "'run.telemetry_hz'?"},
      {"threshold", "LATIDO_THRESHOLDS_NOPE=1", "LATIDO_THRESHOLDS_NOPE: unknown setting"},
      {"empty", "LATIDO_RUN_FOO=", "LATIDO_RUN_FOO: unknown setting 'run.foo'"},
      {"bad value", "LATIDO_RUN_DRAIN_HZ=x", "LATIDO_RUN_DRAIN_HZ: run.drain_hz: wants a number"},
  };
  for (const Case& c : cases) {
    SCOPED_TRACE(c.name);
    Config config;
    const auto status = apply_environment(config, {"PATH=/bin", c.entry});
    ASSERT_FALSE(status.has_value());
    EXPECT_TRUE(status.error().message.starts_with(c.want)) << status.error().message;
  }
}

TEST(Config, LeavesVariablesAloneThatAreNoSettings) {
  Config config;
  const auto status = apply_environment(
      config, {"LATIDO_HOME=/h", "LATIDO_DISABLE=1", "LATIDO_RUN_ID=1", "LATIDO_SOCKET=/s",
               "LATIDO_LANG=en", "LATIDO_CONFIG=f", "LATIDO_BENCH_ROUNDS=3", "LATIDO_RUNNER_X=1",
               "LATIDO_run_foo=1", "LATIDO_RUN=1", "RUN_FOO=1", "no sign"});
  EXPECT_TRUE(status.has_value()) << status.error().message;
  EXPECT_TRUE(config.origin.empty());
}

TEST(Config, SetsThresholds) {
  Config config;
  ASSERT_TRUE(apply_file(config, "f", "[thresholds]\ninput_wait_ratio = 0.33\n"));
  EXPECT_EQ(config.settings.thresholds.input_wait_ratio, 0.33);
}

TEST(PrintConfig, ReadsBackToTheSameSettings) {
  for (const std::string home : {"/somewhere else", "3", "true", "/a\"b\\c"}) {
    SCOPED_TRACE(home);
    Config config;
    config.settings.home = home;
    ASSERT_TRUE(apply_flag(config, "thresholds.input_wait_ratio", "0.4", "--set"));
    Config again;
    const auto status = apply_file(again, "printed", print_config(config));
    ASSERT_TRUE(status.has_value()) << status.error().message;
    for (const Option& option : option_table()) {
      EXPECT_EQ(option.get(again.settings), option.get(config.settings)) << option.key;
    }
  }
}

}  // namespace
}  // namespace latido::cli
