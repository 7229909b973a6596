#include "report/speedscope.h"

#include <algorithm>
#include <vector>

#include "base/json_writer.h"
#include "report/flame_tree.h"

namespace latido::report {
namespace {

void write_frames(JsonWriter& json, const std::vector<model::CallFrame>& functions) {
  json.begin_array();
  for (const model::CallFrame& function : functions) {
    json.begin_object().key("name").string(function.function.empty() ? "?" : function.function);
    if (!function.file.empty()) json.key("file").string(function.file);
    if (function.line > 0) json.key("line").unsigned_integer(function.line);
    json.end_object();
  }
  json.end_array();
}

void write_path(JsonWriter& json, const FlameTree& tree, std::uint32_t node) {
  std::vector<std::uint32_t> path;
  for (std::uint32_t at = node; at != 0; at = tree.nodes[at].parent) {
    path.push_back(tree.nodes[at].function);
  }
  json.begin_array();
  for (std::size_t i = path.size(); i-- > 0;) json.unsigned_integer(path[i]);
  json.end_array();
}

// A profile without samples is left out: some viewers refuse it.
void write_profile(JsonWriter& json, const FlameTree& tree, std::string_view name) {
  std::vector<std::uint32_t> ends;
  std::int64_t total_ns = 0;
  for (std::uint32_t i = 1; i < tree.nodes.size(); ++i) {
    if (tree.nodes[i].self_ns <= 0) continue;
    ends.push_back(i);
    total_ns += tree.nodes[i].self_ns;
  }
  if (ends.empty()) return;
  json.begin_object().key("type").string("sampled").key("name").string(name);
  json.key("unit").string("nanoseconds").key("startValue").integer(0);
  json.key("endValue").integer(total_ns).key("samples").begin_array();
  for (const std::uint32_t end : ends) write_path(json, tree, end);
  json.end_array().key("weights").begin_array();
  for (const std::uint32_t end : ends) json.integer(tree.nodes[end].self_ns);
  json.end_array().end_object();
}

}  // namespace

std::string render_speedscope(const model::CallTree& tree, std::string_view name,
                              std::string_view exporter) {
  const FlameTree wall = sum_by_function(tree, CountedTime::kWall);
  const FlameTree busy = sum_by_function(tree, CountedTime::kBusy);
  JsonWriter json;
  json.begin_object().key("$schema").string("https://www.speedscope.app/file-format-schema.json");
  json.key("name").string(name).key("exporter").string(exporter);
  json.key("activeProfileIndex").integer(0).key("shared").begin_object().key("frames");
  write_frames(json, wall.functions);  // the same in both: they come from the tree's frames
  json.end_object().key("profiles").begin_array();
  write_profile(json, wall, std::string(name) + " (wall)");
  write_profile(json, busy, std::string(name) + " (busy)");
  json.end_array().end_object();
  return std::move(json).take();
}

}  // namespace latido::report
