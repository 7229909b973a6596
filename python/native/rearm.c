/* A thread that takes the GIL for a moment each second, to look again at what was elided. A program in a
 * tight loop of elided functions gives no other occasion. */
#define _GNU_SOURCE /* a name for the thread */
#include <pthread.h>
#include <signal.h>
#include <time.h>

#include "functions.h"

enum { kStackBytes = 1024 * 1024 };

static void (*on_tick)(void);
static bool running;
static volatile bool stopping;

static void* tick(void* ignored) {
  const struct timespec second = {.tv_sec = 1};
  while (!stopping) {
    nanosleep(&second, NULL);
    if (stopping) break;
    /* Not a pending call: until CPython 3.13 one that another thread asks for waits until something
     * else interrupts the main thread. */
    const PyGILState_STATE state = PyGILState_Ensure();
    if (!stopping) {
      on_tick();
      (void)recording(); /* describes the process where only functions were recorded so far */
    }
    PyGILState_Release(state);
  }
  return ignored;
}

static bool start_thread(void) {
  pthread_attr_t attributes;
  if (pthread_attr_init(&attributes) != 0) return false;
  pthread_attr_setdetachstate(&attributes, PTHREAD_CREATE_DETACHED);
  pthread_attr_setstacksize(&attributes, kStackBytes);
  /* The program's signals are for the program's threads. */
  sigset_t all, before;
  sigfillset(&all);
  pthread_sigmask(SIG_SETMASK, &all, &before);
  pthread_t thread;
  const bool started = pthread_create(&thread, &attributes, tick, NULL) == 0;
  pthread_sigmask(SIG_SETMASK, &before, NULL);
  pthread_attr_destroy(&attributes);
  if (started) pthread_setname_np(thread, "latido");
  return started;
}

void rearm_after_fork(void) {
  if (running && !stopping) running = start_thread();
}

bool rearm_start(void (*what)(void)) {
  on_tick = what;
  stopping = false;
  if (!running) running = start_thread();
  return running;
}

void rearm_stop(void) { stopping = true; }
