// What every subcommand shares: its entry point, and the exit codes of design.md.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "base/result.h"

namespace CLI {  // NOLINT(readability-identifier-naming): the library calls itself so
class App;
}

namespace latido::cli {

inline constexpr int kOk = 0;
inline constexpr int kFailed = 1;
inline constexpr int kUsage = 2;
inline constexpr int kWorse = 3;           // diff --fail-if: a regression
inline constexpr int kCannotTell = 4;      // diff --fail-if: too noisy, or not comparable
inline constexpr int kLatidoFailed = 125;  // run: Latido itself, not the program
inline constexpr int kNotExecutable = 126;
inline constexpr int kNotFound = 127;

// Each adds its subcommand to `app`; once parsed, `chosen` runs it and returns the exit code.
using Chosen = std::function<int()>;
// `after_dashes`: what stood behind "--" on the command line; it is the program, word for word.
void add_run(CLI::App& app, Chosen& chosen, std::vector<std::string> after_dashes);
void add_attach(CLI::App& app, Chosen& chosen);
void add_report(CLI::App& app, Chosen& chosen);
void add_diff(CLI::App& app, Chosen& chosen);
void add_runs(CLI::App& app, Chosen& chosen);
void add_doctor(CLI::App& app, Chosen& chosen);

// "latido: <message>" on stderr; returns `code`.
int fail(const Error& error, int code = kFailed);

// The environment as "NAME=value" strings.
std::vector<std::string> current_environment();

}  // namespace latido::cli
