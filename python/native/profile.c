/* The engine for CPython 3.11: a C profile function.
 *
 * The interpreter cannot switch it off for single code objects, and while it is there every instruction
 * costs more. So the adaptive mode pays for events out of a purse that fills slowly: a program that calls
 * little is recorded without a gap, in one that calls a lot short windows are recorded each second.
 */
#include "functions.h"

#if PY_VERSION_HEX < 0x030C0000

/* PyFrame_GetCode() takes 2 ns, in each event. */
#define Py_BUILD_CORE
#include <internal/pycore_frame.h>
#include <time.h>

enum {
  kPurse = 5000, /* events, full at the start and for each window */
  kEventsPerSecond =
      50000, /* an event costs the program about 100 ns, all told: 0.5 % of the time */
};

static bool adaptive_wanted;
static bool adaptive_mode;
static Reduction reduced;
static bool stopped;
/* By the GIL one thread at a time spends, so one purse serves all. */
static double purse;
static uint64_t filled_ns;
static bool resting; /* until the next tick: the purse was empty */
static latido_site status_site = {.name = "functions", .category = "hook"};

static uint64_t now_ns(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
}

static void fill(void) {
  const uint64_t now = now_ns();
  purse += (double)(now - filled_ns) * 1e-9 * kEventsPerSecond;
  if (purse > kPurse) purse = kPurse;
  filled_ns = now;
}

/* Whether this event may still be looked at. */
static bool spend(void) {
  enum { kBetweenLooks = 64 };
  static unsigned look;
  if (!adaptive_mode) return true;
  if (resting) return false;
  purse -= 1;
  if (++look % kBetweenLooks == 0) fill();
  resting = purse <= 0;
  return !resting;
}

static Function* known(PyFrameObject* frame) {
  PyCodeObject* code = frame->f_frame->f_code;
  Function* function = function_of(code);
  if (function == NULL) {
    PyObject* globals = PyFrame_GetGlobals(frame);
    function = function_new(code, globals);
    Py_XDECREF(globals);
  }
  return function != NULL && function->mode == kFunctionTraced ? function : NULL;
}

static int on_event(PyObject* self, PyFrameObject* frame, int what, PyObject* arg) {
  (void)self, (void)arg;
  if (stopped || !spend()) {
    open_calls_cut_here();
    PyEval_SetProfile(NULL, NULL);
    return 0;
  }
  if (what != PyTrace_CALL && what != PyTrace_RETURN) return 0;
  Function* function = known(frame);
  if (function == NULL) return 0;
  if (what == PyTrace_CALL) {
    function_enter(function);
  } else {
    function_leave(function);
  }
  return 0;
}

/* What threading.setprofile wants: called at a new thread's first event in place of a profile function
 * in Python. */
void engine_enter_thread(void) {
  if (!stopped) PyEval_SetProfile(on_event, NULL);
}

static void tell_of_another_profiler(void) {
  static bool told;
  static const char kText[] = "paused: another profiler took the place of the profile function";
  if (!told && recording()) latido_text(&status_site, kText, sizeof kText - 1);
  told = true;
}

/* In every thread that has no profile function. */
static void look_everywhere(void) {
  PyInterpreterState* interpreter = PyInterpreterState_Get();
  for (PyThreadState* thread = PyInterpreterState_ThreadHead(interpreter); thread != NULL;
       thread = PyThreadState_Next(thread)) {
    if (thread->c_profilefunc == on_event) continue;
    if (thread->c_profilefunc != NULL) {
      tell_of_another_profiler();
    } else if (_PyEval_SetProfile(thread, on_event, NULL) < 0) {
      PyErr_Clear(); /* an audit hook forbids it */
    }
  }
}

static void on_tick(void) {
  if (stopped || reduced >= kNoRearm) return;
  if (resting) {
    purse = kPurse;
    filled_ns = now_ns();
    resting = false;
  }
  look_everywhere();
}

const char* engine_start(bool adaptive, const FunctionPatterns* patterns) {
  if (PyThreadState_Get()->c_profilefunc != NULL) return "another profiler is in place";
  const FunctionEngine engine = {0};
  /* Single functions cannot be switched off here, so there is nothing to judge. */
  if (!functions_prepare(false, patterns, &engine)) return "no place beside code objects";
  adaptive_wanted = adaptive_mode = adaptive;
  purse = kPurse;
  filled_ns = now_ns();
  if (!rearm_start(on_tick)) return "no thread to look again at functions";
  look_everywhere();
  return NULL;
}

void engine_reduce(Reduction reduction) {
  reduced = reduction;
  adaptive_mode = adaptive_wanted || reduction >= kOnlyAdaptive;
  resting = reduction >= kStepsOnly; /* each thread's next event ends its profile function */
  if (reduction < kNoRearm) on_tick();
}

void engine_stop(void) { stopped = true; }

#endif
