#include "report/layer_rows.h"

#include <algorithm>
#include <map>
#include <set>
#include <string_view>
#include <utility>

namespace latido::report {
namespace {

using analysis::LayerTime;

bool is_number(std::string_view part) {
  return !part.empty() && part.find_first_not_of("0123456789") == std::string_view::npos;
}

// "encoder.layers.3.linear1" → "encoder.layers.*.linear1".
std::string pattern_of(std::string_view path) {
  std::string pattern;
  while (!path.empty()) {
    const std::size_t dot = path.find('.');
    const std::string_view part = path.substr(0, dot);
    pattern += is_number(part) ? std::string_view("*") : part;
    if (dot == std::string_view::npos) break;
    pattern += '.';
    path.remove_prefix(dot + 1);
  }
  return pattern;
}

// A loss is a module, too, but has no layers whose names could be mistaken.
bool has_several_models(const analysis::LayerFacts& facts) {
  std::set<std::string_view> models;
  for (const LayerTime& layer : facts.layers) {
    if (!layer.model.empty() && !layer.path.empty()) models.insert(layer.model);
  }
  return models.size() > 1;
}

std::string with_model(const LayerTime& layer, const std::string& name, bool several) {
  return several && !layer.path.empty() ? layer.model + "." + name : name;
}

void add_measured(std::int64_t& sum, std::int64_t value) {
  if (value == model::kNotMeasured) return;
  sum = (sum == model::kNotMeasured ? 0 : sum) + value;
}

void add(LayerTime& sum, const LayerTime& layer) {
  sum.calls += layer.calls;
  sum.forward_ns += layer.forward_ns;
  sum.forward_self_ns += layer.forward_self_ns;
  sum.backward_ns += layer.backward_ns;
  sum.backward_self_ns += layer.backward_self_ns;
  sum.recomputed_ns += layer.recomputed_ns;
  add_measured(sum.parameters, layer.parameters);
  add_measured(sum.own_parameters, layer.own_parameters);
  add_measured(sum.forward_flops, layer.forward_flops);
  add_measured(sum.forward_self_flops, layer.forward_self_flops);
  add_measured(sum.backward_flops, layer.backward_flops);
  add_measured(sum.backward_self_flops, layer.backward_self_flops);
  add_measured(sum.activation_bytes, layer.activation_bytes);
  add_measured(sum.activation_self_bytes, layer.activation_self_bytes);
}

}  // namespace

std::string layer_name(const analysis::LayerFacts& facts, const LayerTime& layer) {
  return with_model(layer, layer.name(), has_several_models(facts));
}

std::vector<LayerRow> layer_rows(const analysis::LayerFacts& facts) {
  const bool several = has_several_models(facts);
  std::vector<LayerRow> rows;
  std::map<std::pair<std::string, std::string>, std::size_t> places;
  for (const LayerTime& layer : facts.layers) {
    const std::string pattern = layer.path.empty() ? layer.name() : pattern_of(layer.path);
    const std::string name = with_model(layer, pattern, several);
    const auto [place, fresh] = places.try_emplace({name, layer.kind}, rows.size());
    if (fresh) {
      rows.push_back({.name = name, .kind = layer.kind, .layers = layer});
      continue;
    }
    LayerRow& row = rows[place->second];
    ++row.count;
    add(row.layers, layer);
  }
  for (LayerRow& row : rows) {
    // A row of one layer is that layer.
    if (row.count == 1) row.name = with_model(row.layers, row.layers.name(), several);
  }
  std::stable_sort(rows.begin(), rows.end(), [](const LayerRow& a, const LayerRow& b) {
    return a.layers.self_ns() > b.layers.self_ns();
  });
  return rows;
}

std::vector<const LayerTime*> models_of(const analysis::LayerFacts& facts) {
  std::vector<const LayerTime*> models;
  for (const LayerTime& layer : facts.layers) {
    // Not a loss or an activation that is called by itself.
    const bool has_layers = layer.own_parameters != layer.parameters || layer.parameters > 0;
    if (layer.path.empty() && !layer.model.empty() && has_layers) models.push_back(&layer);
  }
  std::stable_sort(models.begin(), models.end(), [](const LayerTime* a, const LayerTime* b) {
    return a->total_ns() > b->total_ns();
  });
  return models;
}

std::optional<double> own_flops_per_s(const LayerTime& layer) {
  if (layer.forward_self_flops == model::kNotMeasured || layer.self_ns() <= 0) return std::nullopt;
  const std::int64_t flops = layer.forward_self_flops + layer.backward_self_flops;
  if (flops <= 0) return std::nullopt;
  return static_cast<double>(flops) * 1e9 / static_cast<double>(layer.self_ns());
}

}  // namespace latido::report
