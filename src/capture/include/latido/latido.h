/* latido/latido.h: mark your own zones, steps and values from C or C++.
 *
 *   void load() { LATIDO_ZONE("load"); ... }        until the end of the scope (C++)
 *   latido_log("queue_length", n);                  one point of a series
 *   latido_step();                                  a step of your program ends here
 *
 * Link with liblatido_capture (CMake: latido::capture). Outside `latido run` each call tests one
 * word and returns. Every call may be made from any thread, never blocks, never
 * allocates after a thread's first use, leaves errno alone and never fails: what finds no room is
 * dropped and counted in the report. Names must be string literals or outlive the program.
 * Not async-signal-safe.
 */
#ifndef LATIDO_LATIDO_H
#define LATIDO_LATIDO_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define LATIDO_API __attribute__((visibility("default")))

/* What a zone or value is about. Make one static object per call site, with `id` 0. */
typedef struct latido_site {
  const char* name;
  const char* category; /* "zone", "series", ... (docs/formats/ring.md); NULL: "zone" */
  const char* file;     /* may be NULL */
  uint32_t line;
  uint64_t id; /* filled at first use, and again in a forked child; private */
} latido_site;

/* Points at the word of the calling process: 0 not decided yet (also in a fresh fork child),
 * 1 recording, 2 off. Read it with LATIDO_IS_OFF(). */
LATIDO_API extern const volatile uint32_t* latido_state;
enum { LATIDO_UNDECIDED = 0, LATIDO_RECORDING = 1, LATIDO_OFF = 2 };

/* True when nothing is recorded: the only test that a caller needs before any other call. */
#define LATIDO_IS_OFF()                                                                   \
  (__atomic_load_n(__atomic_load_n(&latido_state, __ATOMIC_RELAXED), __ATOMIC_RELAXED) == \
   LATIDO_OFF)

/* Opens a zone. Returns 1 when it was recorded: exactly then latido_end must be called, on the same
 * thread, innermost zone first. Returns 0 when recording is off or the zone was dropped. */
LATIDO_API int latido_begin(latido_site* site);
LATIDO_API void latido_end(const latido_site* site);

/* A number that belongs to the innermost open zone; `name` has category "arg". Call it only when
 * latido_begin returned 1; without an open zone it does nothing. */
LATIDO_API void latido_arg(latido_site* name, uint64_t number);
/* One point of a series (category "series"); `index` is a step or micro-batch number of your
 * choice. */
LATIDO_API void latido_value(latido_site* series, uint32_t index, double value);
/* Something without duration. */
LATIDO_API void latido_instant(latido_site* site, uint64_t number);
/* A text about `site`, at most 4096 bytes; longer ones are cut. */
LATIDO_API void latido_text(latido_site* site, const char* text, uint32_t length_bytes);

/* Gives a site its id before its first use. Needed by nobody: each call above does it. The strings
 * are copied into the recording, but must live as long as the site is used, since a forked child
 * copies them again. Returns the id; 0 when recording is off, nothing was free, or the 2^18 ids are
 * used up. */
LATIDO_API uint32_t latido_define_site(latido_site* site);

/* A step ends here: overrides what Latido would find by itself. */
LATIDO_API void latido_step(void);
/* One point of the series `name`, which must be a literal; its index is the number of latido_step()
 * calls so far. At most 512 names in a program. */
LATIDO_API void latido_log(const char* name, double value);
/* A moment worth a line on the timeline. `name` must be a literal; at most 512 names in a program.
 */
LATIDO_API void latido_mark(const char* name);

/* What the recorder asks of this process; 0 while nothing is recorded. Bit 1-2: how much detail to give
 * up, from 0 for nothing to 3 for all but steps, phases and zones; bit 8-15: a beat that changes about each
 * second. For those who record more than was written by hand. */
LATIDO_API uint32_t latido_control(void);

/* Records dropped by this process so far, for tests and self-checks. */
LATIDO_API uint64_t latido_dropped(void);

#ifdef __cplusplus
} /* extern "C" */

namespace latido {

/* Records the scope it lives in. */
class Zone {
 public:
  explicit Zone(latido_site& site) noexcept
      : site_(LATIDO_IS_OFF() || latido_begin(&site) == 0 ? nullptr : &site) {}
  ~Zone() {
    if (site_ != nullptr) latido_end(site_);
  }
  Zone(const Zone&) = delete;
  Zone& operator=(const Zone&) = delete;

 private:
  const latido_site* site_;
};

} /* namespace latido */

#define LATIDO_ZONE_AS(name, number)                                            \
  static latido_site latido_site_##number{name, "zone", __FILE__, __LINE__, 0}; \
  const ::latido::Zone latido_zone_##number(latido_site_##number)
#define LATIDO_ZONE_NUMBERED(name, number) LATIDO_ZONE_AS(name, number)
#define LATIDO_ZONE(name) LATIDO_ZONE_NUMBERED(name, __COUNTER__)
#endif

#endif
