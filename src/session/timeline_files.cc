#include "session/timeline_files.h"

#include <algorithm>

namespace latido::session {

TimelineFiles::TimelineFiles(const store::RunFolder& folder, formats::perfetto::ClockAnchor anchor,
                             std::int64_t max_bytes)
    : folder_(&folder), writer_({.anchor = anchor}), bytes_left_(max_bytes) {}

void TimelineFiles::append(std::span<const model::Event> events, const model::Tables& tables) {
  while (!events.empty()) {
    if (!stopped_why_.empty()) {
      left_out_ += events.size();
      return;
    }
    events = events.subspan(writer_.append(events, tables));
    if (!writer_.segment_full()) continue;
    finish();
  }
}

void TimelineFiles::flush() {
  if (!stopped_why_.empty()) return;
  const std::vector<std::byte> block = writer_.take_block();
  if (block.empty()) return;
  write(block);
  note_current();
}

void TimelineFiles::finish() {
  if (!stopped_why_.empty()) return;
  const std::vector<std::byte> rest = writer_.finish_segment();
  if (!rest.empty()) write(rest);
  if (file_) note_current();
  file_.reset();
}

void TimelineFiles::write(std::span<const std::byte> bytes) {
  if (!file_) {
    auto created = folder_->create_segment(number_ + 1);
    if (!created) {
      stopped_why_ = created.error().message;
      return;
    }
    file_ = std::move(created).value();
    ++number_;
  }
  bytes_left_ -= static_cast<std::int64_t>(bytes.size());
  if (bytes_left_ < 0) {
    stopped_why_ = "the size limit of the run was reached";
    return;
  }
  if (auto status = file_->append(bytes); !status) stopped_why_ = status.error().message;
}

void TimelineFiles::note_current() {
  std::erase_if(changed_, [this](const auto& entry) { return entry.number == number_; });
  const auto& range = writer_.range();
  changed_.push_back({.number = number_,
                      .bytes = file_ ? file_->size_bytes() : 0,
                      .min_ns = range.min_ns,
                      .max_ns = range.max_ns,
                      .events = range.events});
}

}  // namespace latido::session
