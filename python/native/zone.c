/* The type latido.zone: `with latido.zone("load"):` and `@latido.zone("load")`.
 *
 * Outside a run the type hands out one object that does nothing, so that a call site costs a test
 * and a reference count. Objects of finished zones are kept for the next ones.
 */
#include "native.h"

typedef struct {
  PyObject_HEAD latido_site* site; /* NULL: the zone that does nothing */
  PyObject* names;                 /* tuple of str, or NULL without arguments */
  PyObject* values;                /* tuple of int and str, in the order of names */
  uint64_t recorded;               /* one bit for each entry not left yet, the innermost lowest */
} Zone;

enum { kMaxFree = 32 };
static Zone* free_zones[kMaxFree];
static int free_count;
static Zone* idle_zone;
PyObject* zone_decorator;

static Zone* zone_alloc(latido_site* site) {
  Zone* zone;
  if (free_count > 0) {
    zone = free_zones[--free_count];
    PyObject_Init((PyObject*)zone, &zone_type);
  } else {
    zone = PyObject_New(Zone, &zone_type);
    if (zone == NULL) return NULL;
  }
  zone->site = site;
  zone->names = NULL;
  zone->values = NULL;
  zone->recorded = 0;
  return zone;
}

static void zone_dealloc(PyObject* self) {
  Zone* zone = (Zone*)self;
  Py_CLEAR(zone->names);
  Py_CLEAR(zone->values);
  if (free_count < kMaxFree) {
    free_zones[free_count++] = zone;
  } else {
    PyObject_Free(zone);
  }
}

/* Numbers stay numbers, anything else becomes text now: what the object says later is another
 * matter, and a zone that holds plain values cannot be part of a reference cycle. */
static PyObject* plain_value(PyObject* value) {
  if (PyLong_CheckExact(value) || PyUnicode_CheckExact(value)) {
    Py_INCREF(value);
    return value;
  }
  PyObject* plain =
      PyIndex_Check(value) && !PyBool_Check(value) ? PyNumber_Index(value) : PyObject_Str(value);
  if (plain != NULL || !PyErr_ExceptionMatches(PyExc_Exception)) return plain;
  PyErr_Clear(); /* what cannot be shown must not end the program */
  return PyUnicode_FromFormat("<%s>", Py_TYPE(value)->tp_name);
}

static bool take_args(Zone* zone, PyObject* const* values, PyObject* names) {
  const Py_ssize_t count = PyTuple_GET_SIZE(names);
  PyObject* plain = PyTuple_New(count);
  if (plain == NULL) return false;
  for (Py_ssize_t i = 0; i < count; ++i) {
    PyObject* value = plain_value(values[i]);
    if (value == NULL) {
      Py_DECREF(plain);
      return false;
    }
    PyTuple_SET_ITEM(plain, i, value);
  }
  Py_INCREF(names);
  zone->names = names;
  zone->values = plain;
  return true;
}

static PyObject* zone_make(PyObject* type, PyObject* const* args, size_t flags, PyObject* names) {
  (void)type;
  if (PyVectorcall_NARGS(flags) != 1) {
    PyErr_SetString(PyExc_TypeError, "zone() takes one positional argument, its name");
    return NULL;
  }
  if (*latido_state == LATIDO_OFF) {
    Py_INCREF(idle_zone);
    return (PyObject*)idle_zone;
  }
  latido_site* site = zone_site(args[0]);
  if (site == NULL) return NULL;
  Zone* zone = zone_alloc(site);
  if (zone == NULL) return NULL;
  if (names != NULL && PyTuple_GET_SIZE(names) > 0 && !take_args(zone, args + 1, names)) {
    Py_DECREF(zone);
    return NULL;
  }
  return (PyObject*)zone;
}

static PyObject* zone_enter(PyObject* self, PyObject* ignored) {
  (void)ignored;
  Zone* zone = (Zone*)self;
  Py_INCREF(self);
  if (zone->site == NULL) return self;
  const bool recorded = recording() && latido_begin(zone->site) != 0;
  zone->recorded = zone->recorded << 1 | (uint64_t)recorded;
  if (recorded && zone->names != NULL) {
    for (Py_ssize_t i = 0; i < PyTuple_GET_SIZE(zone->names); ++i) {
      latido_site* name = arg_site(PyTuple_GET_ITEM(zone->names, i));
      if (name == NULL) PyErr_Clear(); /* a zone must not fail for its decoration */
      if (name != NULL) send_arg(name, PyTuple_GET_ITEM(zone->values, i));
    }
  }
  return self;
}

static PyObject* zone_exit(PyObject* self, PyObject* const* args, Py_ssize_t count) {
  Zone* zone = (Zone*)self;
  if ((zone->recorded & 1) != 0) {
    const bool raised = count > 0 && args[0] != Py_None;
    (raised ? end_raised : latido_end)(zone->site);
  }
  zone->recorded >>= 1;
  Py_RETURN_FALSE;
}

/* Used as a decorator. Off stays off, so that the function is then given back as it was. */
static PyObject* zone_call(PyObject* self, PyObject* args, PyObject* kwargs) {
  PyObject* function;
  static char* keywords[] = {"function", NULL};
  if (!PyArg_ParseTupleAndKeywords(args, kwargs, "O:zone", keywords, &function)) return NULL;
  Zone* zone = (Zone*)self;
  if (zone->site == NULL || zone_decorator == NULL) {
    Py_INCREF(function);
    return function;
  }
  const Py_ssize_t handle = handle_new(zone->site);
  if (handle < 0) return NULL;
  PyObject* none = Py_None;
  return PyObject_CallFunction(zone_decorator, "OnOO", function, handle,
                               zone->names != NULL ? zone->names : none,
                               zone->values != NULL ? zone->values : none);
}

static PyMethodDef zone_methods[] = {
    {"__enter__", zone_enter, METH_NOARGS, NULL},
    {"__exit__", (PyCFunction)(void (*)(void))zone_exit, METH_FASTCALL, NULL},
    {NULL, NULL, 0, NULL},
};

PyTypeObject zone_type = {
    PyVarObject_HEAD_INIT(NULL, 0).tp_name = "latido.zone",
    .tp_doc = PyDoc_STR("zone(name, /, **args)\n--\n\n"
                        "Records the block or function it stands before, under its name.\n\n"
                        "Args:\n"
                        "  name: What the block does; best a literal.\n"
                        "  **args: Numbers and texts shown with the zone.\n\n"
                        "Example:\n"
                        "  >>> with zone('load', files=3):\n"
                        "  ...     pass\n\n"
                        "Not for async functions and generators, whose pieces interleave: as a\n"
                        "decorator it gives those back unchanged."),
    .tp_basicsize = sizeof(Zone),
    .tp_flags = Py_TPFLAGS_DEFAULT,
    .tp_dealloc = zone_dealloc,
    .tp_call = zone_call,
    .tp_methods = zone_methods,
    .tp_vectorcall = zone_make,
};

bool zone_setup(PyObject* module) {
  if (PyType_Ready(&zone_type) < 0) return false;
  if (idle_zone == NULL && (idle_zone = zone_alloc(NULL)) == NULL) return false;
  Py_INCREF(&zone_type);
  if (PyModule_AddObject(module, "zone", (PyObject*)&zone_type) == 0) return true;
  Py_DECREF(&zone_type);
  return false;
}
