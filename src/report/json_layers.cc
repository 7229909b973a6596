#include "report/json_layers.h"

#include "report/json_parts.h"

namespace latido::report {
namespace {

void write_layer(JsonWriter& json, const analysis::LayerTime& layer) {
  json.begin_object().key("name").string(layer.name());
  write_known(json, "model", layer.model);
  write_known(json, "class", layer.kind);
  json.key("calls_per_step").number(layer.calls);
  write_ns(json, "forward_ns", layer.forward_ns);
  write_ns(json, "forward_self_ns", layer.forward_self_ns);
  write_ns(json, "backward_ns", layer.backward_ns);
  write_ns(json, "backward_self_ns", layer.backward_self_ns);
  write_ns(json, "recomputed_ns", layer.recomputed_ns);
  // These are no times, but null where they are unknown, as times are.
  write_measured_ns(json, "parameters", layer.parameters);
  write_measured_ns(json, "own_parameters", layer.own_parameters);
  write_measured_ns(json, "forward_flops", layer.forward_flops);
  write_measured_ns(json, "forward_self_flops", layer.forward_self_flops);
  write_measured_ns(json, "backward_flops", layer.backward_flops);
  write_measured_ns(json, "backward_self_flops", layer.backward_self_flops);
  write_measured_ns(json, "activation_bytes", layer.activation_bytes);
  write_measured_ns(json, "activation_self_bytes", layer.activation_self_bytes);
  json.end_object();
}

}  // namespace

void write_layers(JsonWriter& json, const analysis::LayerFacts& facts) {
  json.key("layers");
  if (facts.empty()) {
    json.null();
    return;
  }
  json.begin_object();
  json.key("timed_steps").unsigned_integer(facts.timed_steps);
  json.key("counted_steps").unsigned_integer(facts.counted_steps);
  write_measured_ns(json, "sampled_mean_ns", facts.sampled_mean_ns);
  write_ns(json, "backward_before_ns", facts.backward_before_ns);
  json.key("notes").begin_array();
  for (const std::string& note : facts.notes) json.string(note);
  json.end_array();
  json.key("layers").begin_array();
  for (const analysis::LayerTime& layer : facts.layers) write_layer(json, layer);
  json.end_array().end_object();
}

}  // namespace latido::report
