// Category: what kind of work a call site stands for. The analyses go by category, never by name.
//
// The in-process recorder sends the text form, so that recordings outlive a renumbering.
#pragma once

#include <cstdint>
#include <string_view>

namespace latido::model {

enum class Category : std::uint8_t {
  kZone,           // opened by the user through the API
  kDataWait,       // training loop inside a loader iterator's __next__
  kLoaderStart,    // DataLoader.__iter__: workers start
  kH2d,            // host-to-device copy
  kForward,        // outermost nn.Module.__call__ with gradients enabled
  kForwardNoGrad,  // the same without: evaluation, generation
  kBackward,       // torch.autograd.backward
  kCommWait,       // blocking collective called outside backward
  kOptimizer,      // Optimizer.step
  kScalerStep,     // GradScaler.step: an attempt; without an optimizer inside it is a skipped step
  kZeroGrad,
  kClipGrad,
  kWorkerTask,  // a DataLoader worker makes one batch
  kCheckpoint,  // torch.save
  kStep,        // instant: latido.step() says that a step ends here
  kSeries,      // value: one point of the series named by the site
  kHook,        // text: state of one hook, "ok", "absent: why" or "failed: why"
  kException,   // text: how the interpreter ended
  kMark,        // instant: latido.mark()
  kArg,         // the site is the name of an argument
  kFunction,  // a function of the program, recorded by itself; instant: elided after so many calls
  kDetail,    // instant: from now on this much detail is given up (model::Reduction)
  kExcluded,  // instant: a function of the program that the user's patterns leave out
  kLayer,     // a call of a module in a sampled step; instant: its backward begins; text: about it
  kLayerSample,  // instant: a sampled step begins or ends; begin, end: what looking at layers costs
};

inline constexpr std::uint8_t kCategoryCount = 25;

std::string_view to_text(Category category) noexcept;

// kZone for a text that this version does not know: a newer recorder's event is still a span.
Category category_from_text(std::string_view text) noexcept;

}  // namespace latido::model
