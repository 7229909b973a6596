/* A DataLoader iterator's __next__ with a span around it that says which batch came and how large.
 *
 * Where batches come from workers, latido._hooks.loader is asked for the rest. */
#include <poll.h>
#include <stddef.h>
#include <string.h>

#include "native.h"

/* What is known of one iterator: attribute `_latido` of it. */
typedef struct {
  PyObject_HEAD unsigned long long loader; /* number of its DataLoader */
  unsigned long long delivered;
  long long received; /* index of the last message from a worker */
  int descriptor;     /* where messages arrive; -1: nowhere that can be asked */
  char ready;         /* no message of this wait has had to be waited for */
  PyObject* pids;     /* list of the workers', empty without */
  PyObject* makers;   /* dict: worker by index of a batch received, not yet delivered */
  TensorForm form;    /* of the last batch, when it was a tensor */
  PyObject* shape;    /* of the last batch, when it was something else */
  PyObject* dtype;
} Wait;

static PyMemberDef wait_members[] = {
    {"loader", T_ULONGLONG, offsetof(Wait, loader), READONLY, NULL},
    {"received", T_LONGLONG, offsetof(Wait, received), 0, NULL},
    {"descriptor", T_INT, offsetof(Wait, descriptor), READONLY, NULL},
    {"ready", T_BOOL, offsetof(Wait, ready), 0, NULL},
    {"pids", T_OBJECT, offsetof(Wait, pids), READONLY, NULL},
    {"makers", T_OBJECT_EX, offsetof(Wait, makers), READONLY, NULL},
    {NULL, 0, 0, 0, NULL},
};

static void wait_dealloc(PyObject* self) {
  Wait* wait = (Wait*)self;
  Py_CLEAR(wait->pids);
  Py_CLEAR(wait->makers);
  Py_CLEAR(wait->shape);
  Py_CLEAR(wait->dtype);
  PyObject_Free(wait);
}

/* Wait(loader, pids, descriptor) */
static PyObject* wait_make(PyTypeObject* type, PyObject* args, PyObject* keywords) {
  (void)keywords;
  unsigned long long loader;
  PyObject* pids;
  int descriptor;
  if (!PyArg_ParseTuple(args, "KO!i:Wait", &loader, &PyList_Type, &pids, &descriptor)) return NULL;
  PyObject* makers = PyDict_New();
  Wait* wait = makers == NULL ? NULL : PyObject_New(Wait, type);
  if (wait == NULL) {
    Py_XDECREF(makers);
    return NULL;
  }
  Py_INCREF(pids);
  wait->loader = loader;
  wait->delivered = 0;
  wait->received = -1;
  wait->descriptor = descriptor;
  wait->ready = 1;
  wait->pids = pids;
  wait->makers = makers;
  memset(&wait->form, 0xff, sizeof wait->form); /* no tensor's */
  wait->shape = NULL;
  wait->dtype = NULL;
  return (PyObject*)wait;
}

static PyTypeObject wait_type = {
    PyVarObject_HEAD_INIT(NULL, 0).tp_name = "latido._core.Wait",
    .tp_basicsize = sizeof(Wait),
    .tp_flags = Py_TPFLAGS_DEFAULT,
    .tp_new = wait_make,
    .tp_dealloc = wait_dealloc,
    .tp_members = wait_members,
};

static latido_site arg_loader = {.name = "loader", .category = "arg"};
static latido_site arg_batch = {.name = "batch", .category = "arg"};
static latido_site arg_samples = {.name = "samples", .category = "arg"};
static latido_site arg_stop = {.name = "stop", .category = "arg"};
static latido_site arg_queue_ready = {.name = "queue_ready", .category = "arg"};
static latido_site arg_worker_pid = {.name = "worker_pid", .category = "arg"};

static PyObject *text_latido, *text_shape, *text_dtype, *text_values;
/* Python's part: new_wait(iterator) -> Wait; delivered(iterator, wait) -> (index, pid or 0);
 * tell_shape(wait, shape, dtype). */
static PyObject *new_wait, *delivered_by, *tell_shape;

/* A new reference to the first element of a list, a tuple or the values of a mapping, NULL when there
 * is none. May leave an exception. */
static PyObject* first_inside(PyObject* batch) {
  PyObject* first = NULL;
  if (PyList_Check(batch) || PyTuple_Check(batch)) {
    if (PySequence_Fast_GET_SIZE(batch) > 0) first = PySequence_Fast_GET_ITEM(batch, 0);
    Py_XINCREF(first);
    return first;
  }
  PyObject* values = PyObject_CallMethodNoArgs(batch, text_values);
  PyObject* iterator = values == NULL ? NULL : PyObject_GetIter(values);
  if (iterator != NULL) first = PyIter_Next(iterator);
  Py_XDECREF(iterator);
  Py_XDECREF(values);
  return first;
}

static PyObject* attribute(PyObject* object, PyObject* name) {
  PyObject* value = PyObject_GetAttr(object, name);
  PyErr_Clear();
  return value;
}

/* A new reference to the first tensor or array of a batch, looking a few levels down; NULL when there is
 * none. `form` is a tensor's; for anything else *shape is a new reference to its shape. */
static PyObject* first_array(PyObject* batch, TensorForm* form, PyObject** shape) {
  enum { kLevels = 4 };
  Py_INCREF(batch);
  for (int level = 0; level < kLevels && batch != NULL; ++level) {
    if (!PyList_CheckExact(batch) && !PyTuple_CheckExact(batch)) {
      if (read_form(batch, form)) return batch;
      *shape = attribute(batch, text_shape);
      if (*shape != NULL) return batch;
    }
    PyObject* first = first_inside(batch);
    PyErr_Clear();
    Py_SETREF(batch, first);
  }
  Py_XDECREF(batch);
  return NULL;
}

static void send_samples(PyObject* shape) {
  if (!PyTuple_Check(shape) || PyTuple_GET_SIZE(shape) == 0) return;
  const unsigned long long samples = PyLong_AsUnsignedLongLong(PyTuple_GET_ITEM(shape, 0));
  if (PyErr_Occurred() == NULL) latido_arg(&arg_samples, samples);
  PyErr_Clear();
}

static void send_origin(PyObject* iterator, Wait* wait) {
  const uint64_t counted = wait->delivered++;
  if (PyList_GET_SIZE(wait->pids) == 0) {
    latido_arg(&arg_batch, counted);
    return;
  }
  PyObject* origin = PyObject_CallFunctionObjArgs(delivered_by, iterator, (PyObject*)wait, NULL);
  unsigned long long index, pid;
  if (origin != NULL && PyTuple_Check(origin) && PyArg_ParseTuple(origin, "KK", &index, &pid)) {
    latido_arg(&arg_batch, index);
    latido_arg(&arg_queue_ready, wait->ready != 0);
    if (pid != 0) latido_arg(&arg_worker_pid, pid);
  }
  PyErr_Clear();
  Py_XDECREF(origin);
}

/* Whether the shape is another one than that of the batch before. */
static bool is_new_shape(Wait* wait, PyObject* shape, PyObject* dtype) {
  if (wait->shape != NULL && dtype == wait->dtype) {
    const int same = PyObject_RichCompareBool(shape, wait->shape, Py_EQ);
    PyErr_Clear();
    if (same != 0) return false;
  }
  Py_INCREF(shape);
  Py_XSETREF(wait->shape, shape);
  Py_INCREF(dtype);
  Py_XSETREF(wait->dtype, dtype);
  return true;
}

static void tell_new_shape(Wait* wait, PyObject* array, PyObject* shape) {
  PyObject* dtype = attribute(array, text_dtype);
  if (dtype != NULL && is_new_shape(wait, shape, dtype)) {
    Py_XDECREF(PyObject_CallFunctionObjArgs(tell_shape, (PyObject*)wait, shape, dtype, NULL));
    PyErr_Clear();
  }
  Py_XDECREF(dtype);
}

/* Ends the span of a wait that brought `batch`. Leaves no exception. */
static void end_with_batch(const latido_site* site, PyObject* iterator, Wait* wait,
                           PyObject* batch) {
  send_origin(iterator, wait);
  TensorForm form;
  PyObject* shape = NULL;
  PyObject* array = first_array(batch, &form, &shape);
  bool is_known = array == NULL;
  if (array != NULL && shape == NULL) { /* a tensor; its shape as an object only when it is new */
    if (form.dimensions > 0) latido_arg(&arg_samples, (uint64_t)form.shape[0]);
    is_known = memcmp(&form, &wait->form, sizeof form) == 0;
    wait->form = form;
    if (!is_known) shape = attribute(array, text_shape);
  } else if (shape != NULL) {
    send_samples(shape);
  }
  latido_end(site);
  if (!is_known && shape != NULL) tell_new_shape(wait, array, shape);
  Py_XDECREF(array);
  Py_XDECREF(shape);
}

/* The exception that says why is set. */
static void end_without_batch(const latido_site* site) {
  if (PyErr_ExceptionMatches(PyExc_StopIteration)) {
    latido_arg(&arg_stop, 1);
    latido_end(site);
  } else {
    end_raised(site);
  }
}

/* A new reference, NULL without an exception: an iterator of another make. */
static Wait* wait_of(PyObject* iterator) {
  PyObject* wait = PyObject_GetAttr(iterator, text_latido);
  if (wait == NULL) {
    PyErr_Clear();
    wait = PyObject_CallOneArg(new_wait, iterator);
    PyErr_Clear();
  }
  if (wait != NULL && Py_TYPE(wait) == &wait_type) return (Wait*)wait;
  Py_XDECREF(wait);
  return NULL;
}

static PyObject* next(Hooked* self, PyObject* const* args, size_t flags, PyObject* names) {
  const bool recorded =
      PyVectorcall_NARGS(flags) == 1 && recording() && latido_begin(self->site) != 0;
  if (!recorded) return PyObject_Vectorcall(self->wrapped, args, flags, names);
  PyObject* iterator = args[0];
  Wait* wait = wait_of(iterator);
  if (wait != NULL) wait->ready = 1;
  PyObject* batch = PyObject_Vectorcall(self->wrapped, args, flags, names);
  if (wait != NULL) latido_arg(&arg_loader, wait->loader);
  if (batch == NULL) {
    end_without_batch(self->site);
  } else if (wait != NULL) {
    end_with_batch(self->site, iterator, wait, batch);
  } else {
    latido_end(self->site);
  }
  Py_XDECREF(wait);
  return batch;
}

static PyObject* wrap_next(PyObject* module, PyObject* args) {
  (void)module;
  PyObject *original, *handle, *make, *deliver, *tell;
  if (!PyArg_ParseTuple(args, "OOOOO:wrap_next", &original, &handle, &make, &deliver, &tell))
    return NULL;
  latido_site* site = handle_site(handle);
  if (site == NULL) return NULL;
  Py_INCREF(make);
  Py_XSETREF(new_wait, make);
  Py_INCREF(deliver);
  Py_XSETREF(delivered_by, deliver);
  Py_INCREF(tell);
  Py_XSETREF(tell_shape, tell);
  return hooked_new(original, site, next);
}

/* Whether a read of the descriptor would return at once. A queue's own empty() costs 30 times as
 * much. */
static PyObject* readable(PyObject* module, PyObject* descriptor) {
  (void)module;
  const long fd = PyLong_AsLong(descriptor);
  if (fd == -1 && PyErr_Occurred()) return NULL;
  struct pollfd poller = {.fd = (int)fd, .events = POLLIN};
  return PyBool_FromLong(poll(&poller, 1, 0) > 0 && (poller.revents & POLLIN) != 0);
}

static PyMethodDef functions[] = {
    {"wrap_next", wrap_next, METH_VARARGS,
     "wrap_next(original, site, new_wait, delivered_by, tell_shape) -> the function in its place"},
    {"readable", readable, METH_O, "readable(descriptor) -> whether a read would not wait"},
    {NULL, NULL, 0, NULL},
};

bool batches_setup(PyObject* module) {
  text_latido = PyUnicode_InternFromString("_latido");
  text_shape = PyUnicode_InternFromString("shape");
  text_dtype = PyUnicode_InternFromString("dtype");
  text_values = PyUnicode_InternFromString("values");
  if (text_latido == NULL || text_shape == NULL || text_dtype == NULL || text_values == NULL)
    return false;
  if (PyType_Ready(&wait_type) < 0 || PyModule_AddFunctions(module, functions) < 0) return false;
  Py_INCREF(&wait_type);
  return PyModule_AddObject(module, "Wait", (PyObject*)&wait_type) == 0;
}
