// RecordedTree: a folder that stands for "/" in the tests of this module; gone with the object.
// Used by *_test.cc only.
#pragma once

#include <stdlib.h>

#include <filesystem>
#include <fstream>
#include <string>
#include <string_view>

namespace latido::telemetry {

class RecordedTree {
 public:
  RecordedTree() {
    std::string pattern = (std::filesystem::temp_directory_path() / "latido-tree-XXXXXX").string();
    const char* const made = ::mkdtemp(pattern.data());
    if (made != nullptr) root_ = made;
  }
  RecordedTree(const RecordedTree&) = delete;
  RecordedTree& operator=(const RecordedTree&) = delete;
  ~RecordedTree() {
    std::error_code ignored;
    if (!root_.empty()) std::filesystem::remove_all(root_, ignored);
  }

  std::string root() const { return root_.string(); }

  // "/proc/stat" → <root>/proc/stat, with the folders above it. Replaces what was there.
  void write(std::string_view absolute, std::string_view text) const {
    const auto path = root_ / absolute.substr(1);
    std::filesystem::create_directories(path.parent_path());
    std::ofstream file(path, std::ios::binary | std::ios::trunc);
    file.write(text.data(), static_cast<std::streamsize>(text.size()));
  }
  void make_folder(std::string_view absolute) const {
    std::filesystem::create_directories(root_ / absolute.substr(1));
  }
  void remove(std::string_view absolute) const {
    std::filesystem::remove_all(root_ / absolute.substr(1));
  }

 private:
  std::filesystem::path root_;
};

}  // namespace latido::telemetry
