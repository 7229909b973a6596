// LayerFacts: what sampled steps tell of the layers of a model, as the reports show it.
//
// Made by LayerTable. Times are means per step of the sampled steps; a value that was not measured is
// model::kNotMeasured. A layer's total is its own and that of the layers inside it.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "model/step.h"

namespace latido::analysis {

struct LayerTime {
  std::string path;   // "encoder.layers.3.linear1"; empty: the model itself, or one without a name
  std::string model;  // class of the model it belongs to; empty: none, as it was made while running
  std::string kind;   // its class: "Linear"
  std::uint32_t place = 0;  // in the order of the model
  double calls = 0;         // a step
  std::int64_t forward_ns = 0;
  std::int64_t forward_self_ns = 0;
  std::int64_t backward_ns = 0;
  std::int64_t backward_self_ns = 0;
  // Of forward passes that a backward repeats (checkpointing); part of backward.
  std::int64_t recomputed_ns = 0;
  std::int64_t parameters =
      model::kNotMeasured;  // with those of the layers inside; shared ones once
  std::int64_t own_parameters = model::kNotMeasured;
  std::int64_t forward_flops = model::kNotMeasured;
  std::int64_t forward_self_flops = model::kNotMeasured;
  std::int64_t backward_flops = model::kNotMeasured;
  std::int64_t backward_self_flops = model::kNotMeasured;
  std::int64_t activation_bytes = model::kNotMeasured;  // kept for the backward pass
  std::int64_t activation_self_bytes = model::kNotMeasured;

  std::int64_t self_ns() const noexcept { return forward_self_ns + backward_self_ns; }
  std::int64_t total_ns() const noexcept { return forward_ns + backward_ns; }
  // "encoder.layers.3.linear1", "Net" for the model itself.
  const std::string& name() const noexcept {
    return !path.empty() ? path : !model.empty() ? model : kind;
  }
};

struct LayerFacts {
  std::vector<LayerTime> layers;    // in the order of the model; empty: not recorded
  std::uint64_t timed_steps = 0;    // that the times are means of
  std::uint64_t counted_steps = 0;  // that FLOPs and activation memory are means of
  // Of backward passes, before the first layer: the loss. Per step.
  std::int64_t backward_before_ns = 0;
  std::int64_t sampled_mean_ns = model::kNotMeasured;  // of timed steps: what sampling adds
  std::vector<std::string> notes;                      // message ids of what is not known, and why

  bool empty() const noexcept { return layers.empty() && notes.empty(); }
};

}  // namespace latido::analysis
