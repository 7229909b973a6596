#include "report/collapsed.h"

#include <vector>

#include "report/text_layout.h"

namespace latido::report {
namespace {

// Of one line, and without the character that ends a frame.
std::string frame_text(const model::CallFrame& frame) {
  std::string text = printable(frame.function.empty() ? "?" : frame.function);
  if (!frame.file.empty()) {
    text += " (" + printable(frame.file);
    if (frame.line > 0) text += ":" + std::to_string(frame.line);
    text += ")";
  }
  for (char& c : text) {
    if (c == ';') c = ',';
  }
  return text;
}

}  // namespace

std::string render_collapsed(const model::CallTree& tree, CountedTime counted) {
  constexpr std::int64_t kMicrosecond_ns = 1'000;
  const FlameTree sum = sum_by_function(tree, counted);
  std::vector<std::string> names;
  names.reserve(sum.functions.size());
  for (const model::CallFrame& frame : sum.functions) names.push_back(frame_text(frame));
  std::string out;
  std::vector<std::uint32_t> path;
  for (std::uint32_t i = 1; i < sum.nodes.size(); ++i) {
    const std::int64_t rounded = sum.nodes[i].self_ns / kMicrosecond_ns +
                                 (sum.nodes[i].self_ns % kMicrosecond_ns >= 500 ? 1 : 0);
    if (rounded == 0) continue;
    path.clear();
    for (std::uint32_t at = i; at != 0; at = sum.nodes[at].parent) {
      path.push_back(sum.nodes[at].function);
    }
    for (std::size_t depth = path.size(); depth-- > 0;) {
      out += names[path[depth]];
      out += depth == 0 ? ' ' : ';';
    }
    out += std::to_string(rounded) + "\n";
  }
  return out;
}

}  // namespace latido::report
