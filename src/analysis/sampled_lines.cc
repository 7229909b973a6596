#include "analysis/sampled_lines.h"

#include <algorithm>
#include <tuple>
#include <unordered_map>

#include "analysis/sampled_sums.h"

namespace latido::analysis {
namespace {

struct Line {
  std::uint32_t frame = 0;
  std::uint32_t line = 0;
};

}  // namespace

std::vector<LineTime> sampled_lines(const model::CallTree& calls,
                                    const std::set<model::ProcessId>& of) {
  std::vector<Line> lines;
  std::vector<std::uint32_t> key_of;
  std::unordered_map<std::uint64_t, std::uint32_t> known;
  key_of.reserve(calls.nodes.size());
  for (const model::CallNode& node : calls.nodes) {
    const std::uint64_t both = (std::uint64_t{node.frame} << 32U) | node.line;
    const auto [it, added] = known.emplace(both, static_cast<std::uint32_t>(lines.size()));
    if (added) lines.push_back({node.frame, node.line});
    key_of.push_back(it->second);
  }
  const std::vector<SampledSum> sums = sum_paths(calls, of, key_of, lines.size());
  std::vector<LineTime> result;
  for (std::size_t i = 0; i < lines.size(); ++i) {
    if (sums[i].total_ns <= 0 || lines[i].line == 0 || lines[i].frame >= calls.frames.size()) {
      continue;
    }
    const model::CallFrame& frame = calls.frames[lines[i].frame];
    if (frame.file.empty()) continue;
    LineTime line;
    line.function = frame.function;
    line.file = frame.file;
    line.line = lines[i].line;
    line.self_ns = sums[i].self_ns;
    line.total_ns = sums[i].total_ns;
    result.push_back(std::move(line));
  }
  std::ranges::sort(result, {}, [](const LineTime& line) {
    return std::tuple(-line.self_ns, -line.total_ns, std::string_view(line.file), line.line);
  });
  if (result.size() > kMostLines) result.resize(kMostLines);
  return result;
}

}  // namespace latido::analysis
