// Short texts that every format shows: how the program ended, where the run went, its rates and
// how far it can be trusted. A line that does not apply gives no piece. Pure.
//
// The texts hold names from programs: each format escapes them its own way.
#pragma once

#include <string>
#include <vector>

#include "analysis/run_facts.h"
#include "model/finding.h"
#include "report/catalogue.h"
#include "report/run_summary.h"

namespace latido::report {

// "FAILED, exit 1", "ValueError: bad batch at train.py:61", "in backward", "rank 2", …
std::vector<std::string> end_pieces(const model::RunEnd& end, const Catalogue& catalogue);

// "steps 3,493.8 (94 %)", "start-up 41.6", …: of the lead rank, in seconds.
std::vector<std::string> run_part_pieces(const analysis::RunFacts& facts,
                                         const Catalogue& catalogue);

// Whole cores of the machine, which may be more than the run may use.
double machine_cores(const analysis::ResourceFacts& use) noexcept;

std::vector<std::string> resource_pieces(const analysis::ResourceFacts& use,
                                         const Catalogue& catalogue);
std::vector<std::string> rate_pieces(const analysis::RunFacts& facts, const Catalogue& catalogue);

// Overhead and how it was obtained, drops, sums, hooks, notes; last that nothing left the machine.
std::vector<std::string> trust_pieces(const analysis::RunFacts& facts, const Catalogue& catalogue,
                                      double budget_ratio);

// "augment 4.1" for each thing that "other" is made of; `unit_ns` is what 1 stands for.
std::vector<std::string> other_pieces(const StepSummary& steps, const Catalogue& catalogue,
                                      double unit_ns);

// What the gain means for the whole run: "same run: 1:02:14 → 30:43", "621 → 1,354 samples/s".
std::vector<std::string> run_gain_pieces(const analysis::RunFacts& facts, const model::Gain& gain,
                                         const Catalogue& catalogue);
// "412 → 189 ms/step [181, 204]".
std::string gain_text(const model::Gain& gain, const Catalogue& catalogue);

// "INPUT-BOUND", and what to say after it: mostly one sentence, or what and why.
std::string verdict_name(const model::Diagnosis& diagnosis, const Catalogue& catalogue);
// The same of a run that is over: "UNTIL IT WAS KILLED: HEALTHY" for one that did not end well.
std::string verdict_title(const model::Diagnosis& diagnosis, const model::RunEnd& end,
                          const Catalogue& catalogue);
// Nothing was found, and the whole run was seen: only then may a page look reassuring.
bool is_all_well(const model::Diagnosis& diagnosis, const model::RunEnd& end) noexcept;
std::vector<std::string> verdict_sentences(const model::Diagnosis& diagnosis,
                                           const Catalogue& catalogue);

// Evidence and limits of a finding, each as (label, sentence); the label may be empty.
struct LabelledText {
  std::string label;
  std::string text;
};
std::vector<LabelledText> evidence_texts(const model::Finding& finding, const Catalogue& catalogue);
std::vector<std::string> limit_texts(const model::Finding& finding, const Catalogue& catalogue);

std::string not_measured_text(const std::string& reason, const Catalogue& catalogue);
std::string rank_name(const analysis::RankFacts& rank);  // "r0"; "–" without a number

// The unit in which a step's times are shown, chosen by its mean.
struct StepUnit {
  double size_ns;
  std::string name;
  int decimals;
};
StepUnit step_unit(std::int64_t mean_ns);

}  // namespace latido::report
