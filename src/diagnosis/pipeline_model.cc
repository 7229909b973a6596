#include "diagnosis/pipeline_model.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <utility>

namespace latido::diagnosis {
namespace {

// Mean speed of a thread that shares `cores` with `base` cores' worth of others and with `workers`
// workers, each of which wants a core for `ratio` of its time: a mean over how many do at once, since
// two that collide lose what two that miss each other do not gain.
double shared_speed(double base, std::uint32_t workers, double ratio, double cores) {
  const auto speed = [cores](double wanted) { return wanted <= cores ? 1.0 : cores / wanted; };
  if (ratio <= 0) return speed(base);
  if (ratio >= 1) return speed(base + workers);
  double mean = 0;
  double probability = std::pow(1.0 - ratio, workers);  // of 0 workers wanting a core
  for (std::uint32_t active = 0; active <= workers; ++active) {
    mean += probability * speed(base + active);
    probability *= (workers - active) / (active + 1.0) * ratio / (1.0 - ratio);
  }
  return mean;
}

// Progress per unit of time, relative to running alone.
struct Speeds {
  double training;
  double maker_cpu;  // the processor part of one worker
  double making;     // all workers together, waiting included
};

// With `workers` at work beside `training_cores` cores' worth of training.
Speeds speeds(const Pipeline& pipeline, double training_cores, std::uint32_t workers) {
  const double ratio = pipeline.make_cpu_ratio;
  const double fair = shared_speed(training_cores, workers, ratio, pipeline.cores);
  const double maker_cpu =
      workers == 0 ? 1.0 : shared_speed(training_cores + 1, workers - 1, ratio, pipeline.cores);
  return {.training = 1.0 / (1.0 + (1.0 / fair - 1.0) * pipeline.unfairness),
          .maker_cpu = maker_cpu,
          .making = workers / (ratio / maker_cpu + (1.0 - ratio))};
}

std::string_view trimmed(std::string_view text) {
  while (!text.empty() && text.front() == ' ') text.remove_prefix(1);
  return text;
}

std::int64_t element_bytes(std::string_view dtype) {
  constexpr std::array<std::pair<std::string_view, std::int64_t>, 9> kSizes{{{"float32", 4},
                                                                             {"float64", 8},
                                                                             {"float16", 2},
                                                                             {"bfloat16", 2},
                                                                             {"int64", 8},
                                                                             {"int32", 4},
                                                                             {"int16", 2},
                                                                             {"int8", 1},
                                                                             {"uint8", 1}}};
  for (const auto& [name, bytes] : kSizes) {
    if (dtype == name) return bytes;
  }
  return 0;
}

// Threads that work together on one operation all wait for the slowest of them, so that a worker which
// takes one of their cores slows all. On a 2-core machine one worker, busy for about 60 % of a step, made a
// training on 2 threads 1.76 times slower: 2.3 times while it worked, where even sharing makes it 1.5.
double unfairness_of(double compute_cores) {
  return 1.0 + 2.0 * std::clamp(compute_cores - 1.0, 0.0, 1.0);
}

Pipeline infer_inline(const PipelineObservation& observed, Pipeline pipeline) {
  const double compute = pipeline.compute_ns;
  pipeline.make_ns = observed.wait_ns;
  pipeline.make_cpu_ratio = observed.make_cpu_ratio.value_or(1.0);
  if (!observed.main_cpu_cores) return pipeline;
  const double cpu_ns = *observed.main_cpu_cores * observed.step_ns;
  if (!observed.make_cpu_ratio && observed.wait_ns > 0) {
    pipeline.make_cpu_ratio = std::clamp((cpu_ns - compute) / observed.wait_ns, 0.0, 1.0);
  }
  const double compute_cpu_ns = cpu_ns - pipeline.make_cpu_ratio * observed.wait_ns;
  if (compute > 0) {
    pipeline.compute_cores = std::clamp(compute_cpu_ns / compute, 0.05, observed.cores);
    pipeline.unfairness = unfairness_of(pipeline.compute_cores);
  }
  return pipeline;
}

Pipeline infer_with_workers(const PipelineObservation& observed, Pipeline pipeline) {
  const double compute = pipeline.compute_ns;
  const double cpu_ratio = observed.make_cpu_ratio.value_or(1.0);
  const double make_cpu_ns = observed.make_ns * cpu_ratio;  // does not stretch under contention
  const double compute_cpu_ns = observed.main_cpu_cores.value_or(1.0) * observed.step_ns;
  const double computing = std::clamp(compute / observed.step_ns, 0.0, 1.0);
  pipeline.make_ns = observed.make_ns;
  // Undamped it would swing between "all contention" and "none"; 60 halvings settle any start.
  for (int round = 0; round < 60; ++round) {
    pipeline.make_cpu_ratio =
        pipeline.make_ns > 0 ? std::clamp(make_cpu_ns / pipeline.make_ns, 0.0, 1.0) : 1.0;
    pipeline.compute_cores =
        pipeline.compute_ns > 0
            ? std::clamp(compute_cpu_ns / pipeline.compute_ns, 0.05, observed.cores)
            : 1.0;
    const Speeds beside = speeds(pipeline, pipeline.compute_cores, observed.workers);
    const Speeds alone = speeds(pipeline, 0, observed.workers);
    const double stretch = computing / beside.maker_cpu + (1.0 - computing) / alone.maker_cpu;
    const double next_compute =
        compute * (1.0 - observed.worker_busy_ratio * (1.0 - beside.training));
    const double next_make =
        std::max(make_cpu_ns, observed.make_ns - make_cpu_ns * (1.0 - 1.0 / stretch));
    pipeline.compute_ns = (pipeline.compute_ns + next_compute) / 2;
    pipeline.make_ns = (pipeline.make_ns + next_make) / 2;
  }
  return pipeline;
}

}  // namespace

double predict_step_ns(const Pipeline& pipeline, std::uint32_t workers) {
  if (workers == 0) return pipeline.compute_ns + pipeline.make_ns;
  const double compute = pipeline.compute_ns + pipeline.transfer_ns;
  const double making = pipeline.make_ns;

  const Speeds all = speeds(pipeline, pipeline.compute_cores, workers);
  const double slowed_compute = compute / all.training;
  const double made_meanwhile = slowed_compute * all.making;
  if (making > made_meanwhile) {
    return slowed_compute + (making - made_meanwhile) / speeds(pipeline, 0, workers).making;
  }
  // The time with `active` workers and that with one more, from the two kinds of work they must do.
  Speeds fewer = speeds(pipeline, pipeline.compute_cores, 0);
  for (std::uint32_t active = 0; active < workers; ++active) {
    const Speeds more = speeds(pipeline, pipeline.compute_cores, active + 1);
    const double determinant = fewer.making * more.training - more.making * fewer.training;
    const double with_fewer = (making * more.training - compute * more.making) / determinant;
    const double with_more = (compute * fewer.making - making * fewer.training) / determinant;
    if (with_fewer >= 0 && with_more >= 0) return with_fewer + with_more;
    fewer = more;
  }
  return slowed_compute;
}

double busy_ratio(const Pipeline& pipeline, std::uint32_t workers) {
  const double step_ns = predict_step_ns(pipeline, workers);
  if (step_ns <= 0 || pipeline.cores <= 0) return 0;
  const double busy_ns = pipeline.compute_ns * pipeline.compute_cores +
                         pipeline.make_ns * pipeline.make_cpu_ratio + pipeline.transfer_ns;
  return std::min(1.0, busy_ns / step_ns / pipeline.cores);
}

Pipeline slowed(const Pipeline& pipeline, const SlowDown& slow_down) {
  Pipeline result = pipeline;
  result.compute_ns *= slow_down.computing;
  result.make_ns *= 1.0 + (slow_down.making - 1.0) * pipeline.make_cpu_ratio;
  result.transfer_ns *= slow_down.computing;
  return result;
}

Pipeline infer_pipeline(const PipelineObservation& observed) {
  Pipeline pipeline{.compute_ns = std::max(0.0, observed.step_ns - observed.wait_ns),
                    .compute_cores = std::min(1.0, observed.cores),
                    .transfer_ns = observed.transfer_ns,
                    .cores = observed.cores};
  return observed.workers == 0 ? infer_inline(observed, pipeline)
                               : infer_with_workers(observed, pipeline);
}

std::uint32_t knee_workers(const Pipeline& pipeline, std::uint32_t most, double knee_ratio) {
  double best = predict_step_ns(pipeline, 1);
  for (std::uint32_t workers = 2; workers <= most; ++workers) {
    best = std::min(best, predict_step_ns(pipeline, workers));
  }
  for (std::uint32_t workers = 1; workers <= most; ++workers) {
    if (predict_step_ns(pipeline, workers) <= best * (1.0 + knee_ratio)) return workers;
  }
  return 1;
}

std::int64_t batch_bytes(std::string_view batch_shape) noexcept {
  constexpr std::string_view kTimes = "\u00d7";
  constexpr std::int64_t kMost = std::int64_t{1} << 40;
  std::int64_t elements = 1;
  std::string_view rest = batch_shape;
  while (true) {
    std::int64_t size = 0;
    const auto [stop, errc] = std::from_chars(rest.data(), rest.data() + rest.size(), size);
    if (errc != std::errc{} || size < 0 || (size > 0 && elements > kMost / size)) return 0;
    elements *= size;
    rest.remove_prefix(static_cast<std::size_t>(stop - rest.data()));
    if (!rest.starts_with(kTimes)) break;
    rest.remove_prefix(kTimes.size());
  }
  rest = trimmed(rest);
  return elements * element_bytes(rest.substr(0, rest.find_first_of(" ,;")));
}

}  // namespace latido::diagnosis
