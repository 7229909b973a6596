// NativeName: how a function that was recorded by its address is named until it has been looked up:
// "kmeans+0x1a2b#9f86d081…", docs/formats/ring.md. Pure; the text comes from a recorded process.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace latido::symbols {

struct NativeName {
  std::uint64_t address = 0;  // in the module's file
  std::string_view identity;  // build id, or "file:…": which version of the file it was
  std::string_view shown;     // "kmeans+0x1a2b": the name where no other is found

  bool operator==(const NativeName&) const = default;
};

// Views into `name`. Nothing when it is named otherwise.
std::optional<NativeName> parse_native_name(std::string_view name);

// What an identity says of a file that has no build id: the "file:…" that the recorder would write.
struct FileIdentity {
  std::uint64_t inode = 0;
  std::uint64_t size_bytes = 0;
  std::uint64_t modified_s = 0;
  std::uint64_t modified_ns = 0;

  bool operator==(const FileIdentity&) const = default;
};
std::optional<FileIdentity> parse_file_identity(std::string_view identity);

}  // namespace latido::symbols
