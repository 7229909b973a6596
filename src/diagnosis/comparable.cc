#include "diagnosis/comparable.h"

#include <algorithm>
#include <cmath>
#include <string>
#include <string_view>
#include <utility>

#include "diagnosis/finding_builder.h"
#include "diagnosis/step_view.h"

namespace latido::diagnosis {
namespace {

using analysis::RankFacts;
using analysis::RunFacts;
using model::Params;

class Differences {
 public:
  void add(std::string_view id, model::ParamValue before, model::ParamValue after) {
    found_.push_back(
        message(id, Params{}.set("before", std::move(before)).set("after", std::move(after))));
  }
  // Both known, and not the same.
  void add_texts(std::string_view id, const std::string& before, const std::string& after) {
    if (!before.empty() && !after.empty() && before != after) add(id, before, after);
  }
  void add_counts(std::string_view id, std::int64_t before, std::int64_t after) {
    if (before > 0 && after > 0 && before != after) add(id, before, after);
  }
  void add_message(model::Message found) { found_.push_back(std::move(found)); }
  std::vector<model::Message> take() { return std::move(found_); }

 private:
  std::vector<model::Message> found_;
};

std::int64_t stepping_ranks(const RunFacts& facts) {
  return std::ranges::count_if(facts.ranks,
                               [](const RankFacts& rank) { return rank.stats.count > 0; });
}

std::int64_t batch_size(const RankFacts* rank) {
  return rank != nullptr && rank->loader ? rank->loader->batch_size : -1;
}

// Micro-batches a step, to one decimal: the last step of an epoch may have fewer.
double batches_per_step(const RunFacts& facts) {
  const auto view = step_view(facts);
  return view ? std::round(view->batches_per_step * 10) / 10 : 0;
}

}  // namespace

const RankFacts* lead_rank(const RunFacts& facts) noexcept {
  const auto it =
      std::ranges::find_if(facts.ranks, [](const RankFacts& rank) { return rank.stats.count > 0; });
  return it == facts.ranks.end() ? nullptr : &*it;
}

std::vector<model::Message> not_comparable(const RunFacts& before, const RunFacts& after,
                                           std::uint64_t min_steps) {
  Differences found;
  const std::uint64_t before_steps = steady_steps(before);
  const std::uint64_t after_steps = steady_steps(after);
  if (std::min(before_steps, after_steps) < min_steps) {
    found.add("compare.not_comparable.no_steps", static_cast<std::int64_t>(before_steps),
              static_cast<std::int64_t>(after_steps));
  }
  const RankFacts* a = lead_rank(before);
  const RankFacts* b = lead_rank(after);
  found.add_counts("compare.not_comparable.batch_size", batch_size(a), batch_size(b));
  found.add_counts("compare.not_comparable.ranks", stepping_ranks(before), stepping_ranks(after));
  const double before_batches = batches_per_step(before);
  const double after_batches = batches_per_step(after);
  if (before_batches > 0 && after_batches > 0 && before_batches != after_batches) {
    found.add("compare.not_comparable.batches_per_step", before_batches, after_batches);
  }
  if (a != nullptr && b != nullptr && a->step_source != b->step_source) {
    found.add("compare.not_comparable.step_source", std::string(analysis::to_text(a->step_source)),
              std::string(analysis::to_text(b->step_source)));
  }
  const model::Environment& here = before.run.environment;
  const model::Environment& there = after.run.environment;
  found.add_texts("compare.not_comparable.host", here.host, there.host);
  found.add_texts("compare.not_comparable.cpu", here.cpu, there.cpu);
  found.add_counts("compare.not_comparable.cores", here.cores, there.cores);
  return found.take();
}

std::vector<model::Message> differences(const RunFacts& before, const RunFacts& after) {
  Differences found;
  const RankFacts* a = lead_rank(before);
  const RankFacts* b = lead_rank(after);
  if (a != nullptr && b != nullptr && a->loader && b->loader) {
    const analysis::LoaderFacts& here = *a->loader;
    const analysis::LoaderFacts& there = *b->loader;
    if (here.workers != there.workers) {
      found.add("compare.differs.workers", std::int64_t{here.workers}, std::int64_t{there.workers});
    }
    found.add_counts("compare.differs.prefetch", here.prefetch_factor, there.prefetch_factor);
  }
  if (before.run.command != after.run.command) {
    found.add_message(message("compare.differs.command"));
  }
  const model::Environment& here = before.run.environment;
  const model::Environment& there = after.run.environment;
  found.add_texts("compare.differs.commit", here.git_commit, there.git_commit);
  found.add_texts("compare.differs.torch", here.torch, there.torch);
  found.add_texts("compare.differs.python", here.python, there.python);
  return found.take();
}

}  // namespace latido::diagnosis
