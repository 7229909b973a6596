// Takes secrets out of command lines, environment values and URLs before they are stored or shown.
//
// By pattern, so it errs on the side of hiding: what follows a flag or name that sounds like a secret,
// credentials inside URLs, and tokens that are recognisable by their form.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace latido {

inline constexpr std::string_view kRedacted = "[redacted]";

// `arguments` with secrets replaced by kRedacted; flags and the shape of the line stay readable.
std::vector<std::string> redact_arguments(std::span<const std::string> arguments);

// One text: URL credentials, NAME=secret and recognisable tokens replaced.
std::string redact_text(std::string_view text);

// Whether a flag, variable or query key of this name holds a secret: "--api-key", "DB_PASSWORD".
bool sounds_secret(std::string_view name);

}  // namespace latido
