// The timeline of a run as one file that ui.perfetto.dev opens.
#pragma once

#include <filesystem>
#include <string>

#include "base/result.h"

namespace latido::session {

// The segments one after the other, which is a Perfetto trace again. Errors: as RunFolder; kNotFound when the
// run recorded no events.
Result<std::string> export_timeline(const std::filesystem::path& run);

}  // namespace latido::session
