#include "session/machine_check.h"

#include <sys/mman.h>
#include <sys/statvfs.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <system_error>

#include "base/unique_fd.h"

namespace latido::session {
namespace {

namespace fs = std::filesystem;

MachineCheck check_shared_memory() {
  const UniqueFd memory(::memfd_create("latido-check", MFD_CLOEXEC | MFD_ALLOW_SEALING));
  if (memory) return {"shared memory", CheckState::kOk, "sealed memfd"};
  return {"shared memory", CheckState::kMissing,
          std::string("programs cannot record: memfd_create: ") + std::strerror(errno)};
}

MachineCheck check_process_handles() {
  const UniqueFd handle(static_cast<int>(::syscall(SYS_pidfd_open, ::getpid(), 0)));
  if (handle) return {"process handles", CheckState::kOk, "pidfd"};
  return {"process handles", CheckState::kLimited,
          "no pidfd (kernel before 5.3): the end of a process is noticed a little later"};
}

MachineCheck check_fork_detection() {
  const auto page = static_cast<std::size_t>(::sysconf(_SC_PAGESIZE));
  void* const memory =
      ::mmap(nullptr, page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  const bool works = memory != MAP_FAILED && ::madvise(memory, page, MADV_WIPEONFORK) == 0;
  if (memory != MAP_FAILED) ::munmap(memory, page);
  if (works) return {"fork detection", CheckState::kOk, "wipe-on-fork page"};
  return {"fork detection", CheckState::kLimited,
          "no MADV_WIPEONFORK: children made by a raw clone() are not told apart"};
}

MachineCheck check_clock() {
  std::ifstream file("/sys/devices/system/clocksource/clocksource0/current_clocksource");
  std::string source;
  file >> source;
  if (source == "tsc" || source == "arch_sys_counter") return {"clock", CheckState::kOk, source};
  return {"clock", CheckState::kLimited,
          "the kernel trusts '" + (source.empty() ? std::string("unknown") : source) +
              "' more than the processor's counter: zones may cost more, times may drift"};
}

MachineCheck check_pressure() {
  if (std::ifstream("/proc/pressure/cpu").good())
    return {"pressure (PSI)", CheckState::kOk, "cpu, memory, io"};
  return {"pressure (PSI)", CheckState::kLimited,
          "the kernel was built or booted without it (psi=1)"};
}

MachineCheck check_cgroup() {
  if (std::ifstream("/sys/fs/cgroup/cgroup.controllers").good())
    return {"cgroup", CheckState::kOk, "v2"};
  if (fs::exists("/sys/fs/cgroup/cpu") || fs::exists("/sys/fs/cgroup/cpuacct")) {
    return {"cgroup", CheckState::kOk, "v1"};
  }
  return {"cgroup", CheckState::kLimited,
          "no cgroup file system: limits and throttling are unknown"};
}

MachineCheck check_home(const store::HomeChoice& choice) {
  const auto home = store::prepare_home(choice);
  if (!home.has_value()) {
    return {"home", CheckState::kMissing,
            choice.folder.string() + " cannot be written, nor " + choice.fallback.string() +
                ": set LATIDO_HOME or run.home"};
  }
  const std::string folder = home.value().folder.string();
  if (!home.value().note.empty()) {
    return {"home", CheckState::kLimited,
            choice.folder.string() + " cannot be written: runs are kept in " + folder +
                "; set LATIDO_HOME or run.home"};
  }
  struct statvfs space {};
  if (::statvfs(folder.c_str(), &space) != 0) return {"home", CheckState::kOk, folder};
  const auto free_gib =
      static_cast<double>(space.f_bavail) * static_cast<double>(space.f_frsize) / (1U << 30U);
  const std::string detail =
      folder + ", " + std::to_string(static_cast<long>(free_gib)) + " GiB free";
  return {"home", free_gib < 1 ? CheckState::kLimited : CheckState::kOk, detail};
}

MachineCheck check_python(const std::string& folder) {
  if (folder.empty()) {
    return {"Python hooks", CheckState::kMissing,
            "the latido package was not found beside this program: only host telemetry for Python"};
  }
  std::string versions;
  std::error_code error;
  for (const auto& entry : fs::directory_iterator(folder, error)) {
    const std::string name = entry.path().filename();
    if (!name.starts_with("_core.") || !name.ends_with(".so")) continue;
    const std::string tag = name.substr(6, name.find('-', name.find('-') + 1) - 6);
    versions += (versions.empty() ? "" : ", ") + tag;
  }
  if (versions.empty()) {
    return {"Python hooks", CheckState::kMissing, "no compiled extension in " + folder};
  }
  return {"Python hooks", CheckState::kOk, versions};
}

}  // namespace

std::vector<MachineCheck> check_machine(const store::HomeChoice& home,
                                        const std::string& python_folder) {
  return {check_shared_memory(), check_process_handles(),    check_fork_detection(),
          check_clock(),         check_pressure(),           check_cgroup(),
          check_home(home),      check_python(python_folder)};
}

}  // namespace latido::session
