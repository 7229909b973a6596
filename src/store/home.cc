#include "store/home.h"

#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>

#include "store/file_io.h"

namespace latido::store {
namespace {

Status check_writable(const std::filesystem::path& folder) {
  if (Status made = make_folders(folder / "runs"); !made.has_value()) return made;
  // access() knows of read-only file systems too; what a quota allows shows only when writing.
  if (::access((folder / "runs").c_str(), W_OK | X_OK) != 0) {
    return errno_error(errno, folder.string());
  }
  return ok();
}

Status check_private(const std::filesystem::path& folder) {
  struct stat status {};
  if (::lstat(folder.c_str(), &status) != 0) return errno_error(errno, folder.string());
  if (!S_ISDIR(status.st_mode) || status.st_uid != ::geteuid() || (status.st_mode & 0077U) != 0) {
    return Error{ErrorCode::kUnavailable, folder.string() + ": not a private folder of this user"};
  }
  return ok();
}

}  // namespace

HomeChoice choose_home(const HomeEnvironment& environment) {
  HomeChoice choice;
  const std::string& node_local =
      !environment.slurm_tmpdir.empty() ? environment.slurm_tmpdir : environment.tmpdir;
  const std::filesystem::path temporary = node_local.empty() ? "/tmp" : node_local;
  choice.fallback = temporary / ("latido-" + std::to_string(environment.user_id));
  if (!environment.latido_home.empty()) {
    choice.folder = environment.latido_home;
  } else if (!environment.home.empty()) {
    choice.folder = std::filesystem::path(environment.home) / ".latido";
  } else {
    choice.folder = choice.fallback;
  }
  return choice;
}

std::vector<std::filesystem::path> readable_homes(const HomeChoice& choice) {
  std::vector<std::filesystem::path> homes{choice.folder};
  const bool other = !choice.fallback.empty() && choice.fallback != choice.folder;
  if (other && check_private(choice.fallback).has_value()) homes.push_back(choice.fallback);
  return homes;
}

Result<Home> prepare_home(const HomeChoice& choice) {
  Status first = ok();
  if (choice.folder != choice.fallback) {
    first = check_writable(choice.folder);
    if (first.has_value()) return Home{choice.folder, ""};
  }
  Status second = make_folders(choice.fallback);
  if (second.has_value()) second = check_private(choice.fallback);
  if (second.has_value()) second = check_writable(choice.fallback);
  if (!second.has_value()) {
    return std::move(first.has_value() ? second : first).error();
  }
  if (first.has_value()) return Home{choice.fallback, ""};
  return Home{choice.fallback, "Runs are kept in " + choice.fallback.string() + ", since " +
                                   choice.folder.string() + " cannot be written to (" +
                                   first.error().message + ")."};
}

}  // namespace latido::store
