#include "diagnosis/hot_function.h"

#include <algorithm>
#include <array>
#include <string>
#include <string_view>

namespace latido::diagnosis {
namespace {

using analysis::FunctionTime;

bool is_own_code(const std::string& file) {
  constexpr std::array<std::string_view, 3> kLibraries{"/site-packages/", "/dist-packages/",
                                                       "/lib/python3."};
  if (file.empty() || file.starts_with('<')) return false;
  return std::ranges::none_of(kLibraries, [&](std::string_view library) {
    return file.find(library) != std::string::npos;
  });
}

std::optional<HotFunction> largest(const std::vector<FunctionTime>& functions, double whole_ns) {
  constexpr double kWorthNaming_ratio = 0.1;
  const FunctionTime* found = nullptr;
  for (const FunctionTime& function : functions) {
    if (function.sampled_self_ns <= 0 || !is_own_code(function.file)) continue;
    if (found == nullptr || function.sampled_self_ns > found->sampled_self_ns) found = &function;
  }
  if (found == nullptr || whole_ns <= 0) return std::nullopt;
  const double ratio = std::min(1.0, static_cast<double>(found->sampled_self_ns) / whole_ns);
  if (ratio < kWorthNaming_ratio) return std::nullopt;
  return HotFunction{.function = found, .ratio = ratio};
}

}  // namespace

std::optional<HotFunction> hot_function(const analysis::RunFacts& facts,
                                        const analysis::RankFacts& rank) {
  const std::int64_t whole_ns =
      rank.sampled_steps_ns > 0 ? rank.sampled_steps_ns : facts.run.wall_ns();
  return largest(rank.functions, static_cast<double>(whole_ns));
}

std::optional<HotFunction> hot_worker_function(const analysis::RankFacts& rank) {
  double whole_ns = 0;
  for (const FunctionTime& function : rank.worker_functions) {
    whole_ns += static_cast<double>(std::max<std::int64_t>(function.sampled_self_ns, 0));
  }
  return largest(rank.worker_functions, whole_ns);
}

model::Params place_of(const HotFunction& hot) {
  model::Params params;
  params.set("function", hot.function->name).set("file", hot.function->file);
  if (hot.function->line > 0) params.set("line", std::int64_t{hot.function->line});
  return params;
}

void add_evidence(FindingBuilder& finding, const std::optional<HotFunction>& hot) {
  if (hot) finding.evidence("hot_function.evidence", place_of(*hot).set("ratio", hot->ratio));
}

}  // namespace latido::diagnosis
