// Home: the folder that holds all runs. LATIDO_HOME, else ~/.latido, else a folder for temporary files.
//
// Called once at start-up: choose_home(), which is pure, by cli; prepare_home() by session.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "base/result.h"

namespace latido::store {

struct HomeEnvironment {
  std::string latido_home;   // LATIDO_HOME
  std::string home;          // HOME
  std::string slurm_tmpdir;  // SLURM_TMPDIR
  std::string tmpdir;        // TMPDIR
  unsigned user_id = 0;
};

struct HomeChoice {
  std::filesystem::path folder;
  std::filesystem::path fallback;  // node-local, for when nothing can be written to `folder`
};

HomeChoice choose_home(const HomeEnvironment& environment);

struct Home {
  std::filesystem::path folder;
  std::string note;  // why it is the fallback, one sentence; empty when it is not
};

// Where runs may lie: the folder, and the fallback where it is there and this user's alone.
std::vector<std::filesystem::path> readable_homes(const HomeChoice& choice);

// Makes the folder and checks that it can be written to; else the fallback. An error when neither can.
// A fallback that belongs to someone else or is open to others is refused: temporary folders are shared.
Result<Home> prepare_home(const HomeChoice& choice);

}  // namespace latido::store
