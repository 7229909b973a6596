#include "store/run_index.h"

#include <algorithm>
#include <cctype>
#include <charconv>
#include <iterator>
#include <optional>
#include <utility>

#include "base/json_reader.h"
#include "store/file_io.h"
#include "store/run_folder.h"
#include "store/run_json.h"
#include "store/ulid.h"

namespace latido::store {
namespace {

constexpr std::int64_t kMetaSchema = 1;
constexpr std::size_t kMaxMetaBytes = 4U << 20U;
constexpr std::size_t kMinPrefix = 3;
constexpr std::size_t kMaxCandidates = 5;

RunEntry entry_of(const std::filesystem::path& folder) {
  RunEntry entry{.folder = folder, .id = folder.filename().string()};
  auto run = read_meta(folder);
  if (!run.has_value()) {
    entry.state = RunState::kBroken;
    entry.problem = run.error().message;
    return entry;
  }
  entry.run = std::move(run).value();
  const auto opened = RunFolder::open(folder);
  if (opened.has_value() && opened.value().being_recorded()) {
    entry.state = RunState::kRecording;
  } else if (entry.run.end.kind == model::EndKind::kRunning) {
    entry.state = RunState::kInterrupted;
  }
  return entry;
}

std::string candidates(const std::vector<const RunEntry*>& entries) {
  if (entries.empty()) return "there are no runs yet";
  std::string text;
  for (std::size_t i = 0; i < std::min(entries.size(), kMaxCandidates); ++i) {
    if (i > 0) text += ", ";
    text += entries[i]->id;
    if (!entries[i]->run.name.empty()) text += " (" + entries[i]->run.name + ")";
  }
  if (entries.size() > kMaxCandidates) {
    text += " and " + std::to_string(entries.size() - kMaxCandidates) + " more";
  }
  return text;
}

Error no_such_run(std::string_view selector, const std::vector<RunEntry>& entries) {
  std::vector<const RunEntry*> all;
  all.reserve(entries.size());
  for (const RunEntry& entry : entries) all.push_back(&entry);
  return {ErrorCode::kNotFound,
          "no run '" + std::string(selector) + "'; the newest: " + candidates(all)};
}

// N of "last" (0) or "last~N".
std::optional<std::size_t> parse_last(std::string_view selector) {
  if (selector == "last") return 0;
  constexpr std::string_view kStart = "last~";
  if (!selector.starts_with(kStart)) return std::nullopt;
  selector.remove_prefix(kStart.size());
  std::size_t back = 0;
  const char* const end = selector.data() + selector.size();
  const auto [stop, errc] = std::from_chars(selector.data(), end, back);
  if (errc != std::errc{} || stop != end) return std::nullopt;
  return back;
}

std::string to_upper(std::string_view text) {
  std::string upper(text);
  for (char& c : upper) c = static_cast<char>(std::toupper(static_cast<unsigned char>(c)));
  return upper;
}

}  // namespace

Status write_meta(const std::filesystem::path& folder, const model::Run& run) {
  return replace_file(folder / "meta.json", "{\"schema\":" + std::to_string(kMetaSchema) +
                                                ",\"run\":" + run_to_json(run) + "}\n");
}

Result<model::Run> read_meta(const std::filesystem::path& folder) {
  const auto bytes = read_file(folder / "meta.json", kMaxMetaBytes);
  if (!bytes.has_value()) return bytes.error();
  const auto* const text = reinterpret_cast<const char*>(bytes.value().data());
  const auto parsed = parse_json({text, bytes.value().size()});
  if (!parsed.has_value()) {
    return Error{ErrorCode::kDataLoss, "meta.json: " + parsed.error().message};
  }
  if (parsed.value()["schema"].integer_or(0) > kMetaSchema) {
    return Error{ErrorCode::kUnsupported, "recorded by a newer version of latido"};
  }
  return run_from_json(parsed.value()["run"]);
}

Result<std::vector<RunEntry>> list_runs(const std::filesystem::path& home) {
  std::vector<RunEntry> entries;
  std::error_code failed;
  std::filesystem::directory_iterator it(runs_folder(home), failed);
  if (failed == std::errc::no_such_file_or_directory) return entries;
  for (; !failed && it != std::filesystem::directory_iterator(); it.increment(failed)) {
    if (is_ulid(it->path().filename().string())) entries.push_back(entry_of(it->path()));
  }
  if (failed) return errno_error(failed.value(), runs_folder(home).string());
  std::ranges::sort(entries, std::ranges::greater(), &RunEntry::id);
  return entries;
}

Result<std::vector<RunEntry>> list_runs(std::span<const std::filesystem::path> homes) {
  std::vector<RunEntry> entries;
  std::optional<Error> unreadable;
  for (const std::filesystem::path& home : homes) {
    auto listed = list_runs(home);
    if (!listed.has_value()) {
      if (!unreadable) unreadable = std::move(listed).error();
      continue;
    }
    std::ranges::move(listed.value(), std::back_inserter(entries));
  }
  if (entries.empty() && unreadable) return *std::move(unreadable);
  std::ranges::sort(entries, std::ranges::greater(), &RunEntry::id);
  return entries;
}

Result<std::filesystem::path> resolve(std::span<const std::filesystem::path> homes,
                                      std::string_view selector) {
  if (selector.find('/') != std::string_view::npos || selector == ".") {
    const auto opened = RunFolder::open(selector);
    if (!opened.has_value()) return opened.error();
    return opened.value().path();
  }
  auto listed = list_runs(homes);
  if (!listed.has_value()) return std::move(listed).error();
  const std::vector<RunEntry>& entries = listed.value();
  if (const auto back = parse_last(selector)) {
    if (*back >= entries.size()) return no_such_run(selector, entries);
    return entries[*back].folder;
  }
  const std::string prefix = to_upper(selector);
  std::vector<const RunEntry*> found;
  for (const RunEntry& entry : entries) {
    const bool by_id = prefix.size() >= kMinPrefix && entry.id.starts_with(prefix);
    if (by_id || entry.run.name == selector) found.push_back(&entry);
  }
  if (found.empty()) {
    // The name of a folder right here, as a shell's completion gives it.
    const auto opened = RunFolder::open(selector);
    if (!selector.empty() && opened.has_value()) return opened.value().path();
    return no_such_run(selector, entries);
  }
  if (found.size() == 1) return found[0]->folder;
  return Error{ErrorCode::kInvalidInput,
               "'" + std::string(selector) + "' means more than one run: " + candidates(found)};
}

}  // namespace latido::store
