// Italian: what the views of functions, lines and call paths say. The rest: messages_it.cc.
#include <array>

#include "report/messages.h"

namespace latido::report {
namespace {

constexpr std::array kViews = std::to_array<CatalogueEntry>({
    // The flame graph; its script fills in some of the values.
    {"section.flame", "Dove va il tempo: catene di chiamate"},
    {"flame.note",
     "{total_ns}[[ in {samples} {samples|campione|campioni}]]: i thread principali con le loro "
     "attese, gli altri solo se occupati"},
    {"flame.search", "Cerca funzioni e file"},
    {"flame.reset", "Mostra tutto"},
    {"flame.matches", "corrisponde il {share} del tempo"},
    {"flame.no_match", "nessuna corrispondenza"},
    {"flame.all", "tutto"},
    {"flame.rest", "chiamate troppo piccole per essere disegnate"},
    {"flame.line", "riga più costosa: {line}"},
    {"flame.times", "proprio {own} ({own_share}) · totale {total} ({total_share})"},
    {"flame.other_files", "altri file"},
    {"flame.picture",
     "Catene di chiamate: ogni funzione è larga quanto il suo tempo e sotto stanno quelle che ha "
     "chiamato"},
    {"flame.help",
     "Sotto una funzione stanno quelle che ha chiamato, larghe quanto il loro tempo. Un clic o "
     "Invio ingrandisce, le frecce spostano, Esc mostra di nuovo tutto."},
    {"flame.start_up", "avvio, fino alla fine del primo passo"},
    {"flame.table", "in tabella: {count|la funzione|le {count} funzioni} con più tempo proprio"},
    {"flame.busy_only", "solo occupato, senza attese"},

    // Which functions were recorded.
    {"functions.excluded", "{excluded} escluse"},
    {"functions.nothing_matched",
     "nessuna è stata registrata: le {excluded} eseguite non {excluded|corrisponde|corrispondono} "
     "a --include, o corrispondono a --exclude"},
    {"section.function_list", "Funzioni eseguite"},
    {"function_list.recorded", "{count} registrate"},
    {"function_list.elided",
     "{count} elise: chiamate così spesso e così brevemente che la maggior parte non è stata "
     "registrata"},
    {"function_list.excluded", "{count} escluse da --include e --exclude"},

    // Lines.
    {"section.lines", "Dove va il tempo: righe"},
    {"lines.workers", "Righe nei worker"},
    {"table.function", "funzione"},
    {"table.source", "riga del codice"},

    // The flame graph of a comparison.
    {"section.flame_diff", "Dove è cambiato il tempo: catene di chiamate"},
    {"flame.diff_note_per_step", "larghe quanto il tempo di dopo; la variazione è per passo"},
    {"flame.diff_note_share", "larghe quanto il tempo di dopo; la variazione è quella della quota"},
    {"flame.change", "prima {before}, dopo {after}: {change}"},
    {"flame.new", "nuova"},
    {"flame.noise", "entro l'errore di campionamento"},
    {"flame.diff_picture",
     "Catene di chiamate dell'esecuzione successiva: ogni funzione è larga quanto il suo tempo; "
     "segno e colore dicono come è cambiata"},
    {"flame.diff_help",
     "▲ richiede più tempo di prima, ▼ meno, oltre l'errore di campionamento. Un clic o Invio "
     "ingrandisce, le frecce spostano, Esc mostra di nuovo tutto."},
    {"flame.less_3", "▼ meno della metà"},
    {"flame.less_2", "▼ meno di tre quarti"},
    {"flame.less_1", "▼ un po' meno"},
    {"flame.level_0", "nessuna variazione oltre l'errore di campionamento"},
    {"flame.more_1", "▲ un po' di più"},
    {"flame.more_2", "▲ un terzo in più e oltre"},
    {"flame.more_3", "▲ più del doppio, o nuova"},
    {"flame.gone", "Da lì non più chiamate"},

    // Functions of two runs.
    {"section.function_changes", "Funzioni il cui tempo proprio è cambiato"},
    {"diff.functions_per_step", "tempo proprio per passo, dai campioni"},
    {"diff.functions_per_step_only", "tempo proprio per passo, dai campioni successivi al primo"},
    {"diff.functions_share", "tempo proprio come quota di tutto il tempo campionato"},
    {"diff.functions_count",
     "{changed} di {compared} {compared|funzione|funzioni} oltre l'errore di campionamento"},
    {"diff.functions_none",
     "nessuna di {compared} {compared|funzione|funzioni} oltre l'errore di campionamento"},
    {"diff.not_sampled",
     "non confrontabili: in {name} non sono stati campionati stack; registrare con --sample 100"},
    {"diff.start_up_included", "comprende l'avvio, e {before} non sono {after} passi"},
    {"diff.points", "{points} punti"},
});

}  // namespace

std::span<const CatalogueEntry> views_it() noexcept { return kViews; }

}  // namespace latido::report
