// The commit that the program's folder stands at, read from .git without running git.
#pragma once

#include <filesystem>
#include <string>

namespace latido::session {

// 40 (or 64) hex digits; "" when `folder` lies in no repository or its HEAD has no commit. Whether files
// were changed since is not looked at: that would read the whole tree.
std::string read_git_commit(const std::filesystem::path& folder);

}  // namespace latido::session
