/* A thread that takes the GIL for a moment about each second, to look again at what was elided. A program in a
 * tight loop of elided functions gives no other occasion. */
#define _GNU_SOURCE /* a name for the thread */
#include <pthread.h>
#include <signal.h>
#include <time.h>

#include "functions.h"

enum { kStackBytes = 1024 * 1024 };

static unsigned (*on_tick)(void);
static bool running;
static bool forking;           /* it goes on after the fork */
static volatile bool stopping; /* the thread is to end */
static bool ended;             /* for good */
static pthread_t thread;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t stop;

/* True after so long, false when it is to stop. */
static bool wait_for(unsigned ms) {
  struct timespec until;
  clock_gettime(CLOCK_MONOTONIC, &until);
  until.tv_nsec += ms % 1000 * 1000000;
  until.tv_sec += ms / 1000 + until.tv_nsec / 1000000000;
  until.tv_nsec %= 1000000000;
  pthread_mutex_lock(&lock);
  while (!stopping && pthread_cond_timedwait(&stop, &lock, &until) == 0) continue;
  pthread_mutex_unlock(&lock);
  return !stopping;
}

static void* tick(void* ignored) {
  unsigned wait_ms = 250;
  while (wait_for(wait_ms)) {
    /* Not a pending call: until CPython 3.13 one that another thread asks for waits until something
     * else interrupts the main thread. */
    const PyGILState_STATE state = PyGILState_Ensure();
    if (!stopping) {
      detail_follow();
      wait_ms = on_tick();
      (void)recording(); /* describes the process where only functions were recorded so far */
    }
    PyGILState_Release(state);
  }
  return ignored;
}

static bool start_thread(void) {
  pthread_condattr_t monotonic;
  pthread_attr_t attributes;
  if (pthread_condattr_init(&monotonic) != 0 || pthread_attr_init(&attributes) != 0) return false;
  pthread_condattr_setclock(&monotonic, CLOCK_MONOTONIC);
  pthread_cond_init(&stop, &monotonic);
  pthread_condattr_destroy(&monotonic);
  pthread_attr_setstacksize(&attributes, kStackBytes);
  /* The program's signals are for the program's threads. */
  sigset_t all, before;
  sigfillset(&all);
  pthread_sigmask(SIG_SETMASK, &all, &before);
  const bool started = pthread_create(&thread, &attributes, tick, NULL) == 0;
  pthread_sigmask(SIG_SETMASK, &before, NULL);
  pthread_attr_destroy(&attributes);
  if (started) pthread_setname_np(thread, "latido");
  return started;
}

static void ask_to_stop(void) {
  pthread_mutex_lock(&lock);
  stopping = true;
  pthread_cond_signal(&stop);
  pthread_mutex_unlock(&lock);
}

/* os.fork() warns of other threads from CPython 3.12 on, and a program may make errors of warnings. */
static PyObject* before_fork(PyObject* module, PyObject* ignored) {
  (void)module, (void)ignored;
  if (running && !stopping) {
    ask_to_stop();
    Py_BEGIN_ALLOW_THREADS;
    pthread_join(thread, NULL);
    Py_END_ALLOW_THREADS;
    running = false;
    stopping = ended;
    forking = true;
  }
  Py_RETURN_NONE;
}

static int go_on(void* ignored) {
  (void)ignored;
  if (forking && !ended) running = start_thread();
  forking = false;
  return 0;
}

/* Not at once: CPython 3.13 counts the threads after this. */
static PyObject* after_fork_in_parent(PyObject* module, PyObject* ignored) {
  (void)module, (void)ignored;
  if (forking && Py_AddPendingCall(go_on, NULL) != 0) go_on(NULL);
  Py_RETURN_NONE;
}

static PyMethodDef before_method = {"latido_before_fork", before_fork, METH_NOARGS, NULL};
static PyMethodDef after_method = {"latido_after_fork", after_fork_in_parent, METH_NOARGS, NULL};

static bool follow_forks(void) {
  static bool followed;
  if (followed) return true;
  PyObject* posix = PyImport_ImportModule("posix");
  PyObject* follow = posix == NULL ? NULL : PyObject_GetAttrString(posix, "register_at_fork");
  PyObject* names = Py_BuildValue("(ss)", "before", "after_in_parent");
  PyObject* hooks[] = {PyCFunction_New(&before_method, NULL), PyCFunction_New(&after_method, NULL)};
  PyObject* done = follow == NULL || names == NULL || hooks[0] == NULL || hooks[1] == NULL
                       ? NULL
                       : PyObject_Vectorcall(follow, hooks, 0, names);
  followed = done != NULL;
  Py_XDECREF(done);
  Py_XDECREF(hooks[0]);
  Py_XDECREF(hooks[1]);
  Py_XDECREF(names);
  Py_XDECREF(follow);
  Py_XDECREF(posix);
  return followed;
}

void rearm_after_fork(void) {
  if (!(running || forking) || ended) return;
  forking = stopping = false;
  pthread_mutex_init(&lock, NULL); /* a bare fork may have left it in the hands of the thread */
  running = start_thread();
}

bool rearm_start(unsigned (*what)(void)) {
  on_tick = what;
  ended = stopping = false;
  if (!running) running = follow_forks() && start_thread();
  return running;
}

void rearm_stop(void) {
  if (running) ask_to_stop();
  ended = true;
}
