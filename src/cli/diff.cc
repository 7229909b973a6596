// latido diff: two runs beside each other, with a test.
#include <CLI/CLI.hpp>

#include "cli/command.h"

namespace latido::cli {
void add_diff(CLI::App& app, Chosen& chosen) { static_cast<void>(app), static_cast<void>(chosen); }
}  // namespace latido::cli
