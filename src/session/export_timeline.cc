#include "session/export_timeline.h"

#include "store/run_folder.h"

namespace latido::session {

Result<std::string> export_timeline(const std::filesystem::path& run) {
  auto folder = store::RunFolder::open(run);
  if (!folder) return std::move(folder).error();
  auto numbers = folder.value().segments();
  if (!numbers) return std::move(numbers).error();
  std::string trace;
  for (const std::uint32_t number : numbers.value()) {
    auto bytes = folder.value().read_segment(number);
    if (!bytes) return std::move(bytes).error().with_context("segment " + std::to_string(number));
    trace.append(reinterpret_cast<const char*>(bytes.value().data()), bytes.value().size());
  }
  if (trace.empty()) return Error{ErrorCode::kNotFound, "this run recorded no timeline"};
  return trace;
}

}  // namespace latido::session
