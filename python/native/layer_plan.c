#include "layer_plan.h"

/* The first samples come early, so that a short run has some; what they cost is then paid back by the
 * distance to the next. */
enum {
  kFirstTimed = 5,
  kFirstCounted = 12,
  kEarlyTimed = 3,
  kEarlyDistance = 5,
  kLeastDistance = 20,
  kCountedGrowth = 8, /* what is counted hardly changes */
};

/* Shares of the time: three in a thousand together. */
static const int64_t kTimedShare = 500;
static const int64_t kCountedShare = 1000;

/* Of those that do step regularly. */
static uint64_t least_frequent(const LayerPlan* plan) {
  enum { kTooRare = 8 };
  uint64_t most = 0;
  for (int i = 0; i < plan->known; ++i) {
    if (plan->optimizers[i].count > most) most = plan->optimizers[i].count;
  }
  uint64_t found = plan->delimiter;
  uint64_t least = UINT64_MAX;
  uint64_t of_present = UINT64_MAX;
  for (int i = 0; i < plan->known; ++i) {
    const OptimizerCount* each = &plan->optimizers[i];
    if (each->count * kTooRare < most) continue;
    if (each->id == plan->delimiter) of_present = each->count;
    if (each->count >= least) continue;
    least = each->count;
    found = each->id;
  }
  /* Two that take turns are one apart half of the time: then the present one stays. */
  return of_present != UINT64_MAX && of_present <= least + 1 ? plan->delimiter : found;
}

bool layer_plan_ends_step(LayerPlan* plan, uint64_t optimizer) {
  if (plan->by_api) return false;
  int at = 0;
  while (at < plan->known && plan->optimizers[at].id != optimizer) ++at;
  if (at == kMostOptimizers) return false;
  if (at == plan->known) {
    plan->optimizers[at] = (OptimizerCount){.id = optimizer};
    ++plan->known;
  }
  ++plan->optimizers[at].count;

  plan->delimiter = least_frequent(plan);
  return plan->delimiter == optimizer;
}

static int64_t median_of(const int64_t* values, int count) {
  int64_t sorted[kNormalSteps];
  for (int i = 0; i < count; ++i) {
    int at = i;
    for (; at > 0 && sorted[at - 1] > values[i]; --at) sorted[at] = sorted[at - 1];
    sorted[at] = values[i];
  }
  return sorted[count / 2];
}

/* What the step cost more than the others. They differ by themselves, too, and an evaluation or a
 * checkpoint may lie in between: so never far from what is known to have been spent. */
static int64_t cost_of(const LayerPlan* plan, int64_t step_ns) {
  enum { kMostTimes = 3 };
  const uint64_t normal = plan->steps - plan->samples[kTimed] - plan->samples[kCounted];
  if (normal == 0) return plan->spent_ns;
  const int64_t median_ns =
      median_of(plan->normal_ns, normal < kNormalSteps ? (int)normal : kNormalSteps);
  const int64_t extra_ns = step_ns - median_ns;
  if (extra_ns < plan->spent_ns) return plan->spent_ns;
  return extra_ns < kMostTimes * plan->spent_ns ? extra_ns : kMostTimes * plan->spent_ns;
}

static void note(LayerPlan* plan, int64_t now_ns, unsigned reduction) {
  const int64_t step_ns = now_ns - plan->last_end_ns;
  if (plan->now == kUnsampled) {
    const uint64_t normal = plan->steps - plan->samples[kTimed] - plan->samples[kCounted];
    plan->normal_ns[normal % kNormalSteps] = step_ns;
    return;
  }
  const int64_t share = plan->now == kTimed ? kTimedShare : kCountedShare;
  int64_t* due_ns = &plan->due_ns[plan->now];
  if (*due_ns < plan->last_end_ns) *due_ns = plan->last_end_ns;
  *due_ns += cost_of(plan, step_ns) * share * (reduction == 1 ? 4 : 1);
  ++plan->samples[plan->now];
  plan->last_step[plan->now] = plan->steps;
}

static bool timed_is_due(const LayerPlan* plan, int64_t now_ns) {
  const uint64_t samples = plan->samples[kTimed];
  if (samples == 0) return plan->steps >= kFirstTimed;
  const uint64_t distance = plan->steps - plan->last_step[kTimed];
  if (samples < kEarlyTimed) return distance >= kEarlyDistance;
  return distance >= kLeastDistance && now_ns >= plan->due_ns[kTimed];
}

static bool counted_is_due(const LayerPlan* plan, int64_t now_ns) {
  if (plan->samples[kCounted] == 0) return plan->steps >= kFirstCounted;
  return plan->steps >= kCountedGrowth * plan->last_step[kCounted] &&
         now_ns >= plan->due_ns[kCounted];
}

void layer_plan_next(LayerPlan* plan, int64_t now_ns, unsigned reduction) {
  if (plan->last_end_ns != 0) {
    note(plan, now_ns, reduction);
    ++plan->steps;
  }
  plan->last_end_ns = now_ns;
  plan->spent_ns = 0;
  plan->now = kUnsampled;
  if (reduction >= 2) return;
  if (timed_is_due(plan, now_ns)) {
    plan->now = kTimed;
  } else if (counted_is_due(plan, now_ns)) {
    plan->now = kCounted;
  }
}
