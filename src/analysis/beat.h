// Beat: one thing that happened on a training thread and that the step rule looks at.
//
// Made by BeatReader from closed spans, in time order; consumed by StepFinder. It carries the readings
// of the thread's clock, so that a step can begin or end there long after the spans are forgotten.
#pragma once

#include <cstdint>

#include "analysis/phase_clock.h"
#include "analysis/site_roles.h"

namespace latido::analysis {

enum class BeatKind : std::uint8_t {
  kWait,  // a loader gave a batch
  kStop,  // a loader was exhausted
  kLoaderStart,
  kNoGrad,      // outermost forward without gradients
  kTrainBegin,  // an outermost forward, backward or optimizer step begins
  kBackward,
  kUpdate,   // an optimizer stepped, or would have: `skipped`
  kStepEnd,  // latido.step()
  kCheckpoint,
  kValue,
};

// Ids where the hook gave none.
inline constexpr std::uint32_t kUnknownId = 0xFFFF'FFFF;
// The optimizers that step inside one backward count as one.
inline constexpr std::uint32_t kInBackwardId = 0xFFFF'FFFE;

struct Beat {
  BeatKind kind = BeatKind::kWait;
  ValueName value_name = ValueName::kOther;
  bool queue_known = false;
  bool queue_empty = false;
  bool by_optimizer = false;  // kTrainBegin: nothing but an optimizer has begun
  bool skipped = false;       // kUpdate
  bool continues = false;     // kUpdate: no backward since this optimizer's last call: one update
  bool first_of_optimizer = false;  // kUpdate
  std::uint32_t id = kUnknownId;    // loader or optimizer
  std::uint32_t samples = 0;
  std::uint32_t worker_pid = 0;
  std::uint32_t calls = 1;  // kUpdate: calls of optimizers
  double value = 0;
  Mark begin;
  Mark end;
};

}  // namespace latido::analysis
