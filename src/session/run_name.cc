#include "session/run_name.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <filesystem>
#include <string_view>

namespace latido::session {
namespace {

namespace fs = std::filesystem;

constexpr std::array<std::string_view, 4> kScriptExtensions{".py", ".pyc", ".ipynb", ".sh"};
constexpr std::array<std::string_view, 5> kShells{"sh", "bash", "dash", "zsh", "ksh"};
// Modules that start another program of the same command line.
constexpr std::array<std::string_view, 4> kLauncherModules{
    "torch.distributed.run", "torch.distributed.launch", "accelerate.commands.launch", "pdb"};

template <std::size_t N>
bool is_one_of(const std::array<std::string_view, N>& names, std::string_view name) {
  return std::ranges::find(names, name) != names.end();
}

bool is_script(const fs::path& argument) {
  return is_one_of(kScriptExtensions, argument.extension().string()) && argument.stem() != "";
}

// Good enough for a name: words end at blanks and at the shell's own signs, quotes are dropped.
std::vector<std::string> words_of(std::string_view commands) {
  std::vector<std::string> words(1);
  for (const char c : commands) {
    if (c == '"' || c == '\'') continue;
    if (std::string_view(" \t\n;&|()<>").find(c) == std::string_view::npos) {
      words.back() += c;
    } else if (!words.back().empty()) {
      words.emplace_back();
    }
  }
  if (words.back().empty()) words.pop_back();
  return words;
}

// The script or module that a command line names, "" when it names none.
std::string named_script(const std::vector<std::string>& arguments) {
  for (std::size_t i = 1; i < arguments.size(); ++i) {
    if (arguments[i] == "-m" && i + 1 < arguments.size() &&
        !is_one_of(kLauncherModules, arguments[i + 1])) {
      return arguments[i + 1];
    }
    if (is_script(arguments[i])) return fs::path(arguments[i]).stem();
  }
  return "";
}

// The text after a shell's -c (also -lc, -ec), nullptr when there is none.
const std::string* shell_commands(const std::vector<std::string>& arguments) {
  if (!is_one_of(kShells, fs::path(arguments.front()).filename().string())) return nullptr;
  for (std::size_t i = 1; i + 1 < arguments.size() && arguments[i].starts_with("-"); ++i) {
    if (!arguments[i].starts_with("--") && arguments[i].ends_with("c")) return &arguments[i + 1];
  }
  return nullptr;
}

}  // namespace

std::string script_name(const std::vector<std::string>& arguments) {
  std::string name;
  if (const std::string* commands = shell_commands(arguments)) {
    std::vector<std::string> words = words_of(*commands);
    words.insert(words.begin(), "");  // any word may be the script, also the first
    name = named_script(words);
  } else {
    name = named_script(arguments);
  }
  return name.empty() ? fs::path(arguments.front()).filename().string() : name;
}

}  // namespace latido::session
