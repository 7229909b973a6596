// Prediction: a predicted mean step time with its 90 % interval, and what makes the interval wide.
//
// Each uncertain input of the what-if arithmetic is moved alone to both ends of its own range; the
// deviations of the result add up as independent ones do (root of the sum of squares), each side by
// itself. Called by the rules. Pure.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "diagnosis/pipeline_model.h"
#include "diagnosis/step_view.h"
#include "model/finding.h"

namespace latido::diagnosis {

class IntervalBuilder {
 public:
  explicit IntervalBuilder(double central_ns) : central_ns_(central_ns) {}

  // `message_id` is one of "interval.…"; the two results of moving one input to the ends of its
  // range.
  void add(std::string_view message_id, double one_end_ns, double other_end_ns);

  // Never reaches below `floor_ns`.
  model::Gain gain(double step_before_ns, double floor_ns) const;

  // The contributor that moves the result most, as the reason for the interval of `gain`.
  // Precondition: add() was called.
  model::Message widest(const model::Gain& gain) const;

 private:
  struct Contributor {
    std::string_view message_id;
    double low_ns;
    double high_ns;
  };
  double central_ns_;
  std::vector<Contributor> contributors_;
};

// The interval is so wide that hardly any step could prove the prediction wrong: then no value within it
// says much.
bool is_vague(const model::Gain& gain) noexcept;

// What is not known about a pipeline, as ranges.
struct PipelineUncertainty {
  double compute_half_width_ns = 0;  // 90 % interval of the mean
  double make_low_factor = 0.95;     // a batch may cost this much less or more than was measured
  double make_high_factor = 1.05;
  bool compute_cores_known = false;
  double misfit_ratio = 0;  // how far the model misses the step time that was measured, ≥ 0
  std::uint32_t workers_before = 0;  // when it was measured
};

struct Prediction {
  model::Gain gain;
  model::Message widest;  // why the interval is so wide
};

Prediction predict_pipeline(const Pipeline& measured, const PipelineUncertainty& uncertainty,
                            std::uint32_t workers, double step_before_ns);

// What an action takes away from each step, when that depends on how well it is done.
struct Saving {
  double saved_ns = 0;  // least_ns ≤ saved_ns ≤ most_ns ≤ the step
  double least_ns = 0;
  double most_ns = 0;
};

Prediction predict_saving(const StepView& view, const Saving& saving);

}  // namespace latido::diagnosis
