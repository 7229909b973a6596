/* Functions of the program, recorded at entry and exit without a change to them.
 *
 * An engine (monitoring.c from CPython 3.12 on, profile.c before) tells functions.c which code is
 * entered and left; functions.c keeps the call site of each code object, the recorded frames of each
 * thread, and the decision to stop looking at what is called often and takes next to nothing. All of it
 * runs with the GIL.
 */
#pragma once

#include "native.h"
#include "open_calls.h"

typedef enum {
  kFunctionTraced,
  kFunctionElided,   /* not looked at now: each call costs more to record than it is worth */
  kFunctionExcluded, /* by the user's patterns, or our own */
} FunctionMode;

/* What is known of a code object; freed with it. */
typedef struct Function {
  PyCodeObject* code; /* borrowed: it owns this */
  latido_site* site;  /* immortal; NULL when excluded */
  uint64_t calls;     /* seen */
  uint64_t burst_ticks;
  uint32_t burst_calls;
  uint32_t burst_limit; /* calls after which it is judged */
  FunctionMode mode;
  struct Function *next, *previous; /* among the elided ones */
} Function;

/* How much detail the recorder asks to be given up: Reduction of ring_format.h. */
typedef enum { kAllDetail, kOnlyAdaptive, kNoRearm, kStepsOnly } Reduction;

/* How an engine stops and starts to look at one code object. `disarm` is NULL where it cannot. */
typedef struct {
  bool (*arm)(Function* function);
  bool (*disarm)(Function* function);
} FunctionEngine;

/* Patterns, by fnmatch(3), on the module, the path and the qualified name. */
typedef struct {
  PyObject* include; /* tuple of str; empty: everything */
  PyObject* exclude; /* tuple of str */
  PyObject* own;     /* str: files that start with it are Latido's */
} FunctionPatterns;

bool functions_prepare(bool adaptive, const FunctionPatterns* patterns,
                       const FunctionEngine* engine);

/* Whether what is called often and takes next to nothing is to be elided. */
extern bool functions_adaptive;
extern Py_ssize_t functions_extra_index;

/* Good to a per cent after a few milliseconds; before that a guess that is too small by half at most. */
double ticks_per_ns(void);

/* The function of `code`; NULL when it was not met yet. */
static inline Function* function_of(PyCodeObject* code) {
#if PY_VERSION_HEX < 0x030E0000
  /* As _PyCode_GetExtra() does, without its checks of what we know: two loads instead of 2 ns. */
  typedef struct {
    Py_ssize_t size;
    void* extras[1];
  } CodeExtra;
  const CodeExtra* extra = (const CodeExtra*)code->co_extra;
  return extra != NULL && functions_extra_index < extra->size
             ? (Function*)extra->extras[functions_extra_index]
             : NULL;
#else
  void* extra = NULL;
  if (PyUnstable_Code_GetExtra((PyObject*)code, functions_extra_index, &extra) == 0) return extra;
  PyErr_Clear();
  return NULL;
#endif
}

/* A new one, traced or excluded; NULL, no exception set, when memory is short. `globals` may be NULL: of
 * the frame, for the module's name. */
Function* function_new(PyCodeObject* code, PyObject* globals);

/* Elides it when its last calls were too short. */
void function_judge(Function* function);

/* `function` is traced, in both. */
static inline void function_enter(Function* function) {
  open_call(function->site, functions_adaptive);
}

static inline void function_leave(Function* function) {
  const uint64_t begin_ticks = close_call(function->site);
  ++function->calls;
  if (!functions_adaptive || begin_ticks == 0) return;
  function->burst_ticks += ticks_now() - begin_ticks;
  if (++function->burst_calls >= function->burst_limit) function_judge(function);
}

/* Looks again at some of the elided functions, for a few calls each. From the timer (rearm.c). */
unsigned functions_rearm(void); /* returns the milliseconds until the next time */

/* From now on this much detail is given up (detail.c). */
void functions_reduce(Reduction reduction);

/* rearm.c: calls `tick` with the GIL on a thread of its own, first soon, then as many milliseconds
 * later as it returned, until rearm_stop(). */
bool rearm_start(unsigned (*tick)(void));
void rearm_stop(void);
/* The thread has stayed behind in the parent. */
void rearm_after_fork(void);

/* The engine of this Python. Each returns NULL, or why it cannot work here (a literal or owned text). */
const char* engine_start(bool adaptive, const FunctionPatterns* patterns);
void engine_stop(void);
void engine_reduce(Reduction reduction);
/* Records the calling thread too, where that takes a call of its own. */
void engine_enter_thread(void);

bool functions_setup(PyObject* module);
