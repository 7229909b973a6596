// English: what the tables by layer say. The rest: messages_en.cc.
#include <array>

#include "report/messages.h"

namespace latido::report {
namespace {

constexpr std::array kLayers = std::to_array<CatalogueEntry>({
    {"section.layers", "Where the time goes: layers"},
    {"layers.self", "own time per step, of {wall_ns}"},
    {"layers.steps", "mean of {steps} sampled {steps|step|steps}"},
    {"layers.model",
     "forward {forward_ns}, backward {backward_ns} per step, {parameters} parameters"},
    {"layers.model_counts", "{flops} per step, {kept} kept for backward"},
    {"layers.in_order", "{count|the layer|all {count} layers} in the order of the model"},
    {"layers.left_out",
     "{count|One sampled step is|The {count} sampled steps are} slower than the others, and left "
     "out of their means."},
    {"layers.note.compiled",
     "What torch.compile has compiled is one piece: its layers run as one program."},
    {"layers.note.recomputed",
     "Checkpointed layers run forward once more within backward; that time is in their backward."},
    {"layers.note.function_transforms", "Calls inside torch.func transforms were left alone."},
    {"layers.note.compiled_autograd",
     "Backward runs compiled (compiled autograd) and has no layers."},
    {"layers.note.not_counted",
     "FLOPs and memory were not counted: this PyTorch's graph does not tell what that takes."},
    {"layers.note.saved_elsewhere",
     "Activation memory was not counted: tensors kept for backward go through hooks of the "
     "program."},
    {"layers.note.graph_too_large",
     "The graph is too large: FLOPs and memory are of its last 200,000 nodes."},
    {"layers.note.too_many", "Modules beyond the first 20,000 go by their class."},
    {"table.layer", "layer"},
    {"table.class", "class"},
    {"table.own", "own"},
    {"table.forward", "forward"},
    {"table.backward", "backward"},
    {"table.parameters", "parameters"},
    {"table.flops", "work"},
    {"table.flops_rate", "rate"},
    {"table.kept", "kept for backward"},
});

}  // namespace

std::span<const CatalogueEntry> layers_en() noexcept { return kLayers; }

}  // namespace latido::report
