#include "analysis/expected_steps.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <string_view>

namespace latido::analysis {
namespace {

using namespace std::string_view_literals;

constexpr std::array kEpochNames{"epochs"sv,       "num_epochs"sv,       "n_epochs"sv,
                                 "max_epochs"sv,   "num_train_epochs"sv, "train_epochs"sv,
                                 "total_epochs"sv, "nepochs"sv};
// Of these the whole run is meant, whatever is said of epochs.
constexpr std::array kTotalStepNames{"max_steps"sv, "max_train_steps"sv, "total_steps"sv,
                                     "num_train_steps"sv};
// Of these it is meant when nothing is said of epochs.
constexpr std::array kStepNames{"steps"sv, "num_steps"sv, "n_steps"sv, "train_steps"sv};

// "--max-steps" and "trainer.max_steps" are both "max_steps".
std::string plain_name(std::string_view name) {
  name.remove_prefix(std::min(name.find_first_not_of('-'), name.size()));
  if (const std::size_t dot = name.rfind('.'); dot != std::string_view::npos) {
    name.remove_prefix(dot + 1);
  }
  std::string plain(name);
  std::ranges::replace(plain, '-', '_');
  return plain;
}

std::optional<double> count_in(std::string_view text) {
  constexpr double kMost = 1e12;
  double value = 0;
  const auto [end, errc] = std::from_chars(text.data(), text.data() + text.size(), value);
  const bool whole_text = errc == std::errc{} && end == text.data() + text.size();
  return whole_text && value > 0 && value < kMost ? std::optional(value) : std::nullopt;
}

template <std::size_t N>
bool contains(const std::array<std::string_view, N>& names, std::string_view name) {
  return std::ranges::find(names, name) != names.end();
}

void read_option(PlannedLength& planned, std::string_view name, std::string_view value) {
  const std::string plain = plain_name(name);
  const auto count = count_in(value);
  if (!count) return;
  if (contains(kEpochNames, plain)) {
    planned.epochs = count;
  } else if (contains(kTotalStepNames, plain)) {
    planned.steps = count;
    planned.steps_overrule = true;
  } else if (contains(kStepNames, plain) && !planned.steps_overrule) {
    planned.steps = count;
  }
}

const RankFacts* first_stepping(const RunFacts& facts) {
  const auto it =
      std::ranges::find_if(facts.ranks, [](const RankFacts& rank) { return rank.step_count > 0; });
  return it == facts.ranks.end() ? nullptr : &*it;
}

std::optional<double> batches_per_step(const RankFacts& rank) {
  if (!rank.loader || rank.stats.count == 0 || rank.loader->batches == 0) return std::nullopt;
  return static_cast<double>(rank.loader->batches) / static_cast<double>(rank.stats.count);
}

// The command of the training process itself: that of the run may be a launcher or a shell script.
std::vector<std::string> command_words(const RunFacts& facts, const RankFacts& rank) {
  const std::size_t process = model::index_of(rank.process);
  if (process >= facts.processes.size() || facts.processes[process].command.empty()) {
    return facts.run.command;
  }
  std::vector<std::string> words;
  std::string_view rest = facts.processes[process].command;
  while (!rest.empty()) {
    const std::size_t blank = std::min(rest.find(' '), rest.size());
    if (blank > 0) words.emplace_back(rest.substr(0, blank));
    rest.remove_prefix(std::min(blank + 1, rest.size()));
  }
  return words;
}

}  // namespace

PlannedLength planned_length(const std::vector<std::string>& words) {
  PlannedLength planned;
  for (std::size_t i = 0; i < words.size(); ++i) {
    const std::string_view word = words[i];
    const std::size_t equals = word.find('=');
    if (equals != std::string_view::npos) {
      read_option(planned, word.substr(0, equals), word.substr(equals + 1));
    } else if (word.starts_with("--") && i + 1 < words.size()) {
      read_option(planned, word, words[i + 1]);
    }
  }
  return planned;
}

std::optional<double> steps_per_pass(const RunFacts& facts) {
  const RankFacts* rank = first_stepping(facts);
  const auto batches = rank == nullptr ? std::nullopt : batches_per_step(*rank);
  if (!batches) return std::nullopt;
  const LoaderFacts& loader = *rank->loader;
  if (loader.pass_batches > 0) return static_cast<double>(loader.pass_batches) / *batches;
  // Several ranks share the data, in a way that is not known before a pass has ended.
  if (loader.dataset_length <= 0 || loader.batch_size <= 0 || facts.ranks.size() > 1) {
    return std::nullopt;
  }
  const auto in_pass = std::ceil(static_cast<double>(loader.dataset_length) /
                                 static_cast<double>(loader.batch_size));
  return in_pass / *batches;
}

std::optional<std::uint64_t> expected_steps(const RunFacts& facts) {
  const RankFacts* rank = first_stepping(facts);
  if (rank == nullptr) return std::nullopt;
  const PlannedLength planned = planned_length(command_words(facts, *rank));
  std::optional<double> steps;
  if (planned.steps && (planned.steps_overrule || !planned.epochs)) {
    steps = planned.steps;
  } else if (planned.epochs && !planned.steps) {
    if (const auto pass = steps_per_pass(facts)) steps = *planned.epochs * *pass;
  }
  if (!steps) return std::nullopt;
  const auto expected = static_cast<std::uint64_t>(std::llround(*steps));
  return expected >= rank->step_count ? std::optional(expected) : std::nullopt;
}

}  // namespace latido::analysis
