#include "report/live_line.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <iterator>
#include <numeric>
#include <utility>
#include <vector>

#include "report/catalogue.h"
#include "report/report_pieces.h"
#include "report/run_summary.h"
#include "report/text_layout.h"

namespace latido::report {
namespace {

constexpr std::int64_t kSecond_ns = 1'000'000'000;
constexpr std::int64_t kStale_ns = 10 * kSecond_ns;

// Higher stays longer when the terminal is narrow.
struct Piece {
  std::string text;
  int importance;
};

struct LiveState {
  const analysis::RunFacts& facts;
  const model::Diagnosis& diagnosis;
  const LiveLineOptions& options;
  Catalogue catalogue;
  const analysis::RankFacts* lead = nullptr;
  std::optional<StepSummary> steps;

  std::uint64_t step_count() const {
    if (lead == nullptr) return 0;
    return std::max<std::uint64_t>(lead->step_count, lead->steps.size());
  }
};

std::optional<double> latest_loss(const analysis::RankFacts& rank) {
  for (std::size_t i = rank.loss.size(); i-- > 0;) {
    if (std::isfinite(rank.loss[i].value)) return rank.loss[i].value;
  }
  return std::nullopt;
}

std::string step_text(const LiveState& state) {
  const auto step = static_cast<std::int64_t>(state.step_count());
  if (state.options.expected_steps.value_or(0) < state.step_count())
    return state.catalogue.say("live.step", {{"step", step}});
  const auto total = static_cast<std::int64_t>(*state.options.expected_steps);
  return state.catalogue.say("live.step_of", {{"step", step}, {"total", total}});
}

// "wait 57 fwd 12 bwd 20 comm 3 %"
std::string phases_text(const LiveState& state) {
  constexpr double kWorthShowing = 0.03;
  std::string text;
  for (const PhaseRow& row : state.steps->phases) {
    if (row.mean_ns == model::kNotMeasured || row.ratio < kWorthShowing) continue;
    if (!text.empty()) text += ' ';
    text += state.catalogue.say("live." + std::string(model::to_text(row.phase))) + "\u00A0" +
            state.catalogue.number().fixed(row.ratio * 100, 0);
  }
  return text.empty() ? text : text + "\u00A0%";
}

// Mean of the last tenth of the steps, at least of a hundred: a run that has become faster or slower
// goes on as it is now. They are those of the rank that speaks.
double recent_step_ns(const LiveState& state) {
  constexpr std::size_t kLeast = 100;
  const std::vector<model::Step>& steps = state.lead->steps;
  const std::size_t most = std::max(kLeast, steps.size() / 10);
  double sum = 0;
  std::size_t count = 0;
  for (std::size_t i = steps.size(); i-- > 0 && count < most && !steps[i].warmup();) {
    sum += static_cast<double>(steps[i].wall_ns);
    ++count;
  }
  return count == 0 ? static_cast<double>(state.steps->mean_ns) : sum / static_cast<double>(count);
}

std::string time_text(const LiveState& state) {
  const NumberFormat& number = state.catalogue.number();
  std::string elapsed = number.clock(state.facts.run.wall_ns());
  const std::uint64_t done = state.step_count();
  if (!state.options.expected_steps || !state.steps || *state.options.expected_steps <= done) {
    return elapsed;
  }
  const double left =
      static_cast<double>(*state.options.expected_steps - done) * recent_step_ns(state);
  return state.catalogue.say("live.left",
                             {{"elapsed", elapsed}, {"left", number.clock(std::llround(left))}});
}

// No step for much longer than steps take: the present is in an evaluation, or hangs.
std::optional<std::string> last_step_text(const LiveState& state) {
  if (!state.steps || state.lead->steps.empty()) return std::nullopt;
  const std::int64_t ended_ns =
      std::max(state.lead->steps.back().end_ns(), state.lead->steady_end_ns);
  const std::int64_t age_ns = state.facts.run.end_ns - ended_ns;
  if (age_ns < std::max(kStale_ns, 20 * state.steps->mean_ns)) return std::nullopt;
  return state.catalogue.say("live.last_step", {{"age_ns", age_ns}});
}

std::string verdict_text(const LiveState& state) {
  const std::uint64_t count = state.steps ? state.steps->count : 0;
  if (state.diagnosis.verdict == "cannot-tell" || state.diagnosis.verdict.empty()) {
    if (count < state.options.steps_needed) {
      return state.catalogue.say(
          "live.warming_up", {{"count", static_cast<std::int64_t>(count)},
                              {"needed", static_cast<std::int64_t>(state.options.steps_needed)}});
    }
  }
  return state.diagnosis.verdict.empty() ? std::string()
                                         : verdict_name(state.diagnosis, state.catalogue);
}

void add_use(const LiveState& state, std::vector<Piece>& pieces) {
  const analysis::ResourceFacts& use = state.facts.resources;
  if (use.run_cpu_cores && use.cores > 0) {
    pieces.push_back({state.catalogue.say(
                          "live.cores", {{"run_cores", *use.run_cpu_cores}, {"cores", use.cores}}),
                      2});
  }
  if (use.run_rss_peak_bytes) {
    pieces.push_back(
        {state.catalogue.say("live.memory", {{"rss_bytes", *use.run_rss_peak_bytes}}), 1});
  }
}

std::vector<Piece> pieces_without_steps(const LiveState& state) {
  std::vector<Piece> pieces{{state.catalogue.say("live.no_steps"), 5}};
  add_use(state, pieces);
  if (!state.diagnosis.findings.empty()) pieces.push_back({verdict_text(state), 4});
  pieces.push_back({time_text(state), 3});
  return pieces;
}

std::vector<Piece> pieces_with_steps(const LiveState& state) {
  std::vector<Piece> pieces{{step_text(state), 6}};
  const NumberFormat& number = state.catalogue.number();
  if (const double rate = samples_per_s(state.facts); rate > 0) {
    pieces.push_back({state.catalogue.say("live.samples", {{"rate", number.compact(rate)}}), 1});
  }
  if (const auto loss = latest_loss(*state.lead)) {
    pieces.push_back(
        {state.catalogue.say("live.loss", {{"loss", number.significant(*loss, 3)}}), 2});
  }
  if (state.steps) pieces.push_back({phases_text(state), 3});
  if (auto last = last_step_text(state)) pieces.push_back({std::move(*last), 5});
  pieces.push_back({verdict_text(state), 5});
  pieces.push_back({time_text(state), 4});
  return pieces;
}

std::string joined(const std::vector<Piece>& pieces, const std::vector<bool>& kept) {
  std::string line = " ";
  for (std::size_t i = 0; i < pieces.size(); ++i) {
    if (kept[i]) line += (line.size() > 1 ? " · " : "") + pieces[i].text;
  }
  for (std::size_t at = line.find("\u00A0"); at != std::string::npos;
       at = line.find("\u00A0", at)) {
    line.replace(at, 2, " ");
  }
  return line;
}

// What matters most comes in first; what finds no room is passed over, for what is shorter may.
std::string fitted(std::vector<Piece> pieces, std::size_t columns) {
  std::erase_if(pieces, [](const Piece& piece) { return piece.text.empty(); });
  for (Piece& piece : pieces) piece.text = printable(piece.text);
  std::vector<std::size_t> order(pieces.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::ranges::stable_sort(order, std::ranges::greater{},
                           [&](std::size_t i) { return pieces[i].importance; });
  std::vector<bool> kept(pieces.size(), false);
  for (const std::size_t i : order) {
    kept[i] = true;
    if (i != order.front() && cell_width(joined(pieces, kept)) > columns) kept[i] = false;
  }
  return cut_to(joined(pieces, kept), columns);
}

}  // namespace

std::string render_live_line(const analysis::RunFacts& facts, const model::Diagnosis& diagnosis,
                             const LiveLineOptions& options) {
  const LiveState state{.facts = facts,
                        .diagnosis = diagnosis,
                        .options = options,
                        .catalogue = Catalogue(options.language),
                        .lead = lead_rank(facts),
                        .steps = summarise_steps(facts)};
  std::vector<Piece> pieces =
      state.step_count() > 0 ? pieces_with_steps(state) : pieces_without_steps(state);
  const std::int64_t age_ns = facts.run.end_ns - options.last_data_ns;
  if (options.last_data_ns > 0 && age_ns >= kStale_ns) {
    const Piece stale[] = {{state.catalogue.say("live.stale", {{"age_ns", age_ns}}), 9},
                           {state.catalogue.say("live.stale_hint"), 4}};
    pieces.insert(pieces.begin(), std::begin(stale), std::end(stale));
  }
  return fitted(std::move(pieces), options.columns);
}

}  // namespace latido::report
