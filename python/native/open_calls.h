/* The recorded calls that are open on a thread, innermost last.
 *
 * For the engines, by way of functions.h. All of it runs with the GIL, and the part in this header in every call
 * of the program: no lock, no allocation but when calls get deeper than ever before, no Python.
 *
 * A leave is matched by its function, not by its frame: to ask the interpreter for the frame costs 2 ns of the
 * 8 that an event may cost beside the interpreter's own part. So each enter has to be remembered, also one that
 * was not recorded: else its leave would end an outer call of the same function.
 */
#pragma once

#include "native.h"
#if defined(__x86_64__)
#include <x86intrin.h>
#else
#include <time.h>
#endif

typedef struct {
  const latido_site* awaited; /* whose leave ends this; NULL: nobody's, the outer call's does */
  const latido_site* site;    /* NULL: not recorded */
  uint64_t begin_ticks;       /* 0: not measured */
} OpenCall;

typedef struct {
  OpenCall* calls;
  uint32_t depth;
  uint32_t room;
  uint32_t beyond; /* calls deeper than there is room for: not recorded */
  uint32_t cuts;   /* the last one that is known here */
} OpenCalls;

extern _Thread_local OpenCalls open_calls;
/* So many times what is open in all threads was cut off: the leaves have not been seen, or belong to the
 * parent of this process. */
extern uint32_t open_calls_cuts;

bool open_calls_setup(void);
/* Cuts off what is open, in all threads: at once in this one, in the others at their next event. */
void open_calls_cut(void);
/* The leaves of `site` will not be seen any more. */
void open_calls_forget(const latido_site* site);

/* Cuts off what this thread has open. */
void open_calls_cut_here(void);

/* Where a thread has no room for one more. False when it can get none. */
bool open_calls_grow(void);
/* The place of the innermost call that `site` ends, plus 1; 0 when there is none. */
uint32_t open_calls_find(const latido_site* site);

static inline uint64_t ticks_now(void) {
#if defined(__x86_64__)
  return __rdtsc();
#else
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
#endif
}

/* As recording(), but the process is not described yet: this is long before its own code runs. */
static inline bool recording_functions(void) {
  const uint32_t state = *latido_state;
  if (state == LATIDO_UNDECIDED) description_due = true;
  return state != LATIDO_OFF && !recording_paused;
}

static inline void open_call(latido_site* site, bool measured) {
  OpenCalls* const mine = &open_calls;
  if (mine->cuts != open_calls_cuts) open_calls_cut_here();
  if (mine->depth == mine->room && !open_calls_grow()) {
    ++mine->beyond;
    return;
  }
  const bool recorded = recording_functions() && latido_begin(site) != 0;
  mine->calls[mine->depth++] = (OpenCall){
      .awaited = site, .site = recorded ? site : NULL, .begin_ticks = measured ? ticks_now() : 0};
}

static inline void close_innermost(OpenCalls* mine) {
  const OpenCall* call = &mine->calls[--mine->depth];
  if (call->site != NULL) latido_end(call->site);
}

/* Ends the innermost open call of `site` and all inside it. Returns when it began, 0 where that is not known. */
static inline uint64_t close_call(const latido_site* site) {
  OpenCalls* const mine = &open_calls;
  if (mine->cuts != open_calls_cuts) open_calls_cut_here();
  if (mine->beyond > 0) {
    --mine->beyond;
    return 0;
  }
  uint32_t at = mine->depth;
  if (at == 0) return 0;
  if (mine->calls[at - 1].awaited != site) {
    at = open_calls_find(site);
    if (at == 0) return 0; /* was open before functions were recorded */
  }
  const uint64_t begin_ticks = mine->calls[at - 1].begin_ticks;
  while (mine->depth >= at) close_innermost(mine);
  return begin_ticks;
}
