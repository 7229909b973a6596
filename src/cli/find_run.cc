#include "cli/find_run.h"

#include "store/home.h"
#include "store/run_index.h"

namespace latido::cli {

std::vector<std::filesystem::path> homes_of(const session::Settings& settings) {
  return store::readable_homes({.folder = settings.home, .fallback = settings.home_fallback});
}

Result<std::filesystem::path> find_run(const session::Settings& settings,
                                       const std::string& selector) {
  return store::resolve(homes_of(settings), selector);
}

}  // namespace latido::cli
