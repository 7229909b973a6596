/* When a training step is looked at layer by layer: rarely enough to stay within a budget.
 *
 * Pure: reads no clock and calls nobody. One plan a training thread. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

typedef enum {
  kUnsampled,
  kTimed,   /* forward and backward time of each layer */
  kCounted, /* FLOPs and activation memory, which take too long to be timed as well */
} Sampling;

enum { kMostOptimizers = 16, kNormalSteps = 9, kSamplings = 3 };

typedef struct {
  uint64_t id;
  uint64_t count;
} OptimizerCount;

typedef struct {
  Sampling now; /* what the step under way is */
  uint64_t steps;
  int64_t last_end_ns;
  int64_t normal_ns[kNormalSteps]; /* of the last steps that were not sampled */
  int64_t spent_ns;                /* known to have been spent on the sampled step under way */
  uint64_t samples[kSamplings];
  uint64_t last_step[kSamplings]; /* number of the last sampled step */
  int64_t due_ns[kSamplings];     /* by then the cost so far is within the budget */
  bool by_api;                    /* latido.step() says where steps end */
  OptimizerCount optimizers[kMostOptimizers];
  int known;
  uint64_t delimiter;
} LayerPlan;

/* An optimizer has stepped. Whether a step ends there: at the one that steps least often, unless that is
 * less than once in eight times. */
bool layer_plan_ends_step(LayerPlan* plan, uint64_t optimizer);

/* A step has ended at `now_ns`; decides on the next. `reduction`: how much detail is to be given up, 0 to
 * 3; 1: a quarter as often; more: none. */
void layer_plan_next(LayerPlan* plan, int64_t now_ns, unsigned reduction);
