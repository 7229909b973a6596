#include "telemetry/cgroup_files.h"

#include <array>
#include <limits>
#include <utility>

#include "telemetry/text_scan.h"

namespace latido::telemetry {
namespace {

// Version 1 says "no limit" as the largest number of whole pages, which depends on the page size.
constexpr std::uint64_t kNoLimit = std::uint64_t{1} << 62;
// Ends the optional fields of a line of mountinfo.
constexpr std::string_view kDash = " - ";

constexpr std::uint64_t kNsPerUs = 1000;

// "cpu,cpuacct" has "cpu".
bool has_item(std::string_view list, std::string_view item) noexcept {
  while (!list.empty()) {
    if (next_field(list, ',') == item) return true;
  }
  return false;
}

// mountinfo writes blanks and such as octal: "/a\040b".
std::string unescape_octal(std::string_view text) {
  const auto digit_at = [text](std::size_t i) {
    return i < text.size() && text[i] >= '0' && text[i] <= '7' ? text[i] - '0' : -1;
  };
  std::string plain;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const int high = digit_at(i + 1);
    const int middle = digit_at(i + 2);
    const int low = digit_at(i + 3);
    if (text[i] == '\\' && high >= 0 && high <= 3 && middle >= 0 && low >= 0) {
      plain.push_back(static_cast<char>(high * 64 + middle * 8 + low));
      i += 3;
    } else {
      plain.push_back(text[i]);
    }
  }
  return plain;
}

bool is_inside(std::string_view path, std::string_view folder) noexcept {
  if (folder == "/") return true;
  return path.starts_with(folder) && (path.size() == folder.size() || path[folder.size()] == '/');
}

// Worked example: "31 23 0:28 /docker/ab /sys/fs/cgroup/cpu rw,relatime shared:9 - cgroup cgroup
// rw,cpu,cpuacct": fields 4 and 5 are root and mount point; behind " - " come type, source,
// options.
std::optional<CgroupMount> parse_mount(std::string_view line, std::string_view controller) {
  const std::size_t dash = line.find(kDash);
  if (dash == std::string_view::npos) return std::nullopt;
  std::string_view tail = line.substr(dash + kDash.size());
  const std::string_view type = next_word(tail);
  next_word(tail);  // source
  const bool wanted = controller.empty()
                          ? type == "cgroup2"
                          : type == "cgroup" && has_item(next_word(tail), controller);
  if (!wanted) return std::nullopt;
  std::string_view head = line.substr(0, dash);
  for (int i = 0; i < 3; ++i) next_word(head);
  const std::string_view root = next_word(head);
  const std::string_view point = next_word(head);
  if (!root.starts_with('/') || !point.starts_with('/')) return std::nullopt;
  return CgroupMount{unescape_octal(root), unescape_octal(point)};
}

Result<std::optional<double>> cores_of(std::int64_t quota_us, std::string_view period) {
  const auto period_us = parse_unsigned(trimmed(period));
  if (!period_us || *period_us == 0) return bad_field("cgroup", "cpu period", period);
  if (quota_us <= 0) return std::optional<double>{};
  return std::optional<double>{static_cast<double>(quota_us) / static_cast<double>(*period_us)};
}

}  // namespace

std::optional<std::string_view> find_cgroup_path(std::string_view text,
                                                 std::string_view controller) noexcept {
  std::string_view line;
  while (next_line(text, line)) {
    const std::string_view hierarchy = next_field(line, ':');
    const std::string_view controllers = next_field(line, ':');
    const bool wanted = controller.empty() ? hierarchy == "0" && controllers.empty()
                                           : has_item(controllers, controller);
    if (wanted && line.starts_with('/')) return line;
  }
  return std::nullopt;
}

std::optional<CgroupMount> find_cgroup_mount(std::string_view mountinfo,
                                             std::string_view controller, std::string_view path) {
  std::optional<CgroupMount> first;
  std::string_view line;
  while (next_line(mountinfo, line)) {
    auto mount = parse_mount(line, controller);
    if (!mount) continue;
    if (is_inside(path, mount->root)) return mount;
    if (!first) first = std::move(mount);
  }
  return first;
}

std::string_view path_below_mount(std::string_view path, std::string_view mount_root) noexcept {
  // "/../x": the group lies outside of this cgroup namespace, so its files cannot be reached.
  if (!is_inside(path, mount_root) || path.find("/..") != std::string_view::npos) return {};
  if (mount_root != "/") path.remove_prefix(mount_root.size());
  return path == "/" ? std::string_view{} : path;
}

Result<std::optional<double>> parse_cpu_max(std::string_view text) {
  text = trimmed(text);
  const std::string_view quota = next_word(text);
  if (quota == "max") return std::optional<double>{};
  const auto quota_us = parse_signed(quota);
  if (!quota_us || *quota_us <= 0) return bad_field("cgroup", "cpu.max", quota);
  return cores_of(*quota_us, text);
}

Result<std::optional<double>> parse_cpu_quota(std::string_view quota, std::string_view period) {
  const auto quota_us = parse_signed(trimmed(quota));
  if (!quota_us) return bad_field("cgroup", "cpu.cfs_quota_us", trimmed(quota));
  return cores_of(*quota_us, period);
}

Result<CgroupCpu> parse_cgroup_cpu_stat(std::string_view text) {
  CgroupCpu cpu;
  struct Field {
    std::string_view name;
    std::optional<std::uint64_t>* out;
    std::uint64_t unit;
  };
  const std::array<Field, 5> fields{{{"usage_usec", &cpu.used_ns, kNsPerUs},
                                     {"nr_periods", &cpu.periods, 1},
                                     {"nr_throttled", &cpu.throttled_periods, 1},
                                     {"throttled_usec", &cpu.throttled_ns, kNsPerUs},  // version 2
                                     {"throttled_time", &cpu.throttled_ns, 1}}};       // version 1
  std::string_view line;
  while (next_line(text, line)) {
    const std::string_view name = next_word(line);
    for (const Field& field : fields) {
      if (name != field.name) continue;
      const std::string_view word = next_word(line);
      const auto value = parse_unsigned(word);
      if (!value || *value > std::numeric_limits<std::uint64_t>::max() / field.unit) {
        return bad_field("cgroup", name, word);
      }
      *field.out = *value * field.unit;
    }
  }
  return cpu;
}

Result<std::optional<std::uint64_t>> parse_memory_limit(std::string_view text) {
  text = trimmed(text);
  if (text == "max") return std::optional<std::uint64_t>{};
  const auto bytes = parse_unsigned(text);
  if (!bytes) return bad_field("cgroup", "memory limit", text);
  if (*bytes >= kNoLimit) return std::optional<std::uint64_t>{};
  return bytes;
}

std::uint64_t find_inactive_file_bytes(std::string_view memory_stat) noexcept {
  std::uint64_t bytes = 0;
  std::string_view line;
  while (next_line(memory_stat, line)) {
    const std::string_view name = next_word(line);
    // Version 1 has both: the group alone, and with the groups in it, which comes later.
    if (name == "inactive_file" || name == "total_inactive_file") {
      bytes = parse_unsigned(next_word(line)).value_or(0);
    }
  }
  return bytes;
}

}  // namespace latido::telemetry
