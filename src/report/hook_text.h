// The state of a hook as the recorder sent it ("ok", "absent: why", "failed: why"), for people.
//
// Called by the renderers; JSON keeps the text as it is. Reasons that the recorder's own probes give are
// said in the reader's language; an exception's text is not ours and stays. Pure.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "report/catalogue.h"

namespace latido::report {

struct HookState {
  enum class Kind : std::uint8_t { kOk, kAbsent, kFailed, kUnknown };
  Kind kind = Kind::kUnknown;
  std::string_view reason;  // into the text that was parsed; empty when none was given
};
HookState parse_hook_state(std::string_view state) noexcept;

// "ausente: Optimizer no tiene step".
std::string hook_state_text(std::string_view state, const Catalogue& catalogue);

// The reason alone; as it is when it is none of ours.
std::string hook_reason_text(std::string_view reason, const Catalogue& catalogue);

}  // namespace latido::report
