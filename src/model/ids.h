// Index types of a recording. Each is the position in its table, never a pointer or a system id.
#pragma once

#include <cstddef>
#include <cstdint>

namespace latido::model {

enum class SiteId : std::uint32_t {};     // Tables::sites: what an event is about
enum class TrackId : std::uint32_t {};    // Tables::tracks: a thread
enum class ProcessId : std::uint32_t {};  // Tables::processes
enum class TextId : std::uint32_t {};     // Tables::texts
enum class SeriesId : std::uint32_t {};   // SeriesTable

// "The machine itself", where a series belongs to no process.
inline constexpr ProcessId kHost{0xFFFF'FFFFU};

template <typename Id>
constexpr std::size_t index_of(Id id) noexcept {
  return static_cast<std::size_t>(id);
}

}  // namespace latido::model
