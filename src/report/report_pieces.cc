#include "report/report_pieces.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>
#include <string_view>
#include <utility>

#include "report/hook_text.h"
#include "report/loss_text.h"

namespace latido::report {
namespace {

using analysis::ResourceFacts;
using analysis::RunFacts;

constexpr std::size_t kLongestException = 200;

std::int64_t as_int(std::uint64_t value) { return static_cast<std::int64_t>(value); }

std::string end_text(const model::RunEnd& end, const Catalogue& catalogue) {
  switch (end.kind) {
    case model::EndKind::kExit:
      return catalogue.say(end.code == 0 ? "end.exit_ok" : "end.exit_failed",
                           {{"code", std::int64_t{end.code}}});
    case model::EndKind::kSignal:
      return catalogue.say("end.signal", {{"name", signal_name(end.signal)}});
    case model::EndKind::kNotStarted:
      return catalogue.say("end.not_started", {{"code", std::int64_t{end.code}}});
    case model::EndKind::kDetached:
      return catalogue.say("end.detached");
    case model::EndKind::kRunning:
      break;
  }
  return catalogue.say("end.running");
}

struct RunPart {
  std::string_view id;
  std::int64_t ns;
  std::uint32_t times;
};

std::array<RunPart, 6> run_parts(const analysis::RunParts& parts) {
  return {{{"run_part.steps", parts.steps_ns, 0},
           {"run_part.startup", parts.startup_ns, 0},
           {"run_part.warmup", parts.warmup_ns, 0},
           {"run_part.evaluation", parts.evaluation_ns, parts.evaluations},
           {"run_part.checkpoint", parts.checkpoint_ns, parts.checkpoints},
           {"run_part.other", parts.other_ns, 0}}};
}

void add(std::vector<std::string>& out, const Catalogue& catalogue, std::string_view id,
         std::string name, const std::optional<double>& value, double from = 0) {
  if (value && *value > from) out.push_back(catalogue.say(id, {{std::move(name), *value}}));
}

// A piece for each hook that failed; those that were absent by their reason, since it is mostly one.
void append_hooks(const model::Quality& quality, const Catalogue& catalogue,
                  std::vector<std::string>& out) {
  std::vector<std::pair<std::string, std::string>> names_by_reason;
  for (const auto& [name, state] : quality.hooks) {
    const HookState parsed = parse_hook_state(state);
    if (parsed.kind == HookState::Kind::kOk) continue;
    if (parsed.kind != HookState::Kind::kAbsent) {
      out.push_back(catalogue.say("trust.hook_failed",
                                  {{"hook", name}, {"state", hook_state_text(state, catalogue)}}));
      continue;
    }
    const std::string reason = hook_reason_text(parsed.reason, catalogue);
    const auto same =
        std::ranges::find(names_by_reason, reason, &std::pair<std::string, std::string>::first);
    if (same == names_by_reason.end()) {
      names_by_reason.emplace_back(reason, name);
    } else {
      same->second += ", " + name;
    }
  }
  for (const auto& [reason, names] : names_by_reason) {
    out.push_back(catalogue.say("trust.hooks_absent", {{"hooks", names}, {"reason", reason}}));
  }
}

void append_losses(const model::Quality& quality, const Catalogue& catalogue,
                   std::vector<std::string>& out) {
  out.push_back(catalogue.say("trust.dropped", {{"count", as_int(quality.dropped)}}));
  if (quality.malformed > 0) {
    out.push_back(catalogue.say("trust.malformed", {{"count", as_int(quality.malformed)}}));
  }
  if (quality.late > 0) {
    out.push_back(catalogue.say("trust.late", {{"count", as_int(quality.late)}}));
  }
}

// "id" or "id: detail".
std::string note_text(const std::string& note, const Catalogue& catalogue) {
  const std::size_t colon = std::min(note.find(':'), note.size());
  const auto text = catalogue.try_say("note." + note.substr(0, colon), {});
  return text ? *text + note.substr(colon) : note;
}

std::string overhead_text(const RunFacts& facts, const Catalogue& catalogue, double budget_ratio) {
  const model::Quality& quality = facts.quality;
  if (quality.overhead_budget_ratio > 0) budget_ratio = quality.overhead_budget_ratio;
  const bool over = quality.overhead_ratio > budget_ratio;
  // A fixed cost of a short run tells nothing of longer ones.
  if (over && is_short(facts)) return catalogue.say("trust.overhead_short");
  model::Message message{.id = over ? "trust.overhead_over" : "trust.overhead", .params = {}};
  message.params.set("overhead_ratio", quality.overhead_ratio)
      .set("how", quality.overhead_how)
      .set("budget_ratio", budget_ratio);
  constexpr double kShown = 0.0005;
  const double low = quality.overhead_low_ratio;
  if (quality.overhead_high_ratio > 0 && quality.overhead_high_ratio - low >= kShown) {
    message.params.set("overhead_low_ratio", low < kShown ? 0.0 : low)
        .set("overhead_high_ratio", quality.overhead_high_ratio);
  }
  return catalogue.say(message);
}

// What was given up to stay within the budget, and when; the first and the last changes of many.
void append_reductions(const RunFacts& facts, const Catalogue& catalogue,
                       std::vector<std::string>& out) {
  constexpr std::size_t kShown = 4;
  const std::vector<model::DetailChange>& changes = facts.quality.detail_changes;
  for (std::size_t i = 0; i < changes.size(); ++i) {
    if (i >= kShown / 2 && i + kShown / 2 < changes.size()) continue;
    out.push_back(catalogue.say("trust.reduced_" + std::string(to_text(changes[i].reduction)),
                                {{"at_ns", changes[i].ts_ns - facts.run.start_ns}}));
  }
}

}  // namespace

std::vector<std::string> end_pieces(const model::RunEnd& end, const Catalogue& catalogue) {
  std::vector<std::string> out{end_text(end, catalogue)};
  if (end.kind == model::EndKind::kExit && end.code == 0) return out;
  const std::string exception = end.exception.substr(0, kLongestException);
  const std::int64_t line = end.line;
  if (!exception.empty()) {
    out.push_back(catalogue.say("end.exception",
                                {{"exception", exception}, {"file", end.file}, {"line", line}}));
  } else if (!end.file.empty()) {
    out.push_back(catalogue.say("end.place", {{"file", end.file}, {"line", line}}));
  }
  if (!end.phase.empty()) out.push_back(catalogue.say("end.phase", {{"phase", end.phase}}));
  if (!end.open_zone.empty()) out.push_back(catalogue.say("end.zone", {{"zone", end.open_zone}}));
  if (end.rank) out.push_back(catalogue.say("end.rank", {{"rank", std::int64_t{*end.rank}}}));
  return out;
}

std::vector<std::string> run_part_pieces(const RunFacts& facts, const Catalogue& catalogue) {
  const analysis::RankFacts* lead = lead_rank(facts);
  if (lead == nullptr) return {};
  const std::int64_t sum_ns = lead->parts.sum_ns();
  const int decimals = sum_ns < 10'000'000'000 ? 2 : 1;
  const NumberFormat& number = catalogue.number();
  std::vector<std::string> out;
  for (const RunPart& part : run_parts(lead->parts)) {
    if (part.ns <= 0) continue;
    const double ratio = static_cast<double>(part.ns) / static_cast<double>(sum_ns);
    std::string text = catalogue.say(part.id) + "\u00A0" +
                       number.fixed(static_cast<double>(part.ns) / 1e9, decimals);
    std::string detail = part.times > 0 ? number.integer(part.times) + "×" : "";
    constexpr double kWorthAShare = 0.05;
    if (ratio >= kWorthAShare) detail += (detail.empty() ? "" : ", ") + number.percent(ratio);
    if (!detail.empty()) text += " (" + detail + ")";
    out.push_back(std::move(text));
  }
  return out;
}

double machine_cores(const ResourceFacts& use) noexcept {
  // Measured as the time that passed on them: 1.97 are two.
  return std::round(use.machine_cores.value_or(use.cores));
}

std::vector<std::string> resource_pieces(const ResourceFacts& use, const Catalogue& catalogue) {
  std::vector<std::string> out;
  if (use.cpu_busy_cores && use.cores > 0) {
    out.push_back(catalogue.say("use.cores",
                                {{"busy_cores", std::min(*use.cpu_busy_cores, machine_cores(use))},
                                 {"cores", machine_cores(use)}}));
  }
  add(out, catalogue, "use.run_cores", "run_cores", use.run_cpu_cores);
  // Two clocks, read one after the other, can give 110 %.
  const auto at_most_one = [](std::optional<double> ratio) {
    return ratio ? std::optional(std::min(*ratio, 1.0)) : ratio;
  };
  add(out, catalogue, "use.top_core", "ratio", at_most_one(use.top_core_busy_ratio), 0.9);
  if (use.run_rss_peak_bytes && use.memory_limit_bytes) {
    out.push_back(catalogue.say("use.memory_of", {{"rss_bytes", *use.run_rss_peak_bytes},
                                                  {"limit_bytes", *use.memory_limit_bytes}}));
  } else {
    add(out, catalogue, "use.memory", "rss_bytes", use.run_rss_peak_bytes);
  }
  constexpr double kNoticeable = 0.01;
  add(out, catalogue, "use.disk_busy", "ratio", at_most_one(use.disk_busy_ratio));
  add(out, catalogue, "use.disk_read", "bytes_per_s", use.disk_read_bytes_per_s, 1000);
  add(out, catalogue, "use.disk_write", "bytes_per_s", use.disk_write_bytes_per_s, 1000);
  add(out, catalogue, "use.net", "bytes_per_s", use.net_bytes_per_s, 1000);
  constexpr double kTenthOfACore = 0.05;  // less would be shown as 0.0
  add(out, catalogue, "use.iowait", "waiting_cores", use.cpu_iowait_ratio, kTenthOfACore);
  add(out, catalogue, "use.steal", "ratio", use.cpu_steal_ratio, kNoticeable);
  add(out, catalogue, "use.throttled", "ratio", use.cgroup_throttled_ratio, kNoticeable);
  add(out, catalogue, "use.swap_in", "bytes_per_s", use.swap_in_bytes_per_s, 1000);
  add(out, catalogue, "use.swap_out", "bytes_per_s", use.swap_out_bytes_per_s, 1000);
  return out;
}

std::vector<std::string> rate_pieces(const RunFacts& facts, const Catalogue& catalogue) {
  std::vector<std::string> out;
  const analysis::RankFacts* lead = lead_rank(facts);
  if (lead == nullptr) return out;
  const auto change = loss_change(*lead);
  const bool some_finite = change && lead->loss.size() > change->not_finite;
  if (some_finite) out.push_back(loss_text(*lead, *change, catalogue));
  if (change && change->not_finite > 0) {
    out.push_back(catalogue.say("rate.not_finite", {{"count", as_int(change->not_finite)}}));
  }
  const double rate = samples_per_s(facts);
  if (rate > 0) {
    const NumberFormat& number = catalogue.number();
    const auto ranks = static_cast<double>(facts.ranks.size());
    out.push_back(facts.ranks.size() > 1
                      ? catalogue.say("rate.samples_each", {{"rate", number.compact(rate)},
                                                            {"each", number.compact(rate / ranks)}})
                      : catalogue.say("rate.samples", {{"rate", number.compact(rate)}}));
  }
  if (!lead->batch_shape.empty()) {
    out.push_back(catalogue.say("rate.batch", {{"shape", lead->batch_shape}}));
  }
  return out;
}

std::vector<std::string> trust_pieces(const RunFacts& facts, const Catalogue& catalogue,
                                      double budget_ratio) {
  const model::Quality& quality = facts.quality;
  std::vector<std::string> out;
  out.push_back(overhead_text(facts, catalogue, budget_ratio));
  append_reductions(facts, catalogue, out);
  append_losses(quality, catalogue, out);
  if (const auto gap = sums_gap_ratio(facts)) {
    // Below a thousandth is rounding; saying "0.0 %" would claim more than was checked.
    constexpr double kRounding = 0.001;
    out.push_back(catalogue.say(
        "trust.sums",
        {{"gap", *gap < kRounding ? "<\u00A0" + catalogue.number().fixed(0.1, 1) + "\u00A0%"
                                  : catalogue.number().percent(*gap)}}));
  }
  append_hooks(quality, catalogue, out);
  for (const std::string& note : quality.notes) out.push_back(note_text(note, catalogue));
  // Without a limit by a control group nothing is hidden: there is nothing to see.
  const auto absent = std::ranges::count_if(quality.absent_series, [](const std::string& series) {
    return !series.starts_with("cgroup.");
  });
  if (absent > 0) {
    out.push_back(catalogue.say("trust.absent_series", {{"count", std::int64_t{absent}}}));
  }
  out.push_back(catalogue.say("trust.local"));
  return out;
}

std::vector<std::string> other_pieces(const StepSummary& steps, const Catalogue& catalogue,
                                      double unit_ns) {
  const StepUnit unit = step_unit(steps.mean_ns);
  std::vector<std::string> out;
  for (const OtherRow& row : steps.other) {
    const std::string name = row.zone.empty() ? catalogue.say("other." + row.part)
                                              : catalogue.say("other.zone", {{"zone", row.zone}});
    out.push_back(
        name + "\u00A0" +
        catalogue.number().fixed(static_cast<double>(row.mean_ns) / unit_ns, unit.decimals));
  }
  return out;
}

StepUnit step_unit(std::int64_t mean_ns) {
  if (mean_ns < 1'000'000) return {1e3, "µs", 1};
  if (mean_ns < 10'000'000) return {1e6, "ms", 2};
  if (mean_ns < 10'000'000'000) return {1e6, "ms", 1};
  return {1e9, "s", 2};
}

std::string gain_text(const model::Gain& gain, const Catalogue& catalogue) {
  const StepUnit unit = step_unit(gain.step_before_ns);
  const auto shown = [&](std::int64_t ns) {
    return catalogue.number().compact(static_cast<double>(ns) / unit.size_ns);
  };
  return catalogue.say("gain.step", {{"before", shown(gain.step_before_ns)},
                                     {"after", shown(gain.step_after_ns)},
                                     {"unit", unit.name},
                                     {"low", shown(gain.low_ns)},
                                     {"high", shown(gain.high_ns)}});
}

std::vector<std::string> run_gain_pieces(const RunFacts& facts, const model::Gain& gain,
                                         const Catalogue& catalogue) {
  const RunGain run = run_gain(facts, gain);
  const NumberFormat& number = catalogue.number();
  std::vector<std::string> out;
  constexpr double kFactorFrom = 1.1;
  if (run.factor >= kFactorFrom) {
    out.push_back(catalogue.say("gain.factor", {{"factor", number.fixed(run.factor, 1)}}));
  } else {
    out.push_back(catalogue.say("gain.ratio", {{"ratio", 1 - 1 / run.factor}}));
  }
  if (run.samples_before_per_s > 0) {
    out.push_back(
        catalogue.say("gain.samples", {{"before", number.compact(run.samples_before_per_s)},
                                       {"after", number.compact(run.samples_after_per_s)}}));
  }
  constexpr std::int64_t kWorthSaying_ns = 10'000'000'000;
  if (run.wall_after_ns > 0 && run.wall_before_ns - run.wall_after_ns >= kWorthSaying_ns) {
    out.push_back(catalogue.say("gain.run", {{"before", number.clock(run.wall_before_ns)},
                                             {"after", number.clock(run.wall_after_ns)}}));
  }
  return out;
}

std::string verdict_name(const model::Diagnosis& diagnosis, const Catalogue& catalogue) {
  // Time that zones or samples name is not without a name.
  const std::string id = diagnosis.headline.id == "other_heavy.headline_zone" ||
                                 diagnosis.headline.id == "other_heavy.headline_function"
                             ? "other_heavy.verdict_zone"
                             : "rule." + diagnosis.verdict;
  const auto name = catalogue.try_say(id, {});
  return name ? *name : diagnosis.verdict;
}

std::string verdict_title(const model::Diagnosis& diagnosis, const model::RunEnd& end,
                          const Catalogue& catalogue) {
  const VerdictScope scope = verdict_scope(end);
  std::string name = verdict_name(diagnosis, catalogue);
  if (diagnosis.verdict == "cannot-tell") {
    // Uneven steps are many enough: it is not for want of them that nothing can be said.
    const bool too_few = diagnosis.headline.id != "verdict.uneven";
    // "Yet" is for runs that go on.
    if (too_few && scope == VerdictScope::kSoFar) return name;
    name = catalogue.say("verdict.cannot_tell_run");
    if (too_few && scope != VerdictScope::kWholeRun) {
      return catalogue.say("verdict.cannot_tell_" + std::string(to_text(scope)));
    }
  }
  if (scope == VerdictScope::kWholeRun) return name;
  return catalogue.say("verdict." + std::string(to_text(scope)), {{"verdict", name}});
}

bool is_all_well(const model::Diagnosis& diagnosis, const model::RunEnd& end) noexcept {
  return diagnosis.verdict == "healthy" && verdict_scope(end) == VerdictScope::kWholeRun;
}

std::vector<std::string> verdict_sentences(const model::Diagnosis& diagnosis,
                                           const Catalogue& catalogue) {
  const model::Message& message =
      diagnosis.findings.empty() ? diagnosis.headline : diagnosis.findings.front().headline;
  std::vector<std::string> out;
  if (message.id.empty()) return out;
  std::string rest = catalogue.say(message);
  for (std::size_t tab = rest.find('\t'); tab != std::string::npos; tab = rest.find('\t')) {
    out.push_back(rest.substr(0, tab));
    rest.erase(0, tab + 1);
  }
  out.push_back(std::move(rest));
  return out;
}

std::vector<LabelledText> evidence_texts(const model::Finding& finding,
                                         const Catalogue& catalogue) {
  std::vector<LabelledText> out;
  for (const model::Evidence& evidence : finding.evidence) {
    const std::string text = catalogue.say(evidence.message);
    const std::size_t tab = text.find('\t');
    if (tab == std::string::npos) {
      out.push_back({.label = {}, .text = text});
    } else {
      out.push_back({.label = text.substr(0, tab), .text = text.substr(tab + 1)});
    }
  }
  return out;
}

std::vector<std::string> limit_texts(const model::Finding& finding, const Catalogue& catalogue) {
  std::vector<std::string> out;
  for (const model::Message& limit : finding.limits) out.push_back(catalogue.say(limit));
  return out;
}

std::string not_measured_text(const std::string& reason, const Catalogue& catalogue) {
  if (reason.empty()) return {};
  const auto text = catalogue.try_say("reason." + reason, {});
  return text ? *text : reason;
}

std::string rank_name(const analysis::RankFacts& rank) {
  return rank.rank ? "r" + std::to_string(*rank.rank) : "–";
}

}  // namespace latido::report
