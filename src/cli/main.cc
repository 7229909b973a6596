// latido: the command line. Subcommands live in one file each.
#include <CLI/CLI.hpp>
#include <algorithm>
#include <cstdio>
#include <exception>
#include <string>
#include <vector>

#include "cli/command.h"
#include "cli/version.h"

namespace {

int run_command_line(int argc, char** argv) {
  // Cut at "--" before anything is parsed: no flag of the program may be taken for ours.
  const std::vector<std::string> words(argv, argv + argc);
  const auto dashes = std::find(words.begin(), words.end(), "--");
  CLI::App app{
      "Tells you why your training or inference is slow, proves it, and predicts the fix."};
  app.set_version_flag("--version", std::string("latido ") + latido::cli::kVersion);
  app.require_subcommand(1);
  latido::cli::Chosen chosen;
  latido::cli::add_run(app, chosen, {dashes == words.end() ? dashes : dashes + 1, words.end()});
  latido::cli::add_attach(app, chosen);
  latido::cli::add_report(app, chosen);
  latido::cli::add_diff(app, chosen);
  latido::cli::add_runs(app, chosen);
  latido::cli::add_doctor(app, chosen);
  try {
    app.parse(static_cast<int>(dashes - words.begin()), argv);
  } catch (const CLI::ParseError& error) {
    if (words.size() > 1 && !words[1].starts_with("-") &&
        app.get_subcommands([&](const CLI::App* one) { return one->get_name() == words[1]; })
            .empty()) {
      return latido::cli::fail(
          {latido::ErrorCode::kInvalidInput,
           "no such command: " + words[1] + "; to profile a program: latido run -- " + words[1]},
          latido::cli::kUsage);
    }
    return app.exit(error) == 0 ? latido::cli::kOk : latido::cli::kUsage;
  }
  return chosen();
}

}  // namespace

int main(int argc, char** argv) {
  try {
    return run_command_line(argc, argv);
  } catch (const std::exception& error) {  // no memory, mostly: nothing of ours throws
    std::fprintf(stderr, "latido: %s\n", error.what());
    return latido::cli::kFailed;
  }
}
