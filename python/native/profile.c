/* The engine for CPython 3.11: a C profile function.
 *
 * The interpreter cannot switch it off for single code objects, and while it is there every instruction of
 * Python takes nearly twice as long, whether it calls or not. So the adaptive mode pays for events and for
 * interpreted time out of a purse that fills slowly: a program that leaves its work to C is recorded without a gap,
 * of one that works in Python short windows are.
 */
#include "functions.h"

#if PY_VERSION_HEX < 0x030C0000

/* PyFrame_GetCode() takes 2 ns, in each event. */
#define Py_BUILD_CORE
#include <internal/pycore_frame.h>

enum {
  kPurse_ns = 5000000,         /* full at the start; the most that a window may cost */
  kIncome_ns_per_s = 10000000, /* 1 % of the time */
  kEvent_ns = 50,              /* docs/benchmarks.md, a record on 3.11 */
  kFirstLook_ms = 50,          /* so long after a window began it is looked at what it costs, */
  kLook_ms = 250,              /* and then while it lasts */
  kRest_ms = 1000,
};
/* Of interpreted time under a profile function: with it a loop takes 1.8 times as long (docs/benchmarks.md). */
static const double kSlowed = 0.8 / 1.8;

static bool adaptive_wanted;
static bool adaptive_mode;
static Reduction reduced;
static bool stopped;
static latido_site status_site = {.name = "functions", .category = "hook"};

/* By the GIL one thread at a time spends, so one purse serves all. */
static double purse_ns;
static bool resting; /* until a tick: the purse was empty */
static uint64_t filled_ticks;
/* Since the purse was last filled: */
static uint32_t events;
static uint64_t interpreted_ticks;
static uint64_t event_ticks; /* of the last event of any thread */
static bool in_c;            /* which called a function written in C */

static void open_purse(void) {
  purse_ns = kPurse_ns;
  filled_ticks = event_ticks = ticks_now();
  interpreted_ticks = events = 0;
  in_c = resting = false;
}

/* Takes out what was spent and puts in what came in. */
static void settle(uint64_t ticks) {
  const double ns_per_tick = 1 / ticks_per_ns();
  const double passed_ns = (double)(ticks - filled_ticks) * ns_per_tick;
  purse_ns += passed_ns * 1e-9 * kIncome_ns_per_s - (double)events * kEvent_ns -
              (double)interpreted_ticks * ns_per_tick * kSlowed;
  if (purse_ns > kPurse_ns) purse_ns = kPurse_ns;
  filled_ticks = ticks;
  interpreted_ticks = events = 0;
}

/* The time since the last event was the interpreter's, unless that event called something written in C. */
static void pass(uint64_t ticks) {
  if (!in_c) interpreted_ticks += ticks - event_ticks;
  event_ticks = ticks;
}

/* Whether this event may still be looked at. */
static bool spend(int what) {
  enum { kBetweenLooks = 64, kLong_ticks = 1 << 21 /* about a millisecond */ };
  if (!adaptive_mode) return true;
  if (resting) return false;
  const uint64_t ticks = ticks_now();
  pass(ticks);
  in_c = what == PyTrace_C_CALL;
  if (++events >= kBetweenLooks || interpreted_ticks >= kLong_ticks) {
    settle(ticks);
    resting = purse_ns <= 0;
  }
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
  if (stopped || !spend(what)) {
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

/* In the main thread, between two instructions of whatever runs there. */
static int rest_here(void* ignored) {
  (void)ignored;
  if (resting && PyThreadState_Get()->c_profilefunc == on_event) {
    open_calls_cut_here();
    PyEval_SetProfile(NULL, NULL);
  }
  return 0;
}

/* A loop without a call gives no event at which its window could end. */
static void look_at_cost(void) {
  const uint64_t ticks = ticks_now();
  pass(ticks);
  settle(ticks);
  resting = purse_ns <= 0;
  /* Whoever takes the GIL next sees to it: this thread has it. */
  if (resting) Py_AddPendingCall(rest_here, NULL);
}

/* Returns when to look again. */
static unsigned on_tick(void) {
  if (stopped || reduced >= kNoRearm) return kRest_ms;
  unsigned next_ms = adaptive_mode ? kLook_ms : kRest_ms;
  if (adaptive_mode && resting) {
    settle(ticks_now());
    if (purse_ns < kPurse_ns / 2) return kRest_ms;
    open_purse();
    next_ms = kFirstLook_ms;
  } else if (adaptive_mode) {
    look_at_cost();
  }
  if (!resting) look_everywhere();
  return next_ms;
}

const char* engine_start(bool adaptive, const FunctionPatterns* patterns) {
  if (PyThreadState_Get()->c_profilefunc != NULL) return "another profiler is in place";
  const FunctionEngine engine = {0};
  /* Single functions cannot be switched off here, so there is nothing to judge. */
  if (!functions_prepare(false, patterns, &engine)) return "no place beside code objects";
  adaptive_wanted = adaptive_mode = adaptive;
  open_purse();
  if (!rearm_start(on_tick)) return "no thread to look again at functions";
  look_everywhere();
  return NULL;
}

void engine_reduce(Reduction reduction) {
  if (reduced >= kStepsOnly || !adaptive_mode) open_purse();
  reduced = reduction;
  adaptive_mode = adaptive_wanted || reduction >= kOnlyAdaptive;
  if (reduction >= kStepsOnly)
    resting = true; /* each thread's next event ends its profile function */
  if (reduction < kNoRearm) on_tick();
}

void engine_stop(void) { stopped = true; }

#endif
