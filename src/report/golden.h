// Comparison of a report with its golden text in tests/golden/report. Tests only.
//
// LATIDO_UPDATE_GOLDEN=1 writes the texts anew; the difference is then read by a person.
#pragma once

#include <string>
#include <string_view>

namespace latido::report::golden {

// Empty when `got` is what the file `name` holds; else what differs first.
std::string difference(const std::string& name, std::string_view got);

}  // namespace latido::report::golden
