/* latido/latido.h: mark your own zones, steps and values from C or C++.
 *
 *   void load() { LATIDO_ZONE("load"); ... }        until the end of the scope (C++)
 *   latido_log("queue_length", n);                  one point of a series
 *   latido_step();                                  a step of your program ends here
 *
 * Link with liblatido_capture (CMake: latido::capture; pkg-config: latido). Outside `latido run` each
 * call tests one word and returns. Every call may be made from any thread, never blocks, never
 * allocates after a call site's first use, and never fails: what finds no room is dropped and counted
 * in the report. Names must be string literals or outlive the program. Not async-signal-safe.
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
  uint32_t id; /* filled at first use; private */
} latido_site;

/* Word of the calling process: 0 not decided yet (also in a fresh fork child), 1 recording, 2 off. */
LATIDO_API extern const volatile uint32_t* latido_state;
enum { LATIDO_UNDECIDED = 0, LATIDO_RECORDING = 1, LATIDO_OFF = 2 };

/* Opens a zone. Returns 1 when it was recorded: exactly then latido_end must be called, on the same
 * thread, innermost zone first. Returns 0 when recording is off or the zone was dropped. */
LATIDO_API int latido_begin(latido_site* site);
LATIDO_API void latido_end(const latido_site* site);

/* A number that belongs to the innermost open zone; `name` has category "arg". */
LATIDO_API void latido_arg(latido_site* name, uint64_t number);
/* One point of a series (category "series"); `index` is a step or micro-batch number of your choice. */
LATIDO_API void latido_value(latido_site* series, uint32_t index, double value);
/* Something without duration. */
LATIDO_API void latido_instant(latido_site* site, uint64_t number);
/* A text about `site`, at most 4096 bytes; longer ones are cut. */
LATIDO_API void latido_text(latido_site* site, const char* text, uint32_t length_bytes);

/* Gives a site whose name and file are not literals: the strings are copied into the recording, and
 * the object must only outlive its use. Returns the id, 0 when the 2^18 ids are used up. */
LATIDO_API uint32_t latido_define_site(latido_site* site);

/* A step ends here: overrides what Latido would find by itself. */
LATIDO_API void latido_step(void);
/* One point of the series `name`, which must be a literal. */
LATIDO_API void latido_log(const char* name, double value);
/* A moment worth a line on the timeline. */
LATIDO_API void latido_mark(const char* name);

/* Records dropped by this process so far, for tests and self-checks. */
LATIDO_API uint64_t latido_dropped(void);

#ifdef __cplusplus
} /* extern "C" */

namespace latido {

/* Records the scope it lives in. */
class Zone {
 public:
  explicit Zone(latido_site& site) noexcept
      : site_(*latido_state == LATIDO_OFF || latido_begin(&site) == 0 ? nullptr : &site) {}
  ~Zone() {
    if (site_ != nullptr) latido_end(site_);
  }
  Zone(const Zone&) = delete;
  Zone& operator=(const Zone&) = delete;

 private:
  const latido_site* site_;
};

} /* namespace latido */

#define LATIDO_JOIN2(a, b) a##b
#define LATIDO_JOIN(a, b) LATIDO_JOIN2(a, b)
#define LATIDO_ZONE(name)                                                                    \
  static latido_site LATIDO_JOIN(latido_site_, __LINE__){name, "zone", __FILE__, __LINE__, 0}; \
  const ::latido::Zone LATIDO_JOIN(latido_zone_, __LINE__)(LATIDO_JOIN(latido_site_, __LINE__))
#endif

#endif
