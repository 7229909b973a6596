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

TEST(Config, SetsThresholds) {
  Config config;
  ASSERT_TRUE(apply_file(config, "f", "[thresholds]\ninput_wait_ratio = 0.33\n"));
  EXPECT_EQ(config.settings.thresholds.input_wait_ratio, 0.33);
}

TEST(PrintConfig, ReadsBackToTheSameSettings) {
  Config config;
  config.settings.home = "/somewhere else";
  ASSERT_TRUE(apply_flag(config, "thresholds.input_wait_ratio", "0.4", "--set"));
  Config again;
  const auto status = apply_file(again, "printed", print_config(config));
  ASSERT_TRUE(status.has_value()) << status.error().message;
  for (const Option& option : option_table()) {
    EXPECT_EQ(option.get(again.settings), option.get(config.settings)) << option.key;
  }
}

}  // namespace
}  // namespace latido::cli
