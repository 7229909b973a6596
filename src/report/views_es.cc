// Spanish: what the views of functions, lines and call paths say. The rest: messages_es.cc.
#include <array>

#include "report/messages.h"

namespace latido::report {
namespace {

constexpr std::array kViews = std::to_array<CatalogueEntry>({
    // The flame graph; its script fills in some of the values.
    {"section.flame", "En qué se va el tiempo: cadenas de llamadas"},
    {"flame.note",
     "{total_ns}[[ en {samples} {samples|muestra|muestras}]]: los hilos principales con sus "
     "esperas, los demás solo ocupados"},
    {"flame.search", "Buscar funciones y archivos"},
    {"flame.reset", "Mostrar todo"},
    {"flame.matches", "coincide el {share} del tiempo"},
    {"flame.no_match", "nada coincide"},
    {"flame.all", "todo"},
    {"flame.rest", "llamadas demasiado pequeñas para dibujarlas"},
    {"flame.line", "línea más costosa: {line}"},
    {"flame.times", "propio {own} ({own_share}) · total {total} ({total_share})"},
    {"flame.other_files", "otros archivos"},
    {"flame.picture",
     "Cadenas de llamadas: cada función es tan ancha como su tiempo y debajo están las que llamó"},
    {"flame.help",
     "Debajo de una función están las que llamó, tan anchas como su tiempo. Un clic o Intro "
     "amplía, las flechas mueven, Escape vuelve a mostrar todo."},
    {"flame.start_up", "arranque, hasta acabar el primer paso"},
    {"flame.table", "en tabla: {count|la función|las {count} funciones} con más tiempo propio"},
    {"flame.busy_only", "solo ocupado, sin esperas"},

    // Which functions were recorded.
    {"functions.excluded", "{excluded} excluidas"},
    {"functions.nothing_matched",
     "no se registró ninguna: las {excluded} que se ejecutaron no {excluded|coincide|coinciden} "
     "con --include, o sí con --exclude"},
    {"section.function_list", "Funciones que se ejecutaron"},
    {"function_list.recorded", "{count} registradas"},
    {"function_list.elided",
     "{count} elididas: llamadas tan a menudo y tan brevemente que la mayoría no se registró"},
    {"function_list.excluded", "{count} excluidas por --include y --exclude"},

    // Lines.
    {"section.lines", "En qué se va el tiempo: líneas"},
    {"lines.workers", "Líneas en los workers"},
    {"table.function", "función"},
    {"table.source", "línea del código"},

    // The flame graph of a comparison.
    {"section.flame_diff", "Dónde cambió el tiempo: cadenas de llamadas"},
    {"flame.diff_note_per_step", "tan anchas como el tiempo de después; el cambio es por paso"},
    {"flame.diff_note_share",
     "tan anchas como el tiempo de después; el cambio es el de la proporción"},
    {"flame.change", "antes {before}, después {after}: {change}"},
    {"flame.new", "nueva"},
    {"flame.noise", "dentro del error del muestreo"},
    {"flame.diff_picture",
     "Cadenas de llamadas de la ejecución posterior: cada función es tan ancha como su tiempo; su "
     "signo y su color dicen cómo cambió"},
    {"flame.diff_help",
     "▲ tarda más que antes, ▼ menos, por encima del error del muestreo. Un clic o Intro amplía, "
     "las flechas mueven, Escape vuelve a mostrar todo."},
    {"flame.less_3", "▼ menos de la mitad"},
    {"flame.less_2", "▼ menos de tres cuartos"},
    {"flame.less_1", "▼ algo menos"},
    {"flame.level_0", "sin cambio por encima del error del muestreo"},
    {"flame.more_1", "▲ algo más"},
    {"flame.more_2", "▲ un tercio más o por encima"},
    {"flame.more_3", "▲ más del doble, o nueva"},
    {"flame.gone", "Ya no se llaman desde ahí"},

    // Functions of two runs.
    {"section.function_changes", "Funciones cuyo tiempo propio cambió"},
    {"diff.functions_per_step", "tiempo propio por paso, según las muestras"},
    {"diff.functions_per_step_only",
     "tiempo propio por paso, según las muestras posteriores al primero"},
    {"diff.functions_share", "tiempo propio como proporción de todo el tiempo muestreado"},
    {"diff.functions_count",
     "{changed} de {compared} {compared|función|funciones} por encima del error del muestreo"},
    {"diff.functions_none",
     "ninguna de {compared} {compared|función|funciones} por encima del error del muestreo"},
    {"diff.not_sampled",
     "no se pueden comparar: en {name} no se muestrearon pilas; grabar con --sample 100"},
    {"diff.start_up_included", "incluye el arranque, y {before} no son {after} pasos"},
    {"diff.points", "{points} puntos"},
});

}  // namespace

std::span<const CatalogueEntry> views_es() noexcept { return kViews; }

}  // namespace latido::report
