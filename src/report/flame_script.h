// The one script that a page of ours may run: it draws the flame graph of html_flame.h.
//
// Plain JavaScript without library; it reads the data beside it, draws, and sends nothing anywhere.
// It holds no '<', so that nothing of it can be read as markup.
#pragma once

#include <string_view>

namespace latido::report {

extern const std::string_view kFlameScript;

// For the page's content policy: the only script that a browser runs there. A test in tests/tools
// computes it anew and says the right one when the script was changed.
inline constexpr std::string_view kFlameScriptHash =
    "sha256-HfVrbFLCvpGxTZqLleQK/coMdw3xlaREpxl+YklweGA=";

}  // namespace latido::report
