// latido: the command line. Subcommands live in one file each.
#include <CLI/CLI.hpp>

#include <string>

#include "cli/command.h"
#include "cli/version.h"

int main(int argc, char** argv) {
  CLI::App app{"Tells you why your training or inference is slow, proves it, and predicts the fix."};
  app.set_version_flag("--version", std::string("latido ") + latido::cli::kVersion);
  app.require_subcommand(1);
  latido::cli::Chosen chosen;
  latido::cli::add_run(app, chosen);
  latido::cli::add_report(app, chosen);
  latido::cli::add_diff(app, chosen);
  latido::cli::add_runs(app, chosen);
  latido::cli::add_doctor(app, chosen);
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    return app.exit(error) == 0 ? latido::cli::kOk : latido::cli::kUsage;
  }
  return chosen();
}
