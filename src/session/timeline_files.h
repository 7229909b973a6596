// TimelineFiles: writes the events of a run into its segment files.
//
// Called by the recording thread. When the disk is full or the size limit is reached it stops writing
// and counts what it left out; it never fails the run.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "formats/perfetto/segment_writer.h"
#include "model/timeline.h"
#include "store/file_io.h"
#include "store/run_folder.h"
#include "store/sqlite/run_catalog.h"

namespace latido::session {

class TimelineFiles {
 public:
  // `folder` must outlive this. `max_bytes`: of all segments together.
  TimelineFiles(const store::RunFolder& folder, formats::perfetto::ClockAnchor anchor,
                std::int64_t max_bytes);

  void append(std::span<const model::Event> events, const model::Tables& tables);

  // Hands everything so far to the kernel: it survives our death from then on.
  void flush();
  // Ends the last segment. Nothing may be appended after.
  void finish();

  // Segments whose entry changed since the last call.
  std::vector<store::SegmentEntry> take_changed() { return std::exchange(changed_, {}); }
  std::uint64_t left_out() const noexcept { return left_out_; }             // events
  const std::string& stopped_why() const noexcept { return stopped_why_; }  // empty: still writing

 private:
  void write(std::span<const std::byte> bytes);
  void note_current();

  const store::RunFolder* folder_;
  formats::perfetto::SegmentWriter writer_;
  std::optional<store::AppendFile> file_;
  std::uint32_t number_ = 0;
  std::int64_t bytes_left_;
  std::vector<store::SegmentEntry> changed_;
  std::uint64_t left_out_ = 0;
  std::string stopped_why_;
};

}  // namespace latido::session
