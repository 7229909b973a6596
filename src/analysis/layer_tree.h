// The tree of layers that their paths tell: "encoder.layers.3" is inside "encoder.layers" and "encoder".
//
// Called by LayerTable. Pure.
#pragma once

#include <vector>

#include "analysis/layer_facts.h"

namespace latido::analysis {

// Puts the layers into the order of their models, sets the totals of backward, FLOPs and activation
// memory from the layers' own, and forgets layers that did nothing and contain nothing that did.
void add_up_layers(std::vector<LayerTime>& layers);

}  // namespace latido::analysis
