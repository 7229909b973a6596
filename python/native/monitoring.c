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

static inline const void* current_frame(void) {
#if PY_VERSION_HEX >= 0x030D0000
  return PyThreadState_GetUnchecked()->current_frame;
#else
  return _PyThreadState_UncheckedGet()->cframe->current_frame;
#endif
}

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

static PyObject* on_enter(PyObject* module, PyObject* const* args, Py_ssize_t count) {
  (void)module, (void)count;
  Function* function = traced(args[0]);
  if (function != NULL) function_enter(function, current_frame());
  Py_RETURN_NONE;
}

static PyObject* on_leave(PyObject* module, PyObject* const* args, Py_ssize_t count) {
  (void)module, (void)count;
  Function* function = traced(args[0]);
  if (function != NULL) function_leave(function, current_frame());
  Py_RETURN_NONE;
}

static PyObject* on_first_call(PyObject* module, PyObject* const* args, Py_ssize_t count) {
  (void)module, (void)count;
  PyCodeObject* code = (PyCodeObject*)args[0];
  if (!stopped && function_of(code) == NULL) {
    Function* function = function_new(code, PyEval_GetGlobals());
    if (function != NULL && function->mode == kFunctionTraced) {
      if (arm(function)) {
        function_enter(function, current_frame()); /* this call's own event came too early for it */
      } else {
        function->mode = kFunctionExcluded;
      }
    }
  }
  Py_INCREF(disable);
  return disable;
}

#define FAST(function) (PyCFunction)(void (*)(void))(function), METH_FASTCALL
static PyMethodDef enter_method = {"latido_enter", FAST(on_enter), NULL};
static PyMethodDef leave_method = {"latido_leave", FAST(on_leave), NULL};
static PyMethodDef first_method = {"latido_first_call", FAST(on_first_call), NULL};

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

static bool listen_to(PyObject* monitoring) {
  struct {
    const char* event;
    PyMethodDef* method;
    bool by_code;
  } const table[] = {
      {"PY_START", &enter_method, true},  {"PY_RESUME", &enter_method, true},
      {"PY_RETURN", &leave_method, true}, {"PY_YIELD", &leave_method, true},
      {"PY_THROW", &enter_method, false}, {"PY_UNWIND", &leave_method, false},
  };
  long by_code = 0, global = 0;
  for (size_t i = 0; i < sizeof table / sizeof *table; ++i) {
    const long bit = event_bit(monitoring, table[i].event);
    PyObject* callback = bit == 0 ? NULL : PyCFunction_New(table[i].method, NULL);
    if (callback == NULL) return false;
    const bool done = call(monitoring, "register_callback", kTracer, bit, callback);
    Py_DECREF(callback);
    if (!done) return false;
    *(table[i].by_code ? &by_code : &global) |= bit;
  }
  listened = PyLong_FromLong(by_code);
  const long start = event_bit(monitoring, "PY_START");
  PyObject* first = PyCFunction_New(&first_method, NULL);
  if (listened == NULL || first == NULL) return false;
  const bool done = call(monitoring, "register_callback", kFinder, start, first) &&
                    call(monitoring, "set_events", kTracer, global, NULL) &&
                    call(monitoring, "set_events", kFinder, start, NULL);
  Py_DECREF(first);
  return done;
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
  if (adaptive && !rearm_start(functions_rearm)) return "no thread to look again at functions";
  return NULL;
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
