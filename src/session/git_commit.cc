#include "session/git_commit.h"

#include <algorithm>
#include <fstream>
#include <string_view>
#include <system_error>

namespace latido::session {
namespace {

namespace fs = std::filesystem;

std::string first_line(const fs::path& path) {
  std::ifstream file(path);
  std::string line;
  std::getline(file, line);
  return line;
}

// The .git folder of the repository that `folder` lies in; empty when there is none.
fs::path find_git_folder(fs::path folder) {
  std::error_code error;
  while (!folder.empty()) {
    fs::path git = folder / ".git";
    if (fs::is_directory(git, error)) return git;
    if (fs::is_regular_file(git, error)) {  // a worktree or submodule points to its own
      const std::string line = first_line(git);
      if (!line.starts_with("gitdir: ")) return {};
      return folder / line.substr(8);
    }
    if (folder == folder.parent_path()) break;
    folder = folder.parent_path();
  }
  return {};
}

bool is_commit(std::string_view text) {
  return (text.size() == 40 || text.size() == 64) &&
         std::ranges::all_of(text, [](unsigned char c) { return std::isxdigit(c) != 0; });
}

std::string find_packed(const fs::path& git, const std::string& name) {
  std::ifstream file(git / "packed-refs");
  for (std::string line; std::getline(file, line);) {
    if (line.ends_with(" " + name)) return line.substr(0, line.find(' '));
  }
  return {};
}

}  // namespace

std::string read_git_commit(const fs::path& folder) {
  const fs::path git = find_git_folder(folder);
  if (git.empty()) return {};
  std::string head = first_line(git / "HEAD");
  if (head.starts_with("ref: ")) {
    const std::string name = head.substr(5);
    // Branches of a worktree live in the main repository, named by "commondir".
    fs::path common = git;
    if (const std::string line = first_line(git / "commondir"); !line.empty()) common = git / line;
    head = first_line(common / name);
    if (head.empty()) head = find_packed(common, name);
  }
  return is_commit(head) ? head : std::string();
}

}  // namespace latido::session
