/* Calls of layers on sampled steps: begin and end of each, and the marks for its backward. */
#include "layers.h"

bool layers_wanted;
PyObject *layers_admit, *layers_unknown, *layers_table, *layers_begin_step, *layers_may_mark,
    *layers_enter, *layers_leave;

bool layers_ask(PyObject* function, PyObject* const* args, size_t count, PyObject** answer) {
  *answer = PyObject_Vectorcall(function, args, count, NULL);
  if (*answer != NULL) return true;
  if (!PyErr_ExceptionMatches(PyExc_Exception)) return false;
  PyErr_Clear();
  return true;
}

bool layers_open(PyObject* model) {
  LayerWindow* window = layer_window;
  if (layers_sampling() == kUnsampled || window->handles == NULL) return false;
  const int64_t begin_ns = layers_now_ns();
  PyObject* args[] = {model, is_in_backward() ? Py_True : Py_False};
  PyObject* answer = NULL;
  layers_ask(layers_admit, args, 2, &answer);
  window->plan.spent_ns += layers_now_ns() - begin_ns;
  const bool open = answer == Py_True;
  Py_XDECREF(answer);
  return open;
}

/* A new reference; NULL where it is not to be recorded, or with an exception that is the user's. */
static PyObject* layer_of(PyObject* model) {
  PyObject* address = PyLong_FromVoidPtr(model);
  PyObject* layer = address == NULL ? NULL : PyDict_GetItemWithError(layers_table, address);
  Py_XDECREF(address);
  Py_XINCREF(layer);
  if (layer == NULL || ((Layer*)layer)->kind != (PyObject*)Py_TYPE(model)) {
    PyErr_Clear();
    Py_CLEAR(layer);
    layers_ask(layers_unknown, &model, 1, &layer);
  }
  if (layer != NULL && !Py_IS_TYPE(layer, &layer_type)) Py_CLEAR(layer);
  return layer;
}

static PyObject* caller_of(const LayerWindow* window) {
  const int room = sizeof window->open / sizeof window->open[0];
  return window->depth > 0 && window->depth <= room ? window->open[window->depth - 1] : NULL;
}

static void push(LayerWindow* window, PyObject* layer) {
  const int room = sizeof window->open / sizeof window->open[0];
  if (window->depth < room) window->open[window->depth] = layer;
  ++window->depth;
}

/* Tensors in its inputs that the caller made by itself are the caller's. */
static bool mark_inputs(PyObject* caller, PyObject* const* args, size_t flags, PyObject* names) {
  if (caller == NULL) return true;
  Py_ssize_t count = PyVectorcall_NARGS(flags);
  if (names != NULL) count += PyTuple_GET_SIZE(names);
  for (Py_ssize_t i = 1; i < count; ++i) {
    if (!layers_mark(caller, args[i])) return false;
  }
  return true;
}

static PyObject* timed(Hooked* self, PyObject* const* args, size_t flags, PyObject* names,
                       PyObject* layer, bool* inner) {
  LayerWindow* window = layer_window;
  if (!mark_inputs(caller_of(window), args, flags, names)) return NULL;
  latido_site* site = ((Layer*)layer)->site;
  const bool opaque = ((Layer*)layer)->opaque;
  const bool recorded = latido_begin(site) != 0;
  push(window, layer);
  if (opaque) *inner = false;
  PyObject* result = PyObject_Vectorcall(self->wrapped, args, flags, names);
  if (opaque) *inner = true;
  if (window->depth > 0) --window->depth;
  if (recorded) end_call(site, result);
  /* The step may have ended in between. */
  if (result != NULL && window->plan.now == kTimed && !layers_mark(layer, result)) Py_CLEAR(result);
  return result;
}

/* Two records, and what the marks cost besides. */
enum { kRecordsNs = 300 };

/* Python does the counting; it is not timed. */
static PyObject* counted(Hooked* self, PyObject* const* args, size_t flags, PyObject* names,
                         PyObject* layer, bool* inner) {
  LayerWindow* window = layer_window;
  const int64_t begin_ns = layers_now_ns();
  Py_ssize_t count = PyVectorcall_NARGS(flags);
  if (names != NULL) count += PyTuple_GET_SIZE(names);
  PyObject* inputs = PyTuple_New(count - 1);
  if (inputs == NULL) return NULL;
  for (Py_ssize_t i = 1; i < count; ++i) {
    Py_INCREF(args[i]);
    PyTuple_SET_ITEM(inputs, i - 1, args[i]);
  }
  PyObject* enter_args[] = {layer, args[0], inputs};
  PyObject* done = NULL;
  const bool entered = layers_ask(layers_enter, enter_args, 3, &done);
  const bool counts = done == Py_True;
  Py_XDECREF(done);
  Py_DECREF(inputs);
  window->plan.spent_ns += layers_now_ns() - begin_ns;
  if (!entered) return NULL;
  const bool opaque = ((Layer*)layer)->opaque;
  if (opaque) *inner = false;
  PyObject* result = PyObject_Vectorcall(self->wrapped, args, flags, names);
  if (opaque) *inner = true;
  if (!counts) return result;

  PyObject *type, *value, *traceback;
  PyErr_Fetch(&type, &value, &traceback);
  const int64_t end_ns = layers_now_ns();
  PyObject* leave_args[] = {layer, args[0], result == NULL ? Py_None : result};
  const bool left = layers_ask(layers_leave, leave_args, 3, &done);
  Py_XDECREF(done);
  window->plan.spent_ns += layers_now_ns() - end_ns;
  if (result == NULL) {
    PyErr_Clear();
    PyErr_Restore(type, value, traceback);
  } else if (!left) {
    Py_CLEAR(result);
  }
  return result;
}

PyObject* layers_call(Hooked* self, PyObject* const* args, size_t flags, PyObject* names,
                      bool* inner) {
  const Sampling sampling = layers_sampling();
  PyObject* layer = sampling == kUnsampled ? NULL : layer_of(args[0]);
  if (layer == NULL && PyErr_Occurred() != NULL) return NULL;
  if (layer == NULL) return PyObject_Vectorcall(self->wrapped, args, flags, names);
  layer_window->plan.spent_ns += kRecordsNs;
  PyObject* result = sampling == kTimed ? timed(self, args, flags, names, layer, inner)
                                        : counted(self, args, flags, names, layer, inner);
  Py_DECREF(layer);
  return result;
}

/* watch_layers(table, admit, unknown, begin_step, may_mark, enter, leave) */
static PyObject* watch_layers(PyObject* module, PyObject* args) {
  (void)module;
  PyObject* given[7];
  if (!PyArg_ParseTuple(args, "O!OOOOOO:watch_layers", &PyDict_Type, &given[0], &given[1],
                        &given[2], &given[3], &given[4], &given[5], &given[6]))
    return NULL;
  PyObject** const kept[] = {&layers_table,    &layers_admit, &layers_unknown, &layers_begin_step,
                             &layers_may_mark, &layers_enter, &layers_leave};
  for (int i = 0; i < 7; ++i) {
    Py_INCREF(given[i]);
    Py_XSETREF(*kept[i], given[i]);
  }
  layers_wanted = true;
  Py_RETURN_NONE;
}

static PyMethodDef functions[] = {
    {"watch_layers", watch_layers, METH_VARARGS,
     "watch_layers(table, admit, unknown, begin_step, may_mark, enter, leave)"},
    {NULL, NULL, 0, NULL},
};

bool layers_setup(PyObject* module) {
  return layer_window_setup() && layer_marks_setup(module) &&
         PyModule_AddFunctions(module, functions) == 0;
}
