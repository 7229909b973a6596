// What this machine allows Latido to record, each with what is missing when it does not.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "store/home.h"

namespace latido::session {

enum class CheckState : std::uint8_t {
  kOk,
  kLimited,  // works, with less: some series or hooks will be absent
  kMissing,  // programs cannot be recorded at all, or Python not
};

struct MachineCheck {
  std::string name;  // "shared memory"
  CheckState state = CheckState::kOk;
  std::string detail;  // what is there, or what is missing and what to do about it
};

// `home`: where runs go, and where else when they cannot. `python_folder`: our Python package, empty when it was not found.
std::vector<MachineCheck> check_machine(const store::HomeChoice& home,
                                        const std::string& python_folder);

}  // namespace latido::session
