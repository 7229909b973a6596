// The C interface of latido/latido.h.
#include <bit>

#include "capture/literal_sites.h"
#include "capture/thread_log.h"
#include "capture/zone_record.h"

namespace latido::capture {
namespace {

constinit LiteralSites g_series;
constinit LiteralSites g_marks;
constinit latido_site g_step_site{"latido.step", "step", nullptr, 0, 0};

[[gnu::noinline]] int begin_slowly(latido_site& site) noexcept {
  if (is_off()) return 0;
  LogSection section;
  return section && section.begin(site_ref(site)) ? 1 : 0;
}

void extended(ExtendedKind kind, const SiteRef& site, std::uint64_t detail,
              std::uint64_t payload) noexcept {
  if (is_off()) return;
  LogSection section;
  if (!section || (kind == ExtendedKind::kArg && !section.zone_is_open())) return;
  section.extended(kind, site, detail, payload);
}

// `kind` of a site that is known by the address of its name only.
void extended_by_literal(LiteralSites& sites, ExtendedKind kind, const char* name,
                         const char* category, std::uint64_t payload) noexcept {
  if (is_off()) return;
  LogSection section;
  if (!section) return;
  std::uint64_t* const tagged_id = sites.find(name);
  if (tagged_id == nullptr) {
    section.count_drop();
    return;
  }
  const std::uint64_t index =
      kind == ExtendedKind::kValue ? process().steps.load(std::memory_order_relaxed) : 0;
  section.extended(kind, {name, category, nullptr, 0, tagged_id}, index, payload);
}

}  // namespace

extern "C" {

LATIDO_API int latido_begin(latido_site* site) {
  const std::uint32_t epoch = process().epoch.load(std::memory_order_relaxed);
  const std::uint64_t tagged = __atomic_load_n(&site->id, __ATOMIC_ACQUIRE);
  return begin_zone(t_log, epoch, tagged) ? 1 : begin_slowly(*site);
}

LATIDO_API void latido_end(const latido_site* site) {
  const std::uint64_t ticks = read_ticks();
  const std::uint32_t epoch = process().epoch.load(std::memory_order_relaxed);
  end_zone(t_log, epoch, __atomic_load_n(&site->id, __ATOMIC_RELAXED), ticks);
}

LATIDO_API void latido_arg(latido_site* name, std::uint64_t number) {
  extended(ExtendedKind::kArg, site_ref(*name), 0, number);
}

LATIDO_API void latido_value(latido_site* series, std::uint32_t index, double value) {
  extended(ExtendedKind::kValue, site_ref(*series), index, std::bit_cast<std::uint64_t>(value));
}

LATIDO_API void latido_instant(latido_site* site, std::uint64_t number) {
  extended(ExtendedKind::kInstant, site_ref(*site), 0, number);
}

LATIDO_API void latido_text(latido_site* site, const char* text, std::uint32_t length_bytes) {
  if (is_off()) return;
  LogSection section;
  if (section) section.text(site_ref(*site), text, length_bytes);
}

LATIDO_API std::uint32_t latido_define_site(latido_site* site) {
  if (is_off()) return 0;
  LogSection section(LogSection::Purpose::kDefine);
  return section ? section.define(site_ref(*site)) : 0;
}

LATIDO_API void latido_step(void) {
  if (is_off()) return;
  LogSection section;
  if (!section) return;
  const std::uint32_t steps = process().steps.fetch_add(1, std::memory_order_relaxed) + 1;
  section.extended(ExtendedKind::kInstant, site_ref(g_step_site), 0, steps);
}

LATIDO_API void latido_log(const char* name, double value) {
  extended_by_literal(g_series, ExtendedKind::kValue, name, "series",
                      std::bit_cast<std::uint64_t>(value));
}

LATIDO_API void latido_mark(const char* name) {
  extended_by_literal(g_marks, ExtendedKind::kInstant, name, "mark", 0);
}

LATIDO_API std::uint32_t latido_control(void) {
  void* const ring = process().ring.load(std::memory_order_acquire);
  return ring == nullptr ? 0 : RingMemory(ring).header().control.load(std::memory_order_relaxed);
}

LATIDO_API std::uint64_t latido_dropped(void) {
  void* const ring = process().ring.load(std::memory_order_acquire);
  return ring == nullptr ? 0 : RingMemory(ring).header().dropped.load(std::memory_order_relaxed);
}

}  // extern "C"

}  // namespace latido::capture
