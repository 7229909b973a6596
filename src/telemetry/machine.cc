#include "telemetry/machine.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdlib>
#include <optional>
#include <utility>

#include "base/utf8.h"
#include "telemetry/cgroup_limit.h"
#include "telemetry/core_list.h"
#include "telemetry/cpu_stat.h"
#include "telemetry/meminfo.h"
#include "telemetry/pid_status.h"
#include "telemetry/proc_root.h"
#include "telemetry/text_scan.h"

namespace latido::telemetry {
namespace {

constexpr std::array<std::pair<const char*, const char*>, 5> kSchedulers{
    {{"SLURM_JOB_ID", "slurm"},
     {"PBS_JOBID", "pbs"},
     {"LSB_JOBID", "lsf"},
     {"FLUX_JOB_ID", "flux"},
     {"COBALT_JOBID", "cobalt"}}};
constexpr std::array<std::pair<std::string_view, std::string_view>, 7> kContainerMarks{
    {{"kubepods", "kubernetes"},
     {"/libpod", "podman"},
     {"/docker/", "docker"},
     {"/docker-", "docker"},
     {"/lxc/", "lxc"},
     {"/lxc.payload", "lxc"},
     {"containerd", "containerd"}}};

constexpr std::size_t kMaxColumns = 200;  // of any text that ends up in a report
// /proc/cpuinfo repeats itself for each core and asks each one for its clock.
constexpr std::size_t kCpuinfoBytes = 4096;

std::string tidy(std::string_view text) {
  return utf8_truncate(to_valid_utf8(trimmed(text)), kMaxColumns);
}

std::string read_text(const ProcRoot& root, std::string_view path) {
  FileBuffer buffer;
  const Reading reading = root.read(path, buffer);
  return reading.ok() ? std::string(reading.text) : std::string();
}

std::string first_line(const ProcRoot& root, std::string_view path) {
  const std::string text = read_text(root, path);
  std::string_view rest = text;
  return tidy(next_field(rest, '\n'));
}

// PRETTY_NAME="Debian GNU/Linux 12 (bookworm)"
std::string read_os(const ProcRoot& root) {
  for (const char* const path : {"/etc/os-release", "/usr/lib/os-release"}) {
    const std::string text = read_text(root, path);
    std::string_view rest = text;
    std::string_view line;
    while (next_line(rest, line)) {
      if (next_field(line, '=') != "PRETTY_NAME") continue;
      line = trimmed(line);
      const bool is_quoted = line.size() >= 2 && (line.front() == '"' || line.front() == '\'') &&
                             line.back() == line.front();
      return tidy(is_quoted ? line.substr(1, line.size() - 2) : line);
    }
  }
  return {};
}

// "model name : …" on x86; Arm gives numbers only.
std::string read_cpu(const ProcRoot& root) {
  FileBuffer buffer;
  const Reading reading = root.read_head("/proc/cpuinfo", kCpuinfoBytes, buffer);
  if (!reading.ok()) return {};
  std::string_view implementer;
  std::string_view part;
  std::string_view rest = reading.text;
  std::string_view line;
  while (next_line(rest, line)) {
    const std::string_view key = trimmed(next_field(line, ':'));
    if (key == "model name") return tidy(line);
    if (key == "CPU implementer") implementer = trimmed(line);
    if (key == "CPU part") part = trimmed(line);
  }
  if (part.empty()) return {};
  return tidy("Arm " + std::string(implementer) + " part " + std::string(part));
}

std::uint32_t read_cores(const ProcRoot& root) {
  const std::string status = read_text(root, "/proc/self/status");
  const std::string online = read_text(root, "/sys/devices/system/cpu/online");
  const std::string_view allowed = find_allowed_cores(status);
  // The affinity mask can name cores that the machine could have and has not.
  auto cores =
      count_common_cores(allowed.empty() ? online : allowed, online.empty() ? allowed : online);
  if (!cores || *cores == 0) {
    std::vector<CoreTicks> listed;
    const auto stat = parse_cpu_stat(read_text(root, "/proc/stat"), listed);
    cores = static_cast<std::uint32_t>(listed.size());
  }
  FileBuffer buffer;
  CgroupLimit limit{root, CgroupLimit::Resource::kCpuCores};
  limit.refresh(buffer);
  if (!limit.value()) return *cores;
  const double quota = std::ceil(std::min(*limit.value(), static_cast<double>(kMaxCores)));
  return std::min(*cores, static_cast<std::uint32_t>(quota));
}

std::uint64_t read_memory_bytes(const ProcRoot& root) {
  const auto memory = parse_meminfo(read_text(root, "/proc/meminfo"));
  if (!memory.has_value()) return 0;
  FileBuffer buffer;
  CgroupLimit limit{root, CgroupLimit::Resource::kMemoryBytes};
  limit.refresh(buffer);
  const std::uint64_t total = memory.value().total_bytes;
  if (!limit.value() || *limit.value() >= static_cast<double>(total)) return total;
  return static_cast<std::uint64_t>(*limit.value());
}

// The outermost thing that a person would name: a pod before the engine that runs it.
std::string read_container(const ProcRoot& root, const GetVariable& variable) {
  if (!variable("KUBERNETES_SERVICE_HOST").empty()) return "kubernetes";
  if (!variable("APPTAINER_NAME").empty()) return "apptainer";
  if (!variable("SINGULARITY_NAME").empty()) return "singularity";
  const std::string cgroup = read_text(root, "/proc/1/cgroup");
  if (const auto engine = container_of_cgroup(cgroup); !engine.empty()) return std::string(engine);
  if (root.exists("/run/.containerenv")) return "podman";
  if (root.exists("/.dockerenv")) return "docker";
  return tidy(variable("container"));  // set by systemd-nspawn, LXC and others
}

std::string read_job(const GetVariable& variable) {
  for (const auto& [name, scheduler] : kSchedulers) {
    const std::string id = tidy(variable(name));
    if (!id.empty()) return std::string(scheduler) + " " + id;
  }
  const std::string grid_engine_id = tidy(variable("JOB_ID"));  // too plain a name to stand alone
  const bool is_grid_engine = !variable("SGE_ROOT").empty() && !grid_engine_id.empty();
  return is_grid_engine ? "sge " + grid_engine_id : "";
}

}  // namespace

model::Environment read_environment(const std::string& root) {
  return read_environment(root, [](const char* name) {
    const char* const value = std::getenv(name);
    return std::string(value != nullptr ? value : "");
  });
}

model::Environment read_environment(const std::string& root, const GetVariable& variable) {
  const ProcRoot files{root};
  model::Environment environment;
  environment.host = first_line(files, "/proc/sys/kernel/hostname");
  environment.os = read_os(files);
  environment.kernel = first_line(files, "/proc/sys/kernel/osrelease");
  environment.cpu = read_cpu(files);
  environment.cores = read_cores(files);
  environment.memory_bytes = read_memory_bytes(files);
  environment.container = read_container(files, variable);
  environment.job = read_job(variable);
  return environment;
}

std::string_view container_of_cgroup(std::string_view cgroup_text) noexcept {
  for (const auto& [mark, engine] : kContainerMarks) {
    if (cgroup_text.find(mark) != std::string_view::npos) return engine;
  }
  return {};
}

}  // namespace latido::telemetry
