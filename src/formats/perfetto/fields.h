// Field numbers of the Perfetto messages that segments consist of, and of Latido's own extension.
//
// The one place where they are written down; docs/formats/segments.md says what each is used for.
#pragma once

#include <cstdint>

namespace latido::formats::perfetto {

// Raised when a reader of the former version would misunderstand a file.
inline constexpr std::uint64_t kSegmentVersion = 1;

inline constexpr std::uint32_t kTracePacket = 1;

struct PacketField {
  static constexpr std::uint32_t kClockSnapshot = 6;
  static constexpr std::uint32_t kTimestamp = 8;
  static constexpr std::uint32_t kSequenceId = 10;
  static constexpr std::uint32_t kTrackEvent = 11;
  static constexpr std::uint32_t kInternedData = 12;
  static constexpr std::uint32_t kSequenceFlags = 13;
  static constexpr std::uint32_t kCompressedPackets = 50;
  static constexpr std::uint32_t kTimestampClockId = 58;
  static constexpr std::uint32_t kDefaults = 59;
  static constexpr std::uint32_t kTrackDescriptor = 60;
  static constexpr std::uint32_t kLatido = 1900;  // in the range that Perfetto keeps for others
};

struct SequenceFlag {
  static constexpr std::uint32_t kStateCleared = 1;
  static constexpr std::uint32_t kNeedsState = 2;
};

struct ClockId {
  static constexpr std::uint32_t kRealtime = 1;
  static constexpr std::uint32_t kMonotonic = 3;
  static constexpr std::uint32_t kBoottime = 6;
  static constexpr std::uint32_t kIncremental =
      64;  // of each sequence; counts on from the packet before
};

struct DefaultsField {
  static constexpr std::uint32_t kTrackEvent = 11;
  static constexpr std::uint32_t kTimestampClockId = 58;
};

struct SnapshotField {
  static constexpr std::uint32_t kClocks = 1;
  static constexpr std::uint32_t kPrimaryClock = 2;
};

struct ClockField {
  static constexpr std::uint32_t kId = 1;
  static constexpr std::uint32_t kTimestamp = 2;
  static constexpr std::uint32_t kIsIncremental = 3;
};

struct EventField {
  static constexpr std::uint32_t kCategoryIids = 3;
  static constexpr std::uint32_t kDebugAnnotations = 4;
  static constexpr std::uint32_t kType = 9;
  static constexpr std::uint32_t kNameIid = 10;
  static constexpr std::uint32_t kTrackUuid = 11;
  static constexpr std::uint32_t kSourceLocationIid = 34;
  static constexpr std::uint32_t kDoubleCounterValue = 44;
};

struct EventType {
  static constexpr std::uint32_t kSliceBegin = 1;
  static constexpr std::uint32_t kSliceEnd = 2;
  static constexpr std::uint32_t kInstant = 3;
  static constexpr std::uint32_t kCounter = 4;
};

struct AnnotationField {
  static constexpr std::uint32_t kNameIid = 1;
  static constexpr std::uint32_t kBool = 2;
  static constexpr std::uint32_t kUint = 3;
  static constexpr std::uint32_t kString = 6;
};

// Ids of the annotation names that every sequence has; the names of arguments come behind.
struct AnnotationName {
  static constexpr std::uint32_t kValue = 1;
  static constexpr std::uint32_t kIndex = 2;
  static constexpr std::uint32_t kText = 3;
  static constexpr std::uint32_t kContinued = 4;
  static constexpr std::uint32_t kFirstArg = 16;
};

struct InternedField {
  static constexpr std::uint32_t kCategories = 1;
  static constexpr std::uint32_t kNames = 2;
  static constexpr std::uint32_t kAnnotationNames = 3;
  static constexpr std::uint32_t kSourceLocations = 4;
};

// EventName, EventCategory, DebugAnnotationName and SourceLocation begin alike.
struct InternedEntry {
  static constexpr std::uint32_t kIid = 1;
  static constexpr std::uint32_t kText = 2;
  static constexpr std::uint32_t kLine = 4;  // SourceLocation only
};

struct TrackField {
  static constexpr std::uint32_t kUuid = 1;
  static constexpr std::uint32_t kName = 2;
  static constexpr std::uint32_t kProcess = 3;
  static constexpr std::uint32_t kThread = 4;
  static constexpr std::uint32_t kParentUuid = 5;
  static constexpr std::uint32_t kCounter = 8;
};

struct ProcessField {
  static constexpr std::uint32_t kPid = 1;
  static constexpr std::uint32_t kCommandLine = 2;
  static constexpr std::uint32_t kName = 6;
  static constexpr std::uint32_t kStartNs = 7;
  static constexpr std::uint32_t kLabels = 8;
};

struct ThreadField {
  static constexpr std::uint32_t kPid = 1;
  static constexpr std::uint32_t kTid = 2;
  static constexpr std::uint32_t kName = 5;
};

// Latido's extension of a packet: what the reader needs and Perfetto has no place for.
struct LatidoField {
  static constexpr std::uint32_t kVersion = 1;  // first packet of a segment
  static constexpr std::uint32_t kProcess = 2;  // one entry of Tables::processes
  static constexpr std::uint32_t kTrack =
      3;                                     // Tables::tracks; the packet's sequence is the track's
  static constexpr std::uint32_t kSite = 4;  // Tables::sites
  static constexpr std::uint32_t kArg = 5;   // an argument, at the time of the packet
  static constexpr std::uint32_t kContinuedNs = 6;  // BEGIN repeated: when it truly began
  static constexpr std::uint32_t kPaused = 7;       // END that only closes the segment
  static constexpr std::uint32_t kTextId = 8;       // Tables::texts; the text is the annotation
};

struct LatidoProcessField {
  static constexpr std::uint32_t kIndex = 1;
  static constexpr std::uint32_t kPid = 2;
  static constexpr std::uint32_t kParentPid = 3;
  static constexpr std::uint32_t kStartNs = 4;
  static constexpr std::uint32_t kEndNs = 5;
  static constexpr std::uint32_t kCommand = 6;
  static constexpr std::uint32_t kRole = 7;  // 0 other, 1 worker
  static constexpr std::uint32_t kRank = 8;  // absent: none
};

struct LatidoTrackField {
  static constexpr std::uint32_t kIndex = 1;
  static constexpr std::uint32_t kProcess = 2;  // index + 1; 0: the machine
  static constexpr std::uint32_t kTid = 3;
  static constexpr std::uint32_t kName = 4;
};

struct LatidoSiteField {
  static constexpr std::uint32_t kIndex = 1;
  static constexpr std::uint32_t kName = 2;
  static constexpr std::uint32_t kCategory = 3;  // text form
  static constexpr std::uint32_t kFile = 4;
  static constexpr std::uint32_t kLine = 5;
};

struct LatidoArgField {
  static constexpr std::uint32_t kSite = 1;  // index + 1
  static constexpr std::uint32_t kNumber = 2;
  static constexpr std::uint32_t kIndex = 3;
};

}  // namespace latido::formats::perfetto
