/* The functions of latido._core. Each is a conversion and one call of the capture library. */
#include "functions.h"
#include "layers.h"
#include "native.h"

bool recording_paused;
bool description_due;
static PyObject* first_event_callback;
static bool describing_process;

bool recording_first_event(void) {
  if (describing_process || first_event_callback == NULL) return !recording_paused;
  describing_process = true;
  description_due = false;
  PyObject *type, *value, *traceback;
  PyErr_Fetch(&type, &value, &traceback); /* a zone may begin while an exception travels */
  PyObject* result = PyObject_CallNoArgs(first_event_callback);
  if (result == NULL) PyErr_Clear();
  Py_XDECREF(result);
  PyErr_Restore(type, value, traceback);
  describing_process = false;
  return *latido_state != LATIDO_OFF && !recording_paused;
}

void send_text(latido_site* site, PyObject* text) {
  Py_ssize_t size;
  const char* bytes = PyUnicode_AsUTF8AndSize(text, &size);
  if (bytes != NULL) {
    latido_text(site, bytes, size > UINT32_MAX ? UINT32_MAX : (uint32_t)size);
    return;
  }
  PyErr_Clear(); /* lone surrogates, as in file names that are no UTF-8 */
  PyObject* escaped = PyUnicode_AsEncodedString(text, "utf-8", "backslashreplace");
  if (escaped == NULL) {
    PyErr_Clear();
    return;
  }
  size = PyBytes_GET_SIZE(escaped);
  latido_text(site, PyBytes_AS_STRING(escaped), size > UINT32_MAX ? UINT32_MAX : (uint32_t)size);
  Py_DECREF(escaped);
}

void send_arg(latido_site* name, PyObject* value) {
  if (PyLong_Check(value)) {
    int overflow;
    const long long number = PyLong_AsLongLongAndOverflow(value, &overflow);
    if (overflow == 0 && number >= 0) {
      latido_arg(name, (uint64_t)number);
      return;
    }
  }
  PyObject* text = PyObject_Str(value);
  if (text == NULL) {
    PyErr_Clear();
    return;
  }
  send_text(name, text);
  Py_DECREF(text);
}

static bool expect(const char* function, Py_ssize_t got, Py_ssize_t want) {
  if (got == want) return true;
  PyErr_Format(PyExc_TypeError, "%s() takes %zd arguments, got %zd", function, want, got);
  return false;
}

static PyObject* define_site(PyObject* module, PyObject* args) {
  (void)module;
  const char *name, *category, *file = NULL;
  unsigned int line = 0;
  if (!PyArg_ParseTuple(args, "ss|zI:define_site", &name, &category, &file, &line)) return NULL;
  latido_site* site = site_new(name, category, file, line);
  if (site == NULL) return NULL;
  const Py_ssize_t handle = handle_new(site);
  return handle < 0 ? NULL : PyLong_FromSsize_t(handle);
}

static PyObject* begin(PyObject* module, PyObject* handle) {
  (void)module;
  latido_site* site = handle_site(handle);
  if (site == NULL) return NULL;
  return PyBool_FromLong(recording() && latido_begin(site) != 0);
}

/* end(handle, [name, number]…): arguments first, while the zone is open. */
static PyObject* end(PyObject* module, PyObject* const* args, Py_ssize_t count) {
  (void)module;
  if (count % 2 != 1) {
    PyErr_SetString(PyExc_TypeError,
                    "end() takes a handle and pairs of a name's handle and a number");
    return NULL;
  }
  for (Py_ssize_t i = 1; i < count; i += 2) {
    latido_site* name = handle_site(args[i]);
    if (name == NULL) return NULL;
    send_arg(name, args[i + 1]);
  }
  latido_site* site = handle_site(args[0]);
  if (site == NULL) return NULL;
  latido_end(site);
  Py_RETURN_NONE;
}

static PyObject* arg(PyObject* module, PyObject* const* args, Py_ssize_t count) {
  (void)module;
  if (!expect("arg", count, 2)) return NULL;
  latido_site* name = handle_site(args[0]);
  if (name == NULL) return NULL;
  if (recording()) send_arg(name, args[1]);
  Py_RETURN_NONE;
}

static PyObject* value(PyObject* module, PyObject* const* args, Py_ssize_t count) {
  (void)module;
  if (!expect("value", count, 3)) return NULL;
  latido_site* series = handle_site(args[0]);
  if (series == NULL) return NULL;
  const unsigned long index = PyLong_AsUnsignedLongMask(args[1]);
  if (index == (unsigned long)-1 && PyErr_Occurred()) return NULL;
  const double number = PyFloat_AsDouble(args[2]);
  if (number == -1.0 && PyErr_Occurred()) return NULL;
  if (recording()) latido_value(series, (uint32_t)index, number);
  Py_RETURN_NONE;
}

static PyObject* instant(PyObject* module, PyObject* const* args, Py_ssize_t count) {
  (void)module;
  if (!expect("instant", count, 2)) return NULL;
  latido_site* site = handle_site(args[0]);
  if (site == NULL) return NULL;
  const unsigned long long number = PyLong_AsUnsignedLongLongMask(args[1]);
  if (number == (unsigned long long)-1 && PyErr_Occurred()) return NULL;
  if (recording()) latido_instant(site, number);
  Py_RETURN_NONE;
}

static PyObject* text(PyObject* module, PyObject* const* args, Py_ssize_t count) {
  (void)module;
  if (!expect("text", count, 2)) return NULL;
  latido_site* site = handle_site(args[0]);
  if (site == NULL) return NULL;
  if (!PyUnicode_Check(args[1])) {
    PyErr_SetString(PyExc_TypeError, "text() takes a handle and a str");
    return NULL;
  }
  if (recording()) send_text(site, args[1]);
  Py_RETURN_NONE;
}

static PyObject* step(PyObject* module, PyObject* ignored) {
  (void)module;
  (void)ignored;
  if (recording()) {
    latido_step();
    detail_follow();
    if (layers_wanted) layers_step_ended();
  }
  Py_RETURN_NONE;
}

static PyObject* state(PyObject* module, PyObject* ignored) {
  (void)module;
  (void)ignored;
  return PyLong_FromLong((long)*latido_state);
}

static PyObject* dropped(PyObject* module, PyObject* ignored) {
  (void)module;
  (void)ignored;
  return PyLong_FromUnsignedLongLong(latido_dropped());
}

static PyObject* describe_if_due(PyObject* module, PyObject* ignored) {
  (void)module;
  (void)ignored;
  if (description_due) recording_first_event();
  Py_RETURN_NONE;
}

static PyObject* set_paused(PyObject* module, PyObject* paused) {
  (void)module;
  const int truth = PyObject_IsTrue(paused);
  if (truth < 0) return NULL;
  recording_paused = truth != 0;
  Py_RETURN_NONE;
}

static PyObject* on_first_event(PyObject* module, PyObject* callback) {
  (void)module;
  Py_INCREF(callback);
  Py_XSETREF(first_event_callback, callback);
  Py_RETURN_NONE;
}

static PyObject* set_decorator(PyObject* module, PyObject* callback) {
  (void)module;
  Py_INCREF(callback);
  Py_XSETREF(zone_decorator, callback);
  Py_RETURN_NONE;
}

#define FAST(function) (PyCFunction)(void (*)(void))(function), METH_FASTCALL
static PyMethodDef methods[] = {
    {"define_site", define_site, METH_VARARGS, "define_site(name, category, file=None, line=0)"},
    {"begin", begin, METH_O, "begin(site) -> whether recorded; exactly then end() must follow"},
    {"end", FAST(end), "end(site, [name, number]...)"},
    {"arg", FAST(arg), "arg(name, number)"},
    {"value", FAST(value), "value(series, index, number)"},
    {"instant", FAST(instant), "instant(site, number)"},
    {"text", FAST(text), "text(site, text)"},
    {"step", step, METH_NOARGS, "step()"},
    {"state", state, METH_NOARGS, "state() -> 0 undecided, 1 recording, 2 off"},
    {"dropped", dropped, METH_NOARGS, "dropped() -> records that found no room"},
    {"describe_if_due", describe_if_due, METH_NOARGS, "describe_if_due()"},
    {"pause", set_paused, METH_O, "pause(whether)"},
    {"on_first_event", on_first_event, METH_O, "on_first_event(callback)"},
    {"set_decorator", set_decorator, METH_O, "set_decorator(callback)"},
    {NULL, NULL, 0, NULL},
};

static int setup(PyObject* module) {
  /* latido/_native.py expects the same number. */
  enum { kAbi = 6 };
  const bool done = PyModule_AddIntConstant(module, "ABI", kAbi) == 0 && zone_setup(module) &&
                    hooked_setup(module) && tensor_setup(module) && backward_setup(module) &&
                    forward_setup(module) && optimizer_setup(module) && batches_setup(module) &&
                    layers_setup(module) && functions_setup(module);
  return done ? 0 : -1;
}

static PyModuleDef_Slot slots[] = {
    {Py_mod_exec, setup},
#if PY_VERSION_HEX >= 0x030C0000
    {Py_mod_multiple_interpreters, Py_MOD_MULTIPLE_INTERPRETERS_NOT_SUPPORTED},
#endif
    {0, NULL},
};

static struct PyModuleDef definition = {PyModuleDef_HEAD_INIT, .m_name = "latido._core",
                                        .m_methods = methods, .m_slots = slots};

PyMODINIT_FUNC PyInit__core(void) { return PyModuleDef_Init(&definition); }
