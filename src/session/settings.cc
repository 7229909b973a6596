#include "session/settings.h"

namespace latido::session {

std::string_view to_text(FunctionMode mode) noexcept {
  switch (mode) {
    case FunctionMode::kAdaptive:
      return "adaptive";
    case FunctionMode::kFull:
      return "full";
    case FunctionMode::kOff:
      break;
  }
  return "off";
}

}  // namespace latido::session
