// Describes the place that a run is recorded in. Read once, at its start.
#pragma once

#include <functional>
#include <string>
#include <string_view>

#include "model/run.h"

namespace latido::telemetry {

// The value of an environment variable; "" when it is not set.
using GetVariable = std::function<std::string(const char* name)>;

// Fills host, os, kernel, cpu, cores (affinity and quota applied, a part of a core rounded up),
// memory_bytes (the control group's limit applied), container and job. What cannot be read stays empty.
// `root` as in ProcRoot.
model::Environment read_environment(const std::string& root = "/");
model::Environment read_environment(const std::string& root, const GetVariable& variable);

// "docker", "podman", "kubernetes", "lxc", "containerd" as the path of a container's control group
// tells; "" when it does not.
std::string_view container_of_cgroup(std::string_view cgroup_text) noexcept;

}  // namespace latido::telemetry
