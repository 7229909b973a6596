#include "analysis/site_roles.h"

#include <array>
#include <string_view>
#include <utility>

namespace latido::analysis {
namespace {

using namespace std::string_view_literals;

constexpr std::array kArgs{
    std::pair{"batch"sv, ArgName::kBatch},
    std::pair{"loader"sv, ArgName::kLoader},
    std::pair{"model"sv, ArgName::kModel},
    std::pair{"optimizer"sv, ArgName::kOptimizer},
    std::pair{"pass"sv, ArgName::kPass},
    std::pair{"queue_ready"sv, ArgName::kQueueReady},
    std::pair{"raised"sv, ArgName::kRaised},
    std::pair{"samples"sv, ArgName::kSamples},
    std::pair{"stop"sv, ArgName::kStop},
    std::pair{"worker"sv, ArgName::kWorker},
    std::pair{"worker_pid"sv, ArgName::kWorkerPid},
};
constexpr std::array kValues{
    std::pair{"train.loss_backward"sv, ValueName::kLoss},
    std::pair{"train.grad_norm"sv, ValueName::kGradNorm},
    std::pair{"train.lr"sv, ValueName::kLearningRate},
};
constexpr std::array kTexts{
    std::pair{"loader.facts"sv, TextName::kLoaderFacts},
    std::pair{"worker.start"sv, TextName::kWorkerStart},
    std::pair{"process.facts"sv, TextName::kProcessFacts},
    std::pair{"batch.shape"sv, TextName::kBatchShape},
};

template <typename Table>
auto find_in(const Table& table, std::string_view name) noexcept {
  for (const auto& [text, value] : table) {
    if (text == name) return value;
  }
  return decltype(table[0].second)::kOther;
}

SiteRole role_of(const model::Site& site) noexcept {
  SiteRole role;
  role.category = site.category;
  role.arg = find_in(kArgs, site.name);
  role.value = find_in(kValues, site.name);
  role.text = find_in(kTexts, site.name);
  return role;
}

}  // namespace

void SiteRoles::update(const std::vector<model::Site>& sites) {
  for (std::size_t i = roles_.size(); i < sites.size(); ++i) roles_.push_back(role_of(sites[i]));
}

}  // namespace latido::analysis
