/* The engine for CPython 3.12 and newer: sys.monitoring (PEP 669).
 *
 * Two tools. One hears of every function's first call and is then switched off for that code; the other
 * listens to single code objects, so that each can be switched off and on again by itself. One tool
 * alone could only be switched on again for all code and all tools at once (restart_events), which
 * disturbs coverage and debuggers. Unwinding cannot be asked for by code object.
 */
#include "functions.h"

#if PY_VERSION_HEX >= 0x030C0000

#include <stdio.h>

enum { kTracer = 3, kFinder = 4 }; /* the two ids that no other kind of tool is meant to use */

static PyObject* set_local_events;
static PyObject* disable;
static PyObject* listened; /* int: the events of a code object that is looked at */
static PyObject* nothing;
static PyObject* tracer_id;
static bool stopped;

static bool set_events(Function* function, PyObject* events) {
  PyObject* args[] = {tracer_id, (PyObject*)function->code, events};
  PyObject* done = PyObject_Vectorcall(set_local_events, args, 3, NULL);
  if (done == NULL) {
    PyErr_Clear();
    return false;
  }
  Py_DECREF(done);
  return true;
}

static bool arm(Function* function) { return set_events(function, listened); }
static bool disarm(Function* function) { return set_events(function, nothing); }

static inline Function* traced(PyObject* code) {
  Function* function = function_of((PyCodeObject*)code);
  return function != NULL && function->mode == kFunctionTraced ? function : NULL;
}

static PyObject* on_enter(PyObject* self, PyObject* const* args, size_t flags, PyObject* names) {
  (void)self, (void)flags, (void)names;
  Function* function = traced(args[0]);
  if (function != NULL) function_enter(function);
  Py_RETURN_NONE;
}

static PyObject* on_leave(PyObject* self, PyObject* const* args, size_t flags, PyObject* names) {
  (void)self, (void)flags, (void)names;
  Function* function = traced(args[0]);
  if (function != NULL) function_leave(function);
  Py_RETURN_NONE;
}

static PyObject* on_first_call(PyObject* self, PyObject* const* args, size_t flags,
                               PyObject* names) {
  (void)self, (void)flags, (void)names;
  PyCodeObject* code = (PyCodeObject*)args[0];
  if (!stopped && function_of(code) == NULL) {
    Function* function = function_new(code, PyEval_GetGlobals());
    if (function != NULL && function->mode == kFunctionTraced) {
      if (arm(function)) {
        function_enter(function); /* this call's own event came too early for it */
      } else {
        function->mode = kFunctionExcluded;
      }
    }
  }
  Py_INCREF(disable);
  return disable;
}

/* A callable that is nothing but its C function: the interpreter gets there in 14 ns instead of the 20 that
 * a built-in function takes. */
typedef struct {
  PyObject_HEAD vectorcallfunc call;
} Listener;

static PyTypeObject listener_type = {
    PyVarObject_HEAD_INIT(NULL, 0).tp_name = "latido._core.Listener",
    .tp_basicsize = sizeof(Listener),
    .tp_flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_HAVE_VECTORCALL,
    .tp_vectorcall_offset = offsetof(Listener, call),
    .tp_call = PyVectorcall_Call,
};

static PyObject* listener_new(vectorcallfunc call) {
  if (PyType_Ready(&listener_type) < 0) return NULL;
  Listener* listener = PyObject_New(Listener, &listener_type);
  if (listener != NULL) listener->call = call;
  return (PyObject*)listener;
}

/* The bit of an event in sys.monitoring.events; 0 with an exception. */
static long event_bit(PyObject* monitoring, const char* name) {
  PyObject* events = PyObject_GetAttrString(monitoring, "events");
  PyObject* bit = events == NULL ? NULL : PyObject_GetAttrString(events, name);
  const long value = bit == NULL ? -1 : PyLong_AsLong(bit);
  Py_XDECREF(bit);
  Py_XDECREF(events);
  return value < 0 ? 0 : value;
}

static bool call(PyObject* monitoring, const char* method, int tool, long events,
                 PyObject* callback) {
  PyObject* done = callback != NULL
                       ? PyObject_CallMethod(monitoring, method, "ilO", tool, events, callback)
                       : PyObject_CallMethod(monitoring, method, "il", tool, events);
  Py_XDECREF(done);
  return done != NULL;
}

static const char* take_tools(PyObject* monitoring) {
  static char why[128];
  for (int tool = kTracer; tool <= kFinder; ++tool) {
    PyObject* user = PyObject_CallMethod(monitoring, "get_tool", "i", tool);
    if (user == NULL) return "sys.monitoring is not as known";
    const bool free_id = user == Py_None;
    if (!free_id) {
      const char* name = PyUnicode_Check(user) ? PyUnicode_AsUTF8(user) : NULL;
      snprintf(why, sizeof why, "sys.monitoring tool %d is in use by %s", tool,
               name != NULL ? name : "another tool");
    }
    Py_DECREF(user);
    if (!free_id) return why;
  }
  for (int tool = kTracer; tool <= kFinder; ++tool) {
    PyObject* done = PyObject_CallMethod(monitoring, "use_tool_id", "is", tool, "latido");
    if (done == NULL) return "sys.monitoring gives no tool id";
    Py_DECREF(done);
  }
  return NULL;
}

/* What is called at which event. */
static struct {
  const char* event;
  int tool;
  bool by_code;
  vectorcallfunc function;
  PyObject* callback;
} listeners[] = {
    {"PY_START", kTracer, true, on_enter, NULL},
    {"PY_RESUME", kTracer, true, on_enter, NULL},
    {"PY_RETURN", kTracer, true, on_leave, NULL},
    {"PY_YIELD", kTracer, true, on_leave, NULL},
    {"PY_THROW", kTracer, false, on_enter, NULL},
    {"PY_UNWIND", kTracer, false, on_leave, NULL},
    {"PY_START", kFinder, false, on_first_call, NULL},
};
enum { kListeners = sizeof listeners / sizeof *listeners };

/* An event without a callback costs its function a few nanoseconds; not listening to it any more would
 * have the interpreter go through all code again. */
static bool set_callbacks(PyObject* monitoring, bool on) {
  for (int i = 0; i < kListeners; ++i) {
    const long bit = event_bit(monitoring, listeners[i].event);
    PyObject* callback = on ? listeners[i].callback : Py_None;
    if (bit == 0 || !call(monitoring, "register_callback", listeners[i].tool, bit, callback)) {
      return false;
    }
  }
  return true;
}

static bool listen_to(PyObject* monitoring) {
  long by_code = 0, global[kFinder + 1] = {0};
  for (int i = 0; i < kListeners; ++i) {
    const long bit = event_bit(monitoring, listeners[i].event);
    listeners[i].callback = bit == 0 ? NULL : listener_new(listeners[i].function);
    if (listeners[i].callback == NULL) return false;
    *(listeners[i].by_code ? &by_code : &global[listeners[i].tool]) |= bit;
  }
  listened = PyLong_FromLong(by_code);
  return listened != NULL && set_callbacks(monitoring, true) &&
         call(monitoring, "set_events", kTracer, global[kTracer], NULL) &&
         call(monitoring, "set_events", kFinder, global[kFinder], NULL);
}

static PyObject* monitoring_module(void) { return PySys_GetObject("monitoring"); /* borrowed */ }

const char* engine_start(bool adaptive, const FunctionPatterns* patterns) {
#ifdef Py_GIL_DISABLED
  return "not yet for a Python without the GIL";
#endif
  PyObject* monitoring = monitoring_module();
  if (monitoring == NULL) return "this Python has no sys.monitoring";
  set_local_events = PyObject_GetAttrString(monitoring, "set_local_events");
  disable = PyObject_GetAttrString(monitoring, "DISABLE");
  nothing = PyLong_FromLong(0);
  tracer_id = PyLong_FromLong(kTracer);
  if (set_local_events == NULL || disable == NULL || nothing == NULL || tracer_id == NULL) {
    return "sys.monitoring is not as known";
  }
  const char* why = take_tools(monitoring);
  if (why != NULL) return why;
  const FunctionEngine engine = {.arm = arm, .disarm = disarm};
  if (!functions_prepare(adaptive, patterns, &engine)) return "no place beside code objects";
  if (!listen_to(monitoring)) return "sys.monitoring refuses an event";
  if (!rearm_start(functions_rearm)) return "no thread to look again at functions";
  return NULL;
}

void engine_reduce(Reduction reduction) {
  static bool paused;
  const bool pause = reduction >= kStepsOnly;
  if (stopped || pause == paused) return;
  paused = pause;
  PyObject* monitoring = monitoring_module();
  if (monitoring == NULL || !set_callbacks(monitoring, !pause)) PyErr_Clear();
}

void engine_enter_thread(void) {} /* sys.monitoring is for all threads */

void engine_stop(void) {
  stopped = true;
  PyObject* monitoring = monitoring_module();
  if (monitoring == NULL) return;
  for (int tool = kTracer; tool <= kFinder; ++tool) {
    if (!call(monitoring, "set_events", tool, 0, NULL)) PyErr_Clear();
  }
}

#endif
