// The rows of the tables by layer: layers that differ only in a number of their path are one row.
//
// "encoder.layers.0.linear1" and "encoder.layers.1.linear1" become "encoder.layers.*.linear1 ×2": a model
// of 96 blocks is read by what a block is made of. Used by every renderer. Pure.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "analysis/layer_facts.h"

namespace latido::report {

struct LayerRow {
  std::string name;            // "encoder.layers.*.linear1"
  std::string kind;            // class
  std::size_t count = 1;       // layers in the row
  analysis::LayerTime layers;  // their sums; path and place are those of the first one
};

// Largest own time first; the models themselves have a row like any other layer. In runs with several
// models the name begins with the model's.
std::vector<LayerRow> layer_rows(const analysis::LayerFacts& facts);

// The name of one layer by itself, in runs with several models with the model's.
std::string layer_name(const analysis::LayerFacts& facts, const analysis::LayerTime& layer);

// The models with parameters, largest total time first: what they take as a whole.
std::vector<const analysis::LayerTime*> models_of(const analysis::LayerFacts& facts);

// Own floating-point operations of forward and backward a second; empty when they were not counted.
std::optional<double> own_flops_per_s(const analysis::LayerTime& layer);

}  // namespace latido::report
