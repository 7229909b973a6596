// Italian: what the tables by layer say. The rest: messages_it.cc.
#include <array>

#include "report/messages.h"

namespace latido::report {
namespace {

constexpr std::array kLayers = std::to_array<CatalogueEntry>({
    {"section.layers", "Dove va il tempo: strati"},
    {"layers.self", "tempo proprio per passo, su {wall_ns}"},
    {"layers.steps", "media di {steps} {steps|passo campionato|passi campionati}"},
    {"layers.model",
     "forward {forward_ns}, backward {backward_ns} per passo, {parameters} parametri"},
    {"layers.model_counts", "{flops} per passo, {kept} conservati per backward"},
    {"layers.in_order", "{count|lo strato|i {count} strati} nell'ordine del modello"},
    {"layers.left_out",
     "{count|Un passo campionato è più lento degli altri ed è escluso|I {count} passi campionati "
     "sono più lenti degli altri e sono esclusi} dalle loro medie."},
    {"layers.note.compiled",
     "Ciò che torch.compile ha compilato è un pezzo solo: i suoi strati girano come un unico "
     "programma."},
    {"layers.note.recomputed",
     "Gli strati con checkpointing ripetono il forward dentro backward; quel tempo è nel loro "
     "backward."},
    {"layers.note.function_transforms",
     "Le chiamate dentro trasformazioni di torch.func non sono state toccate."},
    {"layers.note.compiled_autograd",
     "Backward gira compilato (compiled autograd) e non ha strati."},
    {"layers.note.not_counted",
     "FLOP e memoria non sono stati contati: il grafo di questo PyTorch non dice quanto serve."},
    {"layers.note.saved_elsewhere",
     "La memoria delle attivazioni non è stata contata: i tensori conservati per backward passano "
     "per hook del programma."},
    {"layers.note.graph_too_large",
     "Il grafo è troppo grande: FLOP e memoria sono dei suoi ultimi 200.000 nodi."},
    {"layers.note.too_many", "I moduli dopo i primi 20.000 portano il nome della loro classe."},
    {"table.layer", "strato"},
    {"table.class", "classe"},
    {"table.own", "proprio"},
    {"table.forward", "forward"},
    {"table.backward", "backward"},
    {"table.parameters", "parametri"},
    {"table.flops", "lavoro"},
    {"table.flops_rate", "ritmo"},
    {"table.kept", "conservato per backward"},
});

}  // namespace

std::span<const CatalogueEntry> layers_it() noexcept { return kLayers; }

}  // namespace latido::report
