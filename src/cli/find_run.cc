#include "cli/find_run.h"

#include "store/home.h"
#include "store/run_index.h"

namespace latido::cli {

Result<std::filesystem::path> find_run(const session::Settings& settings,
                                       const std::string& selector) {
  auto found = store::resolve(settings.home, selector);
  if (found || settings.home_fallback.empty()) return found;
  // A run that could not be recorded at home went to the fallback.
  auto there = store::resolve(settings.home_fallback, selector);
  return there ? std::move(there) : std::move(found);
}

}  // namespace latido::cli
