#include "store/run_folder.h"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <charconv>
#include <cstdio>
#include <optional>

#include "store/ulid.h"

namespace latido::store {
namespace {

constexpr std::size_t kMaxSegmentFileBytes = 64U << 20U;
constexpr std::string_view kSuffix = ".pftrace";

std::optional<std::uint32_t> segment_number(std::string_view file_name) {
  if (!file_name.ends_with(kSuffix)) return std::nullopt;
  file_name.remove_suffix(kSuffix.size());
  std::uint32_t number = 0;
  const char* const end = file_name.data() + file_name.size();
  const auto [stop, errc] = std::from_chars(file_name.data(), end, number);
  if (errc != std::errc{} || stop != end || number == 0) return std::nullopt;
  return number;
}

}  // namespace

std::filesystem::path runs_folder(const std::filesystem::path& home) { return home / "runs"; }

Result<RunFolder> RunFolder::create(const std::filesystem::path& home, std::string_view id) {
  if (!is_ulid(id))
    return Error{ErrorCode::kInvalidInput, "'" + std::string(id) + "' is no run id"};
  if (Status made = make_folders(runs_folder(home)); !made.has_value()) {
    return std::move(made).error();
  }
  std::filesystem::path path = runs_folder(home) / id;
  if (::mkdir(path.c_str(), kFolderMode) != 0) {
    if (errno == EEXIST) {
      return Error{ErrorCode::kInvalidInput, "run " + std::string(id) + " exists already"};
    }
    return errno_error(errno, path.string());
  }
  if (::mkdir((path / "segments").c_str(), kFolderMode) != 0) {
    return errno_error(errno, (path / "segments").string());
  }
  const std::filesystem::path lock_path = path / "lock";
  UniqueFd lock(::open(lock_path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, kFileMode));
  if (!lock || ::flock(lock.get(), LOCK_EX | LOCK_NB) != 0) {
    return errno_error(errno, lock_path.string());
  }
  return RunFolder(std::move(path), std::move(lock));
}

Result<RunFolder> RunFolder::open(const std::filesystem::path& path) {
  std::error_code failed;
  const bool is_run = std::filesystem::exists(path / "run.db", failed) ||
                      std::filesystem::exists(path / "meta.json", failed);
  if (!is_run) {
    return Error{ErrorCode::kNotFound,
                 path.string() + ": no recorded run (no run.db, no meta.json)"};
  }
  return RunFolder(path, UniqueFd());
}

std::filesystem::path RunFolder::segment_path(std::uint32_t number) const {
  std::array<char, 32> name{};
  std::snprintf(name.data(), name.size(), "%04u.pftrace", number);
  return path_ / "segments" / name.data();
}

Result<std::vector<std::uint32_t>> RunFolder::segments() const {
  std::error_code failed;
  std::vector<std::uint32_t> numbers;
  std::filesystem::directory_iterator it(path_ / "segments", failed);
  for (; !failed && it != std::filesystem::directory_iterator(); it.increment(failed)) {
    if (const auto number = segment_number(it->path().filename().string())) {
      numbers.push_back(*number);
    }
  }
  if (failed) return errno_error(failed.value(), (path_ / "segments").string());
  std::ranges::sort(numbers);
  return numbers;
}

Result<std::vector<std::byte>> RunFolder::read_segment(std::uint32_t number) const {
  return read_file(segment_path(number), kMaxSegmentFileBytes);
}

Result<AppendFile> RunFolder::create_segment(std::uint32_t number) const {
  return AppendFile::create(segment_path(number));
}

bool RunFolder::being_recorded() const {
  if (lock_) return true;
  const UniqueFd fd(::open((path_ / "lock").c_str(), O_RDONLY | O_CLOEXEC));
  // A shared lock, given back at once: readers do not disturb each other.
  return fd && ::flock(fd.get(), LOCK_SH | LOCK_NB) != 0 && errno == EWOULDBLOCK;
}

}  // namespace latido::store
