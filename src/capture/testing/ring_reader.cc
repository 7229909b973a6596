#include "capture/testing/ring_reader.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <cstring>

namespace latido::capture::testing {
namespace {

SiteText split_site(const Record& record) {
  const std::string& text = record.text;
  const std::size_t first = text.find('\0');
  const std::size_t second = text.find('\0', first + 1);
  EXPECT_NE(second, std::string::npos);
  return {text.substr(0, first), text.substr(first + 1, second - first - 1),
          text.substr(second + 1), record.payload};
}

std::string to_line(const Record& record, const std::string& name) {
  if (record.kind == RecordKind::kBegin) return "begin " + name;
  if (record.kind == RecordKind::kEnd) return "end " + name;
  switch (record.extended) {
    case ExtendedKind::kArg:
      return "arg " + name + " " + std::to_string(record.payload);
    case ExtendedKind::kValue: {
      std::string number = std::to_string(std::bit_cast<double>(record.payload));
      number.erase(number.find_last_not_of('0') + 1);
      return "value " + name + "[" + std::to_string(record.detail) + "] " + number;
    }
    case ExtendedKind::kInstant:
      return "instant " + name + " " + std::to_string(record.payload);
    case ExtendedKind::kText:
      return "text " + name + " " + record.text;
    case ExtendedKind::kSite:
      break;
  }
  return "malformed";
}

}  // namespace

std::uint64_t RingReader::read(const std::function<void(const Record&)>& take) {
  struct Found {
    std::uint64_t lease;
    std::uint32_t chunk;
  };
  std::vector<Found> found;
  for (std::uint32_t i = 0; i < kChunkCount; ++i) {
    const std::uint64_t lease = ring_.chunk(i).lease.load(std::memory_order_acquire);
    if (lease != 0) found.push_back({lease, i});
  }
  std::ranges::sort(found, {}, &Found::lease);
  std::uint64_t count = 0;
  for (const Found& f : found) {
    const std::uint32_t state = ring_.chunk(f.chunk).state.load(std::memory_order_acquire);
    Record record;
    while (read_record(f.chunk, record)) {
      if (record.kind == RecordKind::kExtended && record.extended == ExtendedKind::kSite) {
        sites_[record.id] = split_site(record);
        continue;
      }
      ++count;
      take(record);
    }
    if (state == static_cast<std::uint32_t>(ChunkState::kSealed)) give_back(f.chunk);
  }
  return count;
}

bool RingReader::read_record(std::uint32_t chunk, Record& record) {
  std::uint64_t& position = position_[chunk];
  if (position >= kChunkWords) return false;
  const Shared<std::uint64_t>* const words = ring_.words(chunk) + position;
  const std::uint64_t head = words[0].load(std::memory_order_acquire);
  if (head == 0) return false;
  record = {};
  record.kind = head_kind(head);
  record.id = head_id(head);
  record.ticks = head_ticks(head);
  record.thread = ring_.chunk(chunk).thread;
  record.tid = ring_.chunk(chunk).tid;
  ++position;
  if (record.kind != RecordKind::kExtended) return true;
  const std::uint64_t word1 = words[1].load(std::memory_order_relaxed);
  record.extended = static_cast<ExtendedKind>(word1 & 0xFF);
  record.detail = word1 >> 8;
  record.payload = words[2].load(std::memory_order_relaxed);
  position += 2;
  if (record.extended == ExtendedKind::kText || record.extended == ExtendedKind::kSite) {
    const std::uint64_t text_words = (record.detail + 7) / 8;
    for (std::uint64_t i = 0; i < text_words; ++i) {
      const std::uint64_t word = words[3 + i].load(std::memory_order_relaxed);
      record.text.append(reinterpret_cast<const char*>(&word), sizeof word);
    }
    record.text.resize(record.detail);
    position += text_words;
  }
  EXPECT_LE(position, kChunkWords);
  return true;
}

void RingReader::give_back(std::uint32_t chunk) {
  ChunkHeader& header = ring_.chunk(chunk);
  if (header.ended.load(std::memory_order_relaxed) != 0) ++threads_ended_;
  std::memset(static_cast<void*>(ring_.words(chunk)), 0, kChunkBytes);
  position_[chunk] = 0;
  ++given_back_;
  header.ended.store(0, std::memory_order_relaxed);
  header.lease.store(0, std::memory_order_relaxed);
  header.state.store(static_cast<std::uint32_t>(ChunkState::kFree), std::memory_order_release);
}

std::vector<std::string> read_lines(RingReader& reader) {
  std::vector<Record> records;
  reader.read([&](const Record& record) { records.push_back(record); });
  std::vector<std::string> lines;
  for (const Record& record : records) {
    const auto site = reader.sites().find(record.id);
    lines.push_back(to_line(record, site == reader.sites().end() ? "?" : site->second.name));
  }
  return lines;
}

std::vector<std::string> read_lines(const ReceivedRing& ring) {
  RingReader reader(ring);
  return read_lines(reader);
}

void ZoneTally::take(const Record& record) {
  std::vector<std::uint32_t>& open = open_[record.thread];
  if (record.kind == RecordKind::kBegin) {
    ++begins_;
    open.push_back(record.id);
  } else if (record.kind == RecordKind::kEnd) {
    ++ends_;
    if (open.empty() || open.back() != record.id) {
      ++misplaced_;
    } else {
      open.pop_back();
    }
  } else {
    ++others_;
  }
}

}  // namespace latido::capture::testing
