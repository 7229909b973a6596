// The timeline of a run as a file that other programs open, written piece by piece.
#pragma once

#include <filesystem>
#include <functional>
#include <string_view>

#include "base/result.h"

namespace latido::session {

// Takes the next bytes of the file; what it fails with ends the export.
using ExportSink = std::function<Status(std::string_view)>;

// For ui.perfetto.dev: the segments one after the other, which is a Perfetto trace again, and the series of
// the processes and of the machine. Errors: as RunFolder; kNotFound when the run recorded no events.
Status export_perfetto(const std::filesystem::path& run, const ExportSink& sink);

// Trace Event Format, with the series of the processes and of the machine. `version` is this program's. Holds
// one segment at a time; damaged ones are left out. Errors: as above, and as store::read_meta.
Status export_chrome(const std::filesystem::path& run, std::string_view version,
                     const ExportSink& sink);

}  // namespace latido::session
