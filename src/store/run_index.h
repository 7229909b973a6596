// The runs of a home, and how a person names one.
//
// Called by commands. Reads each run's meta.json; there is no index file that could be wrong.
#pragma once

#include <cstdint>
#include <filesystem>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "model/run.h"

namespace latido::store {

enum class RunState : std::uint8_t {
  kRecording,  // a recorder is at work
  kFinished,
  kInterrupted,  // the recorder was killed; what it had written is there
  kBroken,       // meta.json is missing or damaged; `problem` says which
};

struct RunEntry {
  std::filesystem::path folder;
  RunState state = RunState::kFinished;
  std::string id;       // also of a broken one, from its folder
  model::Run run = {};  // empty when broken
  std::string problem = {};
};

// What meta.json holds. Written at the start of a run, replaced when it ends.
Status write_meta(const std::filesystem::path& folder, const model::Run& run);
// kNotFound, kDataLoss, or kUnsupported when written by a newer version.
Result<model::Run> read_meta(const std::filesystem::path& folder);

// Newest first. Empty when the home has none, or is not there.
Result<std::vector<RunEntry>> list_runs(const std::filesystem::path& home);

// Of several homes together. What cannot be read of one is no error while another has runs.
Result<std::vector<RunEntry>> list_runs(std::span<const std::filesystem::path> homes);

// The folder that `selector` means: a path to a run's folder, "last", "last~N" (N before the last), a
// ULID or a prefix of it, or a name. kNotFound and kInvalidInput name the candidates.
Result<std::filesystem::path> resolve(std::span<const std::filesystem::path> homes,
                                      std::string_view selector);
inline Result<std::filesystem::path> resolve(const std::filesystem::path& home,
                                             std::string_view selector) {
  return resolve(std::span(&home, 1), selector);
}

}  // namespace latido::store
