#include "analysis/layer_tree.h"

#include <algorithm>
#include <map>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>

namespace latido::analysis {
namespace {

std::string_view parent_of(std::string_view path) {
  const std::size_t dot = path.rfind('.');
  return dot == std::string_view::npos ? std::string_view() : path.substr(0, dot);
}

// A value that was not measured adds nothing.
void add_measured(std::int64_t& total, std::int64_t own) {
  if (own == model::kNotMeasured) return;
  total = (total == model::kNotMeasured ? 0 : total) + own;
}

void add(LayerTime& outer, const LayerTime& inner) {
  outer.backward_ns += inner.backward_self_ns;
  add_measured(outer.forward_flops, inner.forward_self_flops);
  add_measured(outer.backward_flops, inner.backward_self_flops);
  add_measured(outer.activation_bytes, inner.activation_self_bytes);
}

bool did_something(const LayerTime& layer) {
  return layer.calls > 0 || layer.forward_ns > 0 || layer.backward_ns > 0 ||
         layer.recomputed_ns > 0 || layer.forward_flops > 0 || layer.backward_flops > 0 ||
         layer.activation_bytes > 0;
}

}  // namespace

void add_up_layers(std::vector<LayerTime>& layers) {
  std::map<std::pair<std::string_view, std::string_view>, std::size_t> by_path;
  for (std::size_t i = 0; i < layers.size(); ++i) {
    if (!layers[i].model.empty()) by_path[{layers[i].model, layers[i].path}] = i;
  }
  for (LayerTime& layer : layers) {
    add(layer, layer);
    if (layer.model.empty()) continue;
    for (std::string_view path = layer.path; !path.empty();) {
      path = parent_of(path);
      // What stands around a model has its class as path; it is inside nothing.
      const auto it = by_path.find({layer.model, path});
      if (it != by_path.end()) add(layers[it->second], layer);
    }
  }
  std::erase_if(layers, [](const LayerTime& layer) { return !did_something(layer); });
  std::sort(layers.begin(), layers.end(), [](const LayerTime& a, const LayerTime& b) {
    return std::tie(a.model, a.place, a.path, a.kind) < std::tie(b.model, b.place, b.path, b.kind);
  });
}

}  // namespace latido::analysis
