#include "report/next_steps.h"

#include <algorithm>
#include <string_view>

namespace latido::report {
namespace {

bool has_steps(const analysis::RunFacts& facts) {
  return std::ranges::any_of(facts.ranks, [](const analysis::RankFacts& rank) {
    return rank.stats.count > 0 || !rank.steps.empty();
  });
}

bool is_python(const model::Run& run) {
  if (!run.environment.python.empty()) return true;
  if (run.command.empty()) return false;
  const std::string_view program = run.command.front();
  return program.substr(program.rfind('/') + 1).starts_with("python");
}

}  // namespace

std::string check_command(const analysis::RunFacts& facts) {
  const bool steady = std::ranges::any_of(
      facts.ranks, [](const analysis::RankFacts& rank) { return rank.stats.count > 0; });
  return steady ? "latido diff " + facts.run.name + " last" : std::string();
}

std::string page_command(const model::Run& run) {
  return "latido report " + run.name + " -o " + run.name + ".html";
}

std::string functions_hint(const analysis::RunFacts& facts, const Catalogue& catalogue) {
  // One that was attached to was not started by a command that could be given again.
  const bool started = facts.run.end.kind != model::EndKind::kDetached &&
                       facts.run.end.kind != model::EndKind::kNotStarted;
  if (has_steps(facts) || !started || !is_python(facts.run)) return {};
  for (const analysis::RankFacts& rank : facts.ranks) {
    if (!rank.functions.empty() || !rank.lines.empty()) return {};
  }
  std::string command = "latido run --functions adaptive --sample 100 --";
  for (const std::string& word : facts.run.command) command += " " + word;
  return catalogue.say("more.functions", {{"command", command}});
}

}  // namespace latido::report
