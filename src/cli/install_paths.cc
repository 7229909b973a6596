#include "cli/install_paths.h"

#include <filesystem>
#include <string_view>
#include <system_error>

namespace latido::cli {
namespace {

namespace fs = std::filesystem;

bool is_package(const fs::path& folder) {
  std::error_code error;
  return fs::exists(folder / "_inject" / "sitecustomize.py", error);
}

// <prefix>/lib/python3.11/site-packages, and Debian's variants of it.
fs::path find_in_prefix(const fs::path& prefix) {
  std::error_code error;
  for (const char* lib : {"lib", "lib64", "local/lib"}) {
    for (const auto& entry : fs::directory_iterator(prefix / lib, error)) {
      if (!entry.path().filename().string().starts_with("python3")) continue;
      for (const char* packages : {"site-packages", "dist-packages"}) {
        fs::path folder = entry.path() / packages / "latido";
        if (is_package(folder)) return folder;
      }
    }
  }
  return {};
}

}  // namespace

std::string python_package_folder() {
  std::error_code error;
  const fs::path self = fs::read_symlink("/proc/self/exe", error);
  if (error) return {};
  const fs::path prefix = self.parent_path().parent_path();
  if (const fs::path in_build = prefix / "python" / "latido"; is_package(in_build)) return in_build;
  return find_in_prefix(prefix);
}

}  // namespace latido::cli
