// RingReader: the smallest complete reader of a ring, as ring_format.h describes it. For tests.
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <vector>

#include "capture/testing/agent_stub.h"

namespace latido::capture::testing {

struct Record {
  RecordKind kind{};
  ExtendedKind extended{};  // of kExtended
  std::uint32_t id = 0;
  std::uint32_t thread = 0;
  std::uint32_t tid = 0;
  std::uint64_t ticks = 0;
  std::uint64_t detail = 0;  // word 1 above bit 8
  std::uint64_t payload = 0;
  std::string text;
};

struct SiteText {
  std::string name;
  std::string category;
  std::string file;
  std::uint64_t line = 0;
};

class RingReader {
 public:
  explicit RingReader(const ReceivedRing& ring) : ring_(ring) {}

  // Hands over what has been written since the last call, thread by thread in order, and gives sealed
  // chunks back. kSite records go to sites() instead. Returns the number of records handed over.
  std::uint64_t read(const std::function<void(const Record&)>& take);

  const std::map<std::uint32_t, SiteText>& sites() const { return sites_; }
  std::uint64_t chunks_given_back() const { return given_back_; }
  // Sealed chunks of threads that had ended.
  std::uint64_t threads_ended() const { return threads_ended_; }

 private:
  bool read_record(std::uint32_t chunk, Record& record);
  void give_back(std::uint32_t chunk);

  const ReceivedRing& ring_;
  std::array<std::uint64_t, kChunkCount> position_{};
  std::map<std::uint32_t, SiteText> sites_;
  std::uint64_t given_back_ = 0;
  std::uint64_t threads_ended_ = 0;
};

// All records so far as lines, for comparing: "begin outer", "end outer", "arg size 7",
// "value loss[3] 0.5", "instant mark 0", "text hook ok".
std::vector<std::string> read_lines(RingReader& reader);
std::vector<std::string> read_lines(const ReceivedRing& ring);

// Begins, ends and their balance per thread.
class ZoneTally {
 public:
  void take(const Record& record);
  std::uint64_t begins() const { return begins_; }
  std::uint64_t ends() const { return ends_; }
  std::uint64_t others() const { return others_; }
  // Ends that closed nothing, or a zone of another site.
  std::uint64_t misplaced_ends() const { return misplaced_; }
  std::size_t threads() const { return open_.size(); }

 private:
  std::map<std::uint32_t, std::vector<std::uint32_t>> open_;  // thread → sites, outermost first
  std::uint64_t begins_ = 0;
  std::uint64_t ends_ = 0;
  std::uint64_t others_ = 0;
  std::uint64_t misplaced_ = 0;
};

}  // namespace latido::capture::testing
