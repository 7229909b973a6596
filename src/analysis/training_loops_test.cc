// Every kind of training loop of the reference, imitated as an event stream, with the number of steps
// that a person would count.
#include <gtest/gtest.h>

#include <functional>
#include <numeric>
#include <ostream>
#include <string>
#include <vector>

#include "analysis/run_analysis.h"
#include "analysis/test_events.h"

namespace latido::analysis {
namespace {

using model::Category;
using model::Step;

RunFacts analyse(const TestEvents& loop) {
  RunAnalysis analysis;
  analysis.add_events(loop.tables(), loop.events());
  model::Run run;
  run.start_ns = TestEvents::kStartNs;
  run.end_ns = loop.now_ns();
  return analysis.facts(run, {}, loop.tables());
}

void expect_exact_sums(const RankFacts& rank, std::int64_t wall_ns) {
  for (std::size_t i = 0; i < rank.steps.size(); ++i) {
    SCOPED_TRACE("step " + std::to_string(i));
    const Step& step = rank.steps[i];
    std::int64_t sum_ns = 0;
    for (const std::int64_t phase_ns : step.phase_ns) {
      if (phase_ns != model::kNotMeasured) {
        EXPECT_GE(phase_ns, 0);
        sum_ns += phase_ns;
      }
    }
    EXPECT_EQ(sum_ns, step.wall_ns);
    EXPECT_EQ(std::accumulate(step.other_ns.begin(), step.other_ns.end(), std::int64_t{0}),
              step.phase(model::Phase::kOther));
    if (i > 0) {
      EXPECT_GE(step.start_ns, rank.steps[i - 1].end_ns());
    }
  }
  EXPECT_EQ(rank.parts.sum_ns(), wall_ns);
  EXPECT_GE(rank.parts.other_ns, 0);
}

// Backwards of each step, the same in all but a few.
struct Want {
  std::size_t steps = 0;
  std::uint32_t backwards = 1;
  std::uint32_t optimizer_calls = 1;
  std::uint32_t batches = 1;
  std::size_t unusual = 3;  // at most so many steps have other numbers
};

struct Case {
  std::string name;
  std::function<void(TestEvents&)> write;
  Want want;
};

void PrintTo(const Case& each, std::ostream* out) { *out << each.name; }

class TrainingLoops : public testing::TestWithParam<Case> {};

TEST_P(TrainingLoops, HaveTheStepsThatAPersonCounts) {
  TestEvents loop;
  loop.pass(500_ms);
  GetParam().write(loop);
  loop.pass(20_ms);
  const RunFacts facts = analyse(loop);
  ASSERT_EQ(facts.ranks.size(), 1U);
  const RankFacts& rank = facts.ranks.front();
  EXPECT_EQ(rank.steps.size(), GetParam().want.steps);
  EXPECT_EQ(rank.step_count, GetParam().want.steps);
  expect_exact_sums(rank, loop.now_ns() - TestEvents::kStartNs);
  std::size_t unusual = 0;
  for (const Step& step : rank.steps) {
    const Want& want = GetParam().want;
    if (step.backwards != want.backwards || step.optimizer_calls != want.optimizer_calls ||
        step.batches != want.batches) {
      ++unusual;
    }
  }
  EXPECT_LE(unusual, GetParam().want.unusual);
}

std::vector<Case> all_cases() {
  std::vector<Case> cases;
  const auto add = [&cases](std::string name, Want want, std::function<void(TestEvents&)> write) {
    cases.push_back({.name = std::move(name), .write = std::move(write), .want = want});
  };
  add("plain", {.steps = 80}, [](TestEvents& loop) { loop.epochs(4, 20); });
  add("accumulation", {.steps = 20, .backwards = 4, .batches = 4}, [](TestEvents& loop) {
    for (int epoch = 0; epoch < 4; ++epoch) {
      loop.start_loader(1);
      for (int i = 0; i < 20; ++i) {
        loop.wait(1).forward().backward();
        if (i % 4 == 3) loop.span("clip_grad_norm_", Category::kClipGrad, 1_ms).step().zero_grad();
      }
      loop.stop(1);
    }
  });
  add("accumulation_with_rest", {.steps = 8, .backwards = 4, .batches = 4}, [](TestEvents& loop) {
    int micro_batch = 0;
    for (int epoch = 0; epoch < 4; ++epoch) {
      loop.start_loader(1);
      for (int i = 0; i < 10; ++i) {
        loop.wait(1).forward().backward();
        if (++micro_batch % 10 == 4 || micro_batch % 10 == 8) loop.step().zero_grad();
      }
      loop.stop(1);
      loop.evaluate(3);
    }
  });
  add("scaler", {.steps = 40}, [](TestEvents& loop) {
    loop.start_loader(1);
    for (int i = 0; i < 40; ++i) loop.wait(1).forward().backward().scaler(false);
  });
  add("scaler_skips", {.steps = 20, .optimizer_calls = 1}, [](TestEvents& loop) {
    loop.start_loader(1);
    for (int i = 0; i < 20; ++i) loop.wait(1).forward().backward().scaler(i == 0 || i == 7);
  });
  add("gan", {.steps = 40, .backwards = 3, .optimizer_calls = 2}, [](TestEvents& loop) {
    for (int i = 0; i < 40; ++i) {
      loop.wait(1).no_grad().forward().backward().backward().step(1).forward().backward().step(2);
    }
  });
  add("gan_without_loader", {.steps = 40, .backwards = 2, .optimizer_calls = 2, .batches = 0},
      [](TestEvents& loop) {
        for (int i = 0; i < 40; ++i) loop.forward().backward().step(1).forward().backward().step(2);
      });
  add("gan_3_to_1", {.steps = 20, .backwards = 4, .optimizer_calls = 4, .batches = 0},
      [](TestEvents& loop) {
        for (int i = 0; i < 20; ++i) {
          for (int k = 0; k < 3; ++k) loop.forward().backward().step(1);
          loop.forward().backward().step(2);
        }
      });
  add("gan_3_to_1_with_loader", {.steps = 20, .backwards = 4, .optimizer_calls = 4, .batches = 3},
      [](TestEvents& loop) {
        for (int i = 0; i < 20; ++i) {
          for (int k = 0; k < 3; ++k) loop.wait(1).forward().backward().step(1);
          loop.forward().backward().step(2);
        }
      });
  add("gan_7_to_1", {.steps = 12, .backwards = 8, .optimizer_calls = 8, .batches = 0},
      [](TestEvents& loop) {
        for (int i = 0; i < 12; ++i) {
          for (int k = 0; k < 7; ++k) loop.forward().backward().step(1);
          loop.forward().backward().step(2);
        }
      });
  add("generator_first", {.steps = 20, .backwards = 4, .optimizer_calls = 4}, [](TestEvents& loop) {
    for (int i = 0; i < 20; ++i) {
      loop.wait(1).forward().backward().step(2);
      for (int k = 0; k < 3; ++k) loop.forward().backward().step(1);
    }
  });
  add("rare_optimizer", {.steps = 60}, [](TestEvents& loop) {
    for (int i = 0; i < 60; ++i) {
      loop.wait(1).forward().backward().step(1);
      if (i % 20 == 5) loop.forward().backward().step(2);
    }
  });
  add("very_rare_optimizer", {.steps = 200}, [](TestEvents& loop) {
    for (int i = 0; i < 200; ++i) {
      loop.wait(1).forward().backward().step(1);
      if (i % 100 == 50) loop.forward().backward().step(2);
    }
  });
  add("lbfgs_closure", {.steps = 6, .backwards = 5}, [](TestEvents& loop) {
    loop.start_loader(1);
    for (int i = 0; i < 6; ++i) {
      loop.wait(1).begin_step();
      for (int k = 0; k < 5; ++k) loop.zero_grad().forward().backward();
      loop.pass(1_ms).end_step(1);
    }
    loop.stop(1);
  });
  add("lbfgs_closure_without_loader", {.steps = 6, .backwards = 5, .batches = 0},
      [](TestEvents& loop) {
        for (int i = 0; i < 6; ++i) {
          loop.begin_step();
          for (int k = 0; k < 5; ++k) loop.zero_grad().forward().backward();
          loop.pass(1_ms).end_step(1);
        }
      });
  add("lightning_closure_with_accumulation", {.steps = 20, .backwards = 2, .batches = 2},
      [](TestEvents& loop) {
        loop.start_loader(1);
        for (int i = 0; i < 20; ++i) {
          loop.wait(1).forward().backward();
          loop.wait(1).begin_step().forward().zero_grad().backward().pass(1_ms).end_step(1);
        }
        loop.stop(1);
      });
  add("evaluation_between_epochs", {.steps = 120},
      [](TestEvents& loop) { loop.epochs(6, 20, [&loop] { loop.evaluate(5); }); });
  add("evaluation_broken_off", {.steps = 120}, [](TestEvents& loop) {
    loop.epochs(6, 20, [&loop] {
      loop.start_loader(2);
      for (int i = 0; i < 3; ++i) loop.wait(2).no_grad();
      loop.wait(2).pass(1_ms);
    });
  });
  add("retain_graph", {.steps = 40, .backwards = 2}, [](TestEvents& loop) {
    loop.start_loader(1);
    for (int i = 0; i < 40; ++i) loop.wait(1).forward().backward().backward().step();
  });
  add("evaluation_within_epoch", {.steps = 40}, [](TestEvents& loop) {
    loop.start_loader(1);
    for (int i = 0; i < 40; ++i) {
      loop.train_on(1);
      if (i % 10 == 9) loop.evaluate(4);
    }
    loop.stop(1);
  });
  add("one_ahead_loader", {.steps = 40, .unusual = 4}, [](TestEvents& loop) {
    for (int epoch = 0; epoch < 2; ++epoch) {
      loop.start_loader(1).wait(1);
      for (int i = 0; i < 20; ++i) {
        if (i < 19)
          loop.wait(1);
        else
          loop.stop(1);
        loop.forward().backward().step().zero_grad();
      }
      loop.start_loader(2).wait(2);
      for (int i = 0; i < 4; ++i) {
        if (i < 3)
          loop.wait(2);
        else
          loop.stop(2);
        loop.no_grad();
      }
    }
  });
  add("optimizer_in_backward", {.steps = 20, .optimizer_calls = 6}, [](TestEvents& loop) {
    loop.start_loader(1);
    for (int i = 0; i < 20; ++i) {
      loop.wait(1).forward().begin("backward", Category::kBackward);
      for (std::uint64_t k = 1; k <= 6; ++k) loop.pass(1_ms).step(k, 100_us);
      loop.end("backward", Category::kBackward);
    }
    loop.stop(1);
  });
  add("optimizer_in_backward_without_loader", {.steps = 20, .optimizer_calls = 6, .batches = 0},
      [](TestEvents& loop) {
        for (int i = 0; i < 20; ++i) {
          loop.forward().begin("backward", Category::kBackward);
          for (std::uint64_t k = 1; k <= 6; ++k) loop.pass(1_ms).step(k, 100_us);
          loop.end("backward", Category::kBackward);
        }
      });
  add("activation_checkpointing", {.steps = 20}, [](TestEvents& loop) {
    for (int i = 0; i < 20; ++i) {
      loop.wait(1).forward().begin("backward", Category::kBackward).pass(1_ms).forward(1_ms);
      loop.backward(1_ms).end("backward", Category::kBackward).step();
    }
  });
  add("generation_within_step", {.steps = 20}, [](TestEvents& loop) {
    loop.start_loader(1);
    for (int i = 0; i < 20; ++i) {
      loop.wait(1);
      for (int k = 0; k < 8; ++k) loop.no_grad(1_ms);
      loop.forward().backward().step();
    }
    loop.stop(1);
  });
  add("failed_backward", {.steps = 10, .backwards = 2}, [](TestEvents& loop) {
    for (int i = 0; i < 10; ++i) loop.wait(1).forward().backward(1_ms).forward().backward().step();
  });
  add("zip_of_two_loaders", {.steps = 30, .batches = 2}, [](TestEvents& loop) {
    loop.start_loader(1).start_loader(3);
    for (int i = 0; i < 30; ++i) loop.wait(1).wait(3).forward().backward().step();
    loop.stop(1);
  });
  add("shorter_loader_starts_again", {.steps = 30, .batches = 2}, [](TestEvents& loop) {
    loop.start_loader(1).start_loader(3);
    for (int i = 0; i < 30; ++i) {
      loop.wait(1);
      if (i % 10 == 9) loop.stop(3).start_loader(3);
      loop.wait(3).forward().backward().step();
    }
    loop.stop(1);
  });
  add("manual_batches", {.steps = 80, .batches = 0}, [](TestEvents& loop) {
    for (int epoch = 0; epoch < 4; ++epoch) {
      for (int i = 0; i < 20; ++i) loop.pass(1_ms).zero_grad().forward().backward().step();
      for (int i = 0; i < 3; ++i) loop.pass(1_ms).no_grad();
    }
  });
  add("super_step", {.steps = 10}, [](TestEvents& loop) {
    for (int i = 0; i < 10; ++i) {
      loop.wait(1).forward().backward().begin("Mine.step", Category::kOptimizer);
      loop.arg("optimizer", 1).step(1).end("Mine.step", Category::kOptimizer);
    }
  });
  add("zero_groups", {.steps = 30, .optimizer_calls = 3}, [](TestEvents& loop) {
    for (int i = 0; i < 30; ++i) loop.wait(1).forward().backward().step(1).step(1).step(1);
  });
  add("zero_groups_without_loader", {.steps = 30, .optimizer_calls = 3, .batches = 0},
      [](TestEvents& loop) {
        for (int i = 0; i < 30; ++i) loop.forward().backward().step(1).step(1).step(1);
      });
  add("trainings_in_sequence", {.steps = 25, .batches = 0}, [](TestEvents& loop) {
    for (int i = 0; i < 10; ++i) loop.zero_grad().forward().backward().step(1);
    for (int i = 0; i < 8; ++i) loop.zero_grad().forward().backward().step(2);
    for (int i = 0; i < 7; ++i) loop.zero_grad().forward().backward().step(3);
  });
  add("long_trainings_in_sequence", {.steps = 310, .batches = 0}, [](TestEvents& loop) {
    for (int i = 0; i < 200; ++i) loop.zero_grad().forward().backward().step(1);
    for (int i = 0; i < 10; ++i) loop.zero_grad().forward().backward().step(2);
    for (int i = 0; i < 100; ++i) loop.zero_grad().forward().backward().step(3);
  });
  add("several_updates_a_batch", {.steps = 40, .batches = 0, .unusual = 10}, [](TestEvents& loop) {
    for (int i = 0; i < 10; ++i) {
      loop.wait(1);
      for (int k = 0; k < 4; ++k) loop.forward().backward().step();
    }
  });
  add("loader_made_anew_each_step", {.steps = 30}, [](TestEvents& loop) {
    for (int i = 0; i < 30; ++i) loop.start_loader(1).train_on(1);
  });
  add("broken_off_epochs", {.steps = 30}, [](TestEvents& loop) {
    for (int epoch = 0; epoch < 3; ++epoch) {
      loop.start_loader(1);
      for (int i = 0; i < 10; ++i) loop.train_on(1);
      loop.wait(1);
      loop.evaluate(2);
    }
  });
  add("statistics_of_the_data_first", {.steps = 20}, [](TestEvents& loop) {
    loop.start_loader(1);
    for (int i = 0; i < 20; ++i) loop.wait(1).pass(1_ms);
    loop.stop(1);
    loop.epochs(1, 20);
  });
  add("two_optimizers_a_batch", {.steps = 40, .optimizer_calls = 2}, [](TestEvents& loop) {
    for (int i = 0; i < 40; ++i) loop.wait(1).forward().backward().step(1).step(2);
  });
  add("two_optimizers_without_loader", {.steps = 40, .optimizer_calls = 2, .batches = 0},
      [](TestEvents& loop) {
        for (int i = 0; i < 40; ++i) loop.forward().backward().step(1).step(2);
      });
  add("optimizer_made_each_step", {.steps = 30}, [](TestEvents& loop) {
    for (std::uint64_t i = 0; i < 30; ++i) loop.train_on(1, i + 1);
  });
  add("step_raised_once", {.steps = 30}, [](TestEvents& loop) {
    for (int i = 0; i < 30; ++i) {
      loop.wait(1).forward().backward().begin_step();
      if (i == 10) loop.arg("optimizer", 1).pass(1_ms);  // no end; the loop tries again
      if (i == 10) loop.forward().backward().begin_step();
      loop.arg("optimizer", 1).pass(1_ms).end("Adam.step", Category::kOptimizer);
    }
  });
  add("manual_optimization_within_a_module", {.steps = 20}, [](TestEvents& loop) {
    for (int i = 0; i < 20; ++i) {
      loop.wait(1).begin("DDP.forward", Category::kForward).pass(1_ms).backward().step();
      loop.pass(1_ms).end("DDP.forward", Category::kForward);
    }
  });
  add("api", {.steps = 30}, [](TestEvents& loop) {
    for (int i = 0; i < 30; ++i) loop.train_on(1).api_step();
  });
  add("api_around_two_updates", {.steps = 30, .backwards = 2, .optimizer_calls = 2, .batches = 2},
      [](TestEvents& loop) {
        for (int i = 0; i < 30; ++i) loop.train_on(1).train_on(1).api_step();
      });
  add("api_without_torch", {.steps = 30, .backwards = 0, .optimizer_calls = 0, .batches = 0},
      [](TestEvents& loop) {
        for (int i = 0; i < 30; ++i) loop.span("work", Category::kZone, 5_ms).api_step();
      });
  return cases;
}

INSTANTIATE_TEST_SUITE_P(Reference, TrainingLoops, testing::ValuesIn(all_cases()),
                         [](const auto& each) { return each.param.name; });

}  // namespace
}  // namespace latido::analysis
