// English: what the views of functions, lines and call paths say. The rest: messages_en.cc.
#include <array>

#include "report/messages.h"

namespace latido::report {
namespace {

constexpr std::array kViews = std::to_array<CatalogueEntry>({
    // The flame graph; its script fills in some of the values.
    {"section.flame", "Where the time goes: call paths"},
    {"flame.note",
     "{total_ns}[[ in {samples} {samples|sample|samples}]]: main threads with their waits, other "
     "threads while busy"},
    {"flame.search", "Search functions and files"},
    {"flame.reset", "Show everything"},
    {"flame.matches", "{share} of the time matches"},
    {"flame.no_match", "nothing matches"},
    {"flame.all", "everything"},
    {"flame.rest", "calls too small to be drawn"},
    {"flame.line", "hottest line {line}"},
    {"flame.times", "own {own} ({own_share}) · total {total} ({total_share})"},
    {"flame.other_files", "other files"},
    {"flame.picture",
     "Call paths: each frame is as wide as its time, and what it called stands below it"},
    {"flame.help",
     "Below a function stand those it called, as wide as their time. Click or Enter zooms in, the "
     "arrow keys move, Escape shows everything again."},
    {"flame.start_up", "start-up, until the first step was over"},
    {"flame.table",
     "as a table: {count|the function|the {count} functions} with the most own time"},
    {"flame.busy_only", "busy only, without waits"},

    // Which functions were recorded.
    {"functions.excluded", "{excluded} excluded"},
    {"functions.nothing_matched",
     "none was recorded: the {excluded} that ran {excluded|does|do} not match --include, or match "
     "--exclude"},
    {"section.function_list", "Functions that ran"},
    {"function_list.recorded", "{count} recorded"},
    {"function_list.elided",
     "{count} elided: called so often and briefly that most calls were not recorded"},
    {"function_list.excluded", "{count} excluded by --include and --exclude"},

    // Lines.
    {"section.lines", "Where the time goes: lines"},
    {"lines.workers", "Lines in the workers"},
    {"table.function", "function"},
    {"table.source", "source line"},

    // The flame graph of a comparison.
    {"section.flame_diff", "Where the time changed: call paths"},
    {"flame.diff_note_per_step", "as wide as the time after; the change is that per step"},
    {"flame.diff_note_share", "as wide as the time after; the change is that of the share"},
    {"flame.change", "before {before}, after {after}: {change}"},
    {"flame.new", "new"},
    {"flame.noise", "within the error of sampling"},
    {"flame.diff_picture",
     "Call paths of the run after: each frame is as wide as its time, its sign and colour say how "
     "it changed"},
    {"flame.diff_help",
     "▲ takes more time than before, ▼ less, by more than the error of sampling. Click or Enter "
     "zooms in, the arrow keys move, Escape shows everything again."},
    {"flame.less_3", "▼ less than half"},
    {"flame.less_2", "▼ less than three quarters"},
    {"flame.less_1", "▼ somewhat less"},
    {"flame.level_0", "no change beyond the error of sampling"},
    {"flame.more_1", "▲ somewhat more"},
    {"flame.more_2", "▲ by a third and more"},
    {"flame.more_3", "▲ more than twice, or new"},
    {"flame.gone", "Not called from there any more"},

    // Functions of two runs.
    {"section.function_changes", "Functions whose own time changed"},
    {"diff.functions_per_step", "own time per step, from samples"},
    {"diff.functions_per_step_only", "own time per step, from samples after the first"},
    {"diff.functions_share", "own time as a share of all sampled time"},
    {"diff.functions_count",
     "{changed} of {compared} {compared|function|functions} by more than the error of sampling"},
    {"diff.functions_none",
     "none of {compared} {compared|function|functions} by more than the error of sampling"},
    {"diff.not_sampled",
     "cannot be compared: no stacks were sampled in {name}; record it with --sample 100"},
    {"diff.start_up_included", "start-up is in it, and {before} are not {after} steps"},
    {"diff.points", "{points} points"},
});

}  // namespace

std::span<const CatalogueEntry> views_en() noexcept { return kViews; }

}  // namespace latido::report
