// Spanish: what the tables by layer say. The rest: messages_es.cc.
#include <array>

#include "report/messages.h"

namespace latido::report {
namespace {

constexpr std::array kLayers = std::to_array<CatalogueEntry>({
    {"section.layers", "En qué se va el tiempo: capas"},
    {"layers.self", "tiempo propio por paso, de {wall_ns}"},
    {"layers.steps", "media de {steps} {steps|paso muestreado|pasos muestreados}"},
    {"layers.model",
     "forward {forward_ns}, backward {backward_ns} por paso, {parameters} parámetros"},
    {"layers.model_counts", "{flops} por paso, {kept} guardados para backward"},
    {"layers.in_order", "{count|la capa|las {count} capas} en el orden del modelo"},
    {"layers.left_out",
     "{count|Un paso muestreado es más lento que los demás y no entra|Los {count} pasos "
     "muestreados "
     "son más lentos que los demás y no entran} en sus medias."},
    {"layers.note.compiled",
     "Lo que torch.compile ha compilado es una sola pieza: sus capas se ejecutan como un solo "
     "programa."},
    {"layers.note.recomputed",
     "Las capas con checkpointing repiten su forward dentro de backward; ese tiempo está en su "
     "backward."},
    {"layers.note.function_transforms",
     "Las llamadas dentro de transformaciones de torch.func no se tocaron."},
    {"layers.note.compiled_autograd",
     "Backward se ejecuta compilado (compiled autograd) y no tiene capas."},
    {"layers.note.not_counted",
     "No se contaron FLOP ni memoria: el grafo de este PyTorch no dice lo necesario."},
    {"layers.note.saved_elsewhere",
     "No se contó la memoria de activaciones: los tensores guardados para backward pasan por hooks "
     "del programa."},
    {"layers.note.graph_too_large",
     "El grafo es demasiado grande: FLOP y memoria son de sus últimos 200.000 nodos."},
    {"layers.note.too_many",
     "Los módulos después de los primeros 20.000 llevan el nombre de su "
     "clase."},
    {"table.layer", "capa"},
    {"table.class", "clase"},
    {"table.own", "propio"},
    {"table.forward", "forward"},
    {"table.backward", "backward"},
    {"table.parameters", "parámetros"},
    {"table.flops", "trabajo"},
    {"table.flops_rate", "ritmo"},
    {"table.kept", "guardado para backward"},
});

}  // namespace

std::span<const CatalogueEntry> layers_es() noexcept { return kLayers; }

}  // namespace latido::report
