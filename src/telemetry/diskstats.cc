#include "telemetry/diskstats.h"

#include <algorithm>
#include <array>
#include <limits>

#include "telemetry/text_scan.h"

namespace latido::telemetry {
namespace {

constexpr std::array<std::string_view, 5> kVirtualPrefixes{"loop", "ram", "zram", "dm-", "md"};
constexpr std::array<std::string_view, 4> kLetteredDisks{"sd", "hd", "vd", "xvd"};

constexpr std::string_view kFile = "/proc/diskstats";
constexpr std::uint64_t kSectorBytes = 512;  // of this file, whatever the disk's own sectors are
constexpr std::uint64_t kNsPerMs = 1'000'000;

bool is_digit(char c) noexcept { return c >= '0' && c <= '9'; }

// `name` without `prefix` and with nothing but digits behind it.
bool is_numbered(std::string_view name, std::string_view prefix) noexcept {
  return name.size() > prefix.size() && name.starts_with(prefix) &&
         std::ranges::all_of(name.substr(prefix.size()), is_digit);
}

// Worked example: "  8  0 sda 10 0 80 4 20 0 160 9 0 12 13": after the name come reads, merged,
// sectors read (80), ms reading, writes, merged, sectors written (160), ms, in flight, ms busy
// (12).
Result<DiskCounters> parse_disk(std::string_view line) {
  next_word(line);  // major
  next_word(line);  // minor
  DiskCounters disk;
  disk.name = next_word(line);
  if (disk.name.empty()) return missing_field(kFile, "name");
  struct Field {
    std::string_view name;
    std::uint64_t* out;  // nullptr: not wanted
    std::uint64_t unit;
  };
  const std::array<Field, 10> fields{{{"reads", nullptr, 1},
                                      {"reads merged", nullptr, 1},
                                      {"sectors read", &disk.read_bytes, kSectorBytes},
                                      {"ms reading", nullptr, 1},
                                      {"writes", nullptr, 1},
                                      {"writes merged", nullptr, 1},
                                      {"sectors written", &disk.write_bytes, kSectorBytes},
                                      {"ms writing", nullptr, 1},
                                      {"in flight", nullptr, 1},
                                      {"ms busy", &disk.busy_ns, kNsPerMs}}};
  for (const Field& field : fields) {
    const std::string_view word = next_word(line);
    if (field.out == nullptr) continue;
    const auto value = parse_unsigned(word);
    if (!value || *value > std::numeric_limits<std::uint64_t>::max() / field.unit) {
      return bad_field(kFile, field.name, word);
    }
    *field.out = *value * field.unit;
  }
  return disk;
}

}  // namespace

Status parse_diskstats(std::string_view text, std::vector<DiskCounters>& disks) {
  disks.clear();
  std::string_view line;
  while (next_line(text, line)) {
    if (trimmed(line).empty()) continue;
    auto disk = parse_disk(line);
    if (!disk) return std::move(disk).error();
    disks.push_back(disk.value());
  }
  return ok();
}

bool is_virtual_disk(std::string_view name) noexcept {
  return std::ranges::any_of(kVirtualPrefixes,
                             [name](std::string_view prefix) { return is_numbered(name, prefix); });
}

bool looks_like_partition(std::string_view name) noexcept {
  const std::size_t last = name.find_last_not_of("0123456789");
  if (last == std::string_view::npos || last + 1 == name.size()) return false;
  // sda1, vdb2, xvda1: letters, then the number.
  if (std::ranges::any_of(kLetteredDisks,
                          [&](std::string_view p) { return name.starts_with(p); })) {
    return true;
  }
  // nvme0n1p2, mmcblk0p1, nbd0p1: a "p" between two numbers.
  return name[last] == 'p' && last > 0 && is_digit(name[last - 1]);
}

}  // namespace latido::telemetry
