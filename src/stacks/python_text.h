// Reads str and bytes objects of another process out of a Snapshot. For names and tables of lines.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "stacks/layout.h"
#include "stacks/snapshot.h"

namespace latido::stacks {

inline constexpr std::size_t kMaxTextLength = 1024;  // characters of a name; the rest is cut off

// Asks for what most such objects need; the rest is fetched when it is read.
void want_object(Snapshot& snapshot, std::uint64_t address);

// The str at `address` as UTF-8, cut after kMaxTextLength characters with "…". Empty: no str.
std::optional<std::string> read_text(Snapshot& snapshot, const Layout& layout,
                                     std::uint64_t address);

// The bytes object at `address`. Empty: none, or more than `max_bytes` long.
std::optional<std::vector<std::byte>> read_bytes_object(Snapshot& snapshot, const Layout& layout,
                                                        std::uint64_t address,
                                                        std::size_t max_bytes);

}  // namespace latido::stacks
