// Parses /proc/<pid>/maps: which files are mapped where. Pure: no file access here.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace latido::stacks {

// A file as mapped from its beginning.
struct MappedFile {
  std::uint64_t begin = 0;  // where the file's first byte is mapped
  std::string path;         // in the process's own view of the files

  bool operator==(const MappedFile&) const = default;
};

// Files with a mapping at offset 0, each path once, in the order of the text. A path that was
// deleted since keeps its name without the kernel's " (deleted)". Lines that make no sense are left
// out.
std::vector<MappedFile> parse_memory_map(std::string_view text);

// True for the interpreter's library (libpython3.11.so.1.0) and program (python3.11, python).
bool is_named_like_python(std::string_view path) noexcept;

// The minor version in such a name, for instance 8 of ".../libpython3.8.so.1.0"; -1: none.
int minor_in_name(std::string_view path) noexcept;

}  // namespace latido::stacks
