// The one list of metrics that Latido can emit. Sources, store, reports and docs/metrics.md are
// checked against it, so that no series exists without a unit and a meaning.
//
// Pure data; sampling is telemetry's business, and train.* comes from the recorder in the process.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <string_view>

namespace latido::model {

enum class Unit : std::uint8_t { kOne, kBytes, kCores, kNanoseconds };
enum class Kind : std::uint8_t {
  kGauge,
  kCounter,  // only ever grows, or starts again at 0 with a new process or device
};

struct Metric {
  std::string_view name;  // dotted, base unit last; no suffix where the unit is 1
  Unit unit = Unit::kOne;
  Kind kind = Kind::kGauge;
  std::string_view help;  // what it counts, and where it can mislead

  bool operator==(const Metric&) const = default;
};

inline constexpr std::array kMetricCatalogue{
    Metric{"cgroup.cpu.limit_cores", Unit::kCores, Kind::kGauge,
           "CPU quota of the tightest control group above the run, in cores. Absent: no quota."},
    Metric{"cgroup.cpu.periods", Unit::kOne, Kind::kCounter,
           "Periods of the quota, usually 0.1 s, in which the group had work."},
    Metric{"cgroup.cpu.throttled_ns", Unit::kNanoseconds, Kind::kCounter,
           "Time in which the group that sets the quota had used it up and was held back, summed "
           "over the cores: it can exceed the wall time."},
    Metric{"cgroup.cpu.throttled_periods", Unit::kOne, Kind::kCounter,
           "Periods in which the group was held back; its share of cgroup.cpu.periods is the part "
           "of the time in which the quota was felt."},
    Metric{
        "cgroup.cpu.used_ns", Unit::kNanoseconds, Kind::kCounter,
        "CPU time of the group that sets the quota; where there is none, of the run's own group."},
    Metric{"cgroup.memory.limit_bytes", Unit::kBytes, Kind::kGauge,
           "Memory limit of the tightest control group above the run. Absent: no limit."},
    Metric{"cgroup.memory.used_bytes", Unit::kBytes, Kind::kGauge,
           "Memory of the group that sets the limit, else of the run's own, without the idle page "
           "cache that the kernel "
           "would drop first."},
    Metric{"host.core.busy_ns", Unit::kNanoseconds, Kind::kCounter,
           "Time in which one core ran user or kernel code, interrupts included; label: the core's "
           "number. Time stolen by the hypervisor is not in it."},
    Metric{"host.cpu.idle_ns", Unit::kNanoseconds, Kind::kCounter,
           "Time with nothing to run, summed over the cores."},
    Metric{"host.cpu.iowait_ns", Unit::kNanoseconds, Kind::kCounter,
           "Idle time while a task of that core waited for a disk, summed over the cores. A hint "
           "only: a core that finds other work hides the wait."},
    Metric{"host.cpu.steal_ns", Unit::kNanoseconds, Kind::kCounter,
           "Time in which the hypervisor ran something else, summed over the cores."},
    Metric{"host.cpu.system_ns", Unit::kNanoseconds, Kind::kCounter,
           "Time in the kernel, interrupts included, summed over the cores."},
    Metric{"host.cpu.user_ns", Unit::kNanoseconds, Kind::kCounter,
           "Time in user code, niced tasks and guests included, summed over the cores."},
    Metric{"host.disk.busy_ns", Unit::kNanoseconds, Kind::kCounter,
           "Time with at least one request in flight; label: the disk. A disk that serves many "
           "requests at once can be busy all the time and still have room."},
    Metric{"host.disk.read_bytes", Unit::kBytes, Kind::kCounter,
           "Bytes read from a whole disk; label: the disk. Partitions and stacked volumes are in "
           "their disk."},
    Metric{"host.disk.write_bytes", Unit::kBytes, Kind::kCounter,
           "Bytes written to a whole disk; label: the disk."},
    Metric{"host.memory.available_bytes", Unit::kBytes, Kind::kGauge,
           "The kernel's estimate of what programs can still take without swapping."},
    Metric{"host.memory.total_bytes", Unit::kBytes, Kind::kGauge, "Memory of the machine."},
    Metric{"host.net.received_bytes", Unit::kBytes, Kind::kCounter,
           "Bytes received; label: the interface. Virtual interfaces are left out where there are "
           "hardware ones; RDMA does not show here."},
    Metric{"host.net.sent_bytes", Unit::kBytes, Kind::kCounter,
           "Bytes sent; label: the interface."},
    Metric{"host.psi.cpu.some_ns", Unit::kNanoseconds, Kind::kCounter,
           "Time in which at least one task was ready and had no core."},
    Metric{"host.psi.io.full_ns", Unit::kNanoseconds, Kind::kCounter,
           "Time in which every task that had work waited for a disk."},
    Metric{"host.psi.io.some_ns", Unit::kNanoseconds, Kind::kCounter,
           "Time in which at least one task waited for a disk."},
    Metric{"host.psi.memory.full_ns", Unit::kNanoseconds, Kind::kCounter,
           "Time in which every task that had work waited for memory: the machine thrashes."},
    Metric{"host.psi.memory.some_ns", Unit::kNanoseconds, Kind::kCounter,
           "Time in which at least one task waited for memory to be reclaimed or swapped in."},
    Metric{"host.swap.in_bytes", Unit::kBytes, Kind::kCounter, "Bytes read back from swap."},
    Metric{"host.swap.out_bytes", Unit::kBytes, Kind::kCounter, "Bytes written to swap."},
    Metric{"host.swap.used_bytes", Unit::kBytes, Kind::kGauge, "Swap in use."},
    Metric{
        "proc.cpu.run_delay_ns", Unit::kNanoseconds, Kind::kCounter,
        "Time in which the main thread was ready to run and had no core. Of the main thread alone: "
        "the kernel keeps no sum over threads. Absent: a kernel without scheduler accounting."},
    Metric{"proc.cpu.system_ns", Unit::kNanoseconds, Kind::kCounter,
           "Time of all threads of the process in the kernel, in steps of a clock tick."},
    Metric{"proc.cpu.user_ns", Unit::kNanoseconds, Kind::kCounter,
           "Time of all threads of the process in user code, in steps of a clock tick."},
    Metric{"proc.ctx.involuntary", Unit::kOne, Kind::kCounter,
           "Times the main thread lost its core while it still had work. The kernel keeps no sum "
           "over threads."},
    Metric{"proc.ctx.voluntary", Unit::kOne, Kind::kCounter,
           "Times the main thread gave up its core to wait. The kernel keeps no sum over threads."},
    Metric{"proc.faults.major", Unit::kOne, Kind::kCounter,
           "Page faults that had to wait for a disk, all threads."},
    Metric{
        "proc.faults.minor", Unit::kOne, Kind::kCounter,
        "Page faults served from memory, all threads. Many: memory is returned and taken again."},
    Metric{"proc.io.read_bytes", Unit::kBytes, Kind::kCounter,
           "Bytes that the process made a disk read. Network file systems do not always count."},
    Metric{"proc.io.read_chars_bytes", Unit::kBytes, Kind::kCounter,
           "Bytes that read() and its kin returned to the process: page cache, pipes and sockets "
           "included, memory-mapped files not."},
    Metric{"proc.io.write_bytes", Unit::kBytes, Kind::kCounter,
           "Bytes that the process will have made a disk write."},
    Metric{"proc.memory.peak_rss_bytes", Unit::kBytes, Kind::kGauge,
           "The most memory that the process has had resident so far, as the kernel noted it."},
    Metric{"proc.memory.rss_bytes", Unit::kBytes, Kind::kGauge,
           "Memory of the process that is resident. Pages shared with other processes count in "
           "each."},
    Metric{"proc.memory.step_rss_bytes", Unit::kBytes, Kind::kGauge,
           "As proc.memory.rss_bytes, of recording processes, at each look at what they recorded: "
           "about 10 times a second."},
    Metric{"proc.memory.swap_bytes", Unit::kBytes, Kind::kGauge,
           "Memory of the process that lies in swap."},
    Metric{"proc.threads", Unit::kOne, Kind::kGauge, "Threads of the process."},
    Metric{"train.grad_norm", Unit::kOne, Kind::kGauge, "Norm of the gradients before clipping."},
    Metric{"train.loss_backward", Unit::kOne, Kind::kGauge,
           "Value that backward() was called on, before the gradient scaler's factor."},
    Metric{"train.lr", Unit::kOne, Kind::kGauge,
           "Learning rate of the optimizer's first parameter group."},
};

static_assert(std::ranges::is_sorted(kMetricCatalogue, {}, &Metric::name),
              "find_metric() needs sorted names");
static_assert(std::ranges::adjacent_find(kMetricCatalogue, {}, &Metric::name) ==
                  kMetricCatalogue.end(),
              "a name means one thing");

// nullptr when the name is not in the catalogue: a user's own series, whose unit is 1.
constexpr const Metric* find_metric(std::string_view name) noexcept {
  const auto* const it = std::ranges::lower_bound(kMetricCatalogue, name, {}, &Metric::name);
  return it != kMetricCatalogue.end() && it->name == name ? &*it : nullptr;
}

// The suffix of names of that unit: "_bytes", "_cores", "_ns"; "" for 1.
std::string_view suffix_of(Unit unit) noexcept;
std::string_view to_text(Unit unit) noexcept;  // "1", "bytes", "cores", "ns"
std::string_view to_text(Kind kind) noexcept;  // "gauge", "counter"

}  // namespace latido::model
