/* The yardstick of zone_bench.py: a context manager that does nothing, as cheap as C makes one. */
#include <Python.h>

enum { kMaxFree = 32 };
static PyObject* free_objects[kMaxFree];
static int free_count;
static PyTypeObject empty_type;

static PyObject* make(PyObject* type, PyObject* const* args, size_t flags, PyObject* names) {
  (void)type, (void)args, (void)names;
  if (PyVectorcall_NARGS(flags) != 1) {
    PyErr_SetString(PyExc_TypeError, "empty() takes one argument");
    return NULL;
  }
  if (free_count > 0) return PyObject_Init(free_objects[--free_count], &empty_type);
  return PyObject_New(PyObject, &empty_type);
}

static void dealloc(PyObject* self) {
  if (free_count < kMaxFree) {
    free_objects[free_count++] = self;
  } else {
    PyObject_Free(self);
  }
}

static PyObject* enter(PyObject* self, PyObject* ignored) {
  (void)ignored;
  Py_INCREF(self);
  return self;
}

static PyObject* leave(PyObject* self, PyObject* const* args, Py_ssize_t count) {
  (void)self, (void)args, (void)count;
  Py_RETURN_FALSE;
}

static PyMethodDef methods[] = {
    {"__enter__", enter, METH_NOARGS, NULL},
    {"__exit__", (PyCFunction)(void (*)(void))leave, METH_FASTCALL, NULL},
    {NULL, NULL, 0, NULL},
};

static PyTypeObject empty_type = {
    PyVarObject_HEAD_INIT(NULL, 0).tp_name = "empty.empty",
    .tp_basicsize = sizeof(PyObject),
    .tp_flags = Py_TPFLAGS_DEFAULT,
    .tp_dealloc = dealloc,
    .tp_methods = methods,
    .tp_vectorcall = make,
};

static struct PyModuleDef definition = {PyModuleDef_HEAD_INIT, .m_name = "empty", .m_size = -1};

PyMODINIT_FUNC PyInit_empty(void) {
  PyObject* module = PyModule_Create(&definition);
  if (module == NULL || PyType_Ready(&empty_type) < 0) return NULL;
  Py_INCREF(&empty_type);
  if (PyModule_AddObject(module, "empty", (PyObject*)&empty_type) < 0) return NULL;
  return module;
}
