#include "telemetry/series_file.h"

#include <utility>

namespace latido::telemetry {

std::optional<std::string_view> SeriesFile::read(FileBuffer& buffer) {
  rejected_.clear();
  const Reading reading = file_.read(buffer);
  error_number_ = reading.error_number;
  if (!reading.ok()) return std::nullopt;
  return reading.text;
}

void SeriesFile::append_absent(std::vector<std::string>& out) const {
  if (ok()) return;
  for (const std::string_view metric : metrics_) {
    std::string line{metric};
    line.append(": ");
    line.append(error_number_ != 0 ? errno_error(error_number_, file_.path()).message : rejected_);
    out.push_back(std::move(line));
  }
}

}  // namespace latido::telemetry
