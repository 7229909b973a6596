#include "open_calls.h"

#include <pthread.h>
#include <stdlib.h>

#include "functions.h"

enum {
  kMaxDepth = 1 << 14
}; /* calls of a thread that are remembered; deeper ones are not recorded */

_Thread_local OpenCalls open_calls;
uint32_t open_calls_cuts;

static bool forked; /* and nothing recorded since */

/* The only thread of the child: what it has open was begun in the parent's recording. */
static void on_fork_in_child(void) {
  open_calls.depth = open_calls.beyond = 0;
  ++open_calls_cuts;
  forked = true;
}

/* Runs at a thread's end, while its memory for threads is still there. */
static pthread_key_t thread_end;
static void on_thread_end(void* calls) {
  free(calls);
  open_calls = (OpenCalls){0};
}

bool open_calls_setup(void) {
  return pthread_key_create(&thread_end, on_thread_end) == 0 &&
         pthread_atfork(NULL, NULL, on_fork_in_child) == 0;
}

void open_calls_cut_here(void) {
  open_calls.cuts = open_calls_cuts;
  open_calls.beyond = 0;
  while (open_calls.depth > 0) close_innermost(&open_calls);
  if (forked) rearm_after_fork(); /* not in a child that is only there to become another program */
  forked = false;
}

void open_calls_cut(void) {
  ++open_calls_cuts;
  open_calls_cut_here();
}

bool open_calls_grow(void) {
  OpenCalls* const mine = &open_calls;
  if (mine->room >= kMaxDepth) return false;
  const uint32_t room = mine->room == 0 ? 64 : 2 * mine->room;
  OpenCall* grown = realloc(mine->calls, room * sizeof *grown);
  if (grown == NULL) return false;
  mine->calls = grown;
  mine->room = room;
  pthread_setspecific(thread_end, grown);
  return true;
}

uint32_t open_calls_find(const latido_site* site) {
  uint32_t at = open_calls.depth;
  while (at > 0 && open_calls.calls[at - 1].awaited != site) --at;
  return at;
}

void open_calls_forget(const latido_site* site) {
  OpenCalls* const mine = &open_calls;
  mine->beyond = 0; /* whose leaves these are is not known */
  for (uint32_t i = 0; i < mine->depth; ++i) {
    if (mine->calls[i].awaited == site) mine->calls[i].awaited = NULL;
  }
  while (mine->depth > 0 && mine->calls[mine->depth - 1].awaited == NULL) close_innermost(mine);
}
