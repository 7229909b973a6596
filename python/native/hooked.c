/* The type of the functions that stand for hooked ones, in C: no frame, no tuple of arguments, no
 * interpreter between the caller and the function. Looks like a function to everyone but isfunction():
 * functools.update_wrapper fills its dictionary, inspect.signature follows __wrapped__, it binds as a
 * method and is pickled by its name. */
#include <stddef.h>

#include "native.h"

PyObject* hooked_new(PyObject* wrapped, latido_site* site, HookedCall call) {
  Hooked* hooked = PyObject_New(Hooked, &hooked_type);
  if (hooked == NULL) return NULL;
  hooked->vectorcall = (vectorcallfunc)(void (*)(void))call;
  Py_INCREF(wrapped);
  hooked->wrapped = wrapped;
  hooked->dict = NULL;
  hooked->site = site;
  return (PyObject*)hooked;
}

static void hooked_dealloc(PyObject* self) {
  Hooked* hooked = (Hooked*)self;
  Py_CLEAR(hooked->wrapped);
  Py_CLEAR(hooked->dict);
  PyObject_Free(hooked);
}

static PyObject* hooked_bind(PyObject* self, PyObject* owner, PyObject* type) {
  (void)type;
  if (owner != NULL && owner != Py_None) return PyMethod_New(self, owner);
  Py_INCREF(self);
  return self;
}

static PyObject* hooked_repr(PyObject* self) { return PyObject_Repr(((Hooked*)self)->wrapped); }

/* A text: pickle and copy then go by name, as they do for functions. */
static PyObject* hooked_reduce(PyObject* self, PyObject* ignored) {
  (void)ignored;
  return PyObject_GetAttrString(self, "__qualname__");
}

static PyMethodDef hooked_methods[] = {
    {"__reduce__", hooked_reduce, METH_NOARGS, NULL},
    {NULL, NULL, 0, NULL},
};

static PyGetSetDef hooked_attributes[] = {
    {"__dict__", PyObject_GenericGetDict, PyObject_GenericSetDict, NULL, NULL},
    {NULL, NULL, NULL, NULL, NULL},
};

PyTypeObject hooked_type = {
    PyVarObject_HEAD_INIT(NULL, 0).tp_name = "latido.hooked",
    .tp_basicsize = sizeof(Hooked),
    .tp_dealloc = hooked_dealloc,
    .tp_vectorcall_offset = offsetof(Hooked, vectorcall),
    .tp_repr = hooked_repr,
    .tp_call = PyVectorcall_Call,
    .tp_flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_HAVE_VECTORCALL | Py_TPFLAGS_METHOD_DESCRIPTOR,
    .tp_methods = hooked_methods,
    .tp_getset = hooked_attributes,
    .tp_descr_get = hooked_bind,
    .tp_dictoffset = offsetof(Hooked, dict),
};

static PyObject* span(Hooked* self, PyObject* const* args, size_t flags, PyObject* names) {
  const bool recorded = recording() && latido_begin(self->site) != 0;
  PyObject* result = PyObject_Vectorcall(self->wrapped, args, flags, names);
  if (recorded) end_call(self->site, result);
  return result;
}

static PyObject* wrap_span(PyObject* module, PyObject* args) {
  (void)module;
  PyObject *original, *handle;
  if (!PyArg_ParseTuple(args, "OO:wrap_span", &original, &handle)) return NULL;
  latido_site* site = handle_site(handle);
  return site == NULL ? NULL : hooked_new(original, site, span);
}

static PyMethodDef functions[] = {
    {"wrap_span", wrap_span, METH_VARARGS,
     "wrap_span(original, site) -> the function with a span around each call"},
    {NULL, NULL, 0, NULL},
};

bool hooked_setup(PyObject* module) {
  return PyType_Ready(&hooked_type) == 0 && PyModule_AddFunctions(module, functions) == 0;
}

void end_raised(const latido_site* site) {
  static latido_site raised = {.name = "raised", .category = "arg"};
  latido_arg(&raised, 1);
  latido_end(site);
}
