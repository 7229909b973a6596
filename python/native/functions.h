/* Functions of the program, recorded at entry and exit without a change to them.
 *
 * An engine (monitoring.c from CPython 3.12 on, profile.c before) tells functions.c which code is
 * entered and left; functions.c keeps the call site of each code object, the recorded frames of each
 * thread, and the decision to stop looking at what is called often and takes next to nothing. All of it
 * runs with the GIL.
 */
#pragma once

#include "native.h"

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

/* The function of `code`; NULL, no exception set, when memory is short. A new one is traced or excluded.
 * `globals` may be NULL: of the frame, for the module's name. */
Function* function_of(PyCodeObject* code);
Function* function_new(PyCodeObject* code, PyObject* globals);

/* `frame` tells two calls of one function apart. */
void function_enter(Function* function, const void* frame);
void function_leave(Function* function, const void* frame);
/* Ends what this thread has open: the engine stops to look. */
void functions_close_all(void);

/* Looks again at some of the elided functions, for a few calls each. From the timer (rearm.c). */
void functions_rearm(void);

/* rearm.c: calls `tick` with the GIL on a thread of its own, about each second, until rearm_stop(). */
bool rearm_start(void (*tick)(void));
void rearm_stop(void);
/* The thread has stayed behind in the parent. */
void rearm_after_fork(void);

/* The engine of this Python. Each returns NULL, or why it cannot work here (a literal or owned text). */
const char* engine_start(bool adaptive, const FunctionPatterns* patterns);
void engine_stop(void);
/* Records the calling thread too, where that takes a call of its own. */
void engine_enter_thread(void);

bool functions_setup(PyObject* module);
