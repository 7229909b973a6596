/* torch.autograd.backward with a span around it, and the loss that each pass starts from. */
#include <pthread.h>

#include "layers.h"

static latido_site* loss_series;
static PyObject* scaled_ref;  /* weak reference to what GradScaler.scale() returned last, or NULL */
static double unscaled_value; /* what it had been given */
static uint32_t micro_batch;  /* passes since the last optimizer step */
static PyObject* text_tensors;

static __thread uint32_t depth; /* reentrant checkpointing calls backward inside itself */

void forget_micro_batches(void) { micro_batch = 0; }

/* In a fork child no pass is under way, whatever its thread inherited. */
static void forget_depth(void) { depth = 0; }

bool is_in_backward(void) { return depth > 0; }

static bool is_scaled(PyObject* loss) {
  if (scaled_ref == NULL) return false;
  PyObject* scaled = PyObject_CallNoArgs(scaled_ref);
  Py_XDECREF(scaled); /* `loss` itself keeps it alive, if it is the one */
  PyErr_Clear();
  return scaled == loss;
}

static void tell_loss(PyObject* loss) {
  const uint32_t index = micro_batch++;
  double value = unscaled_value;
  if (is_scaled(loss) || read_scalar(loss, &value)) latido_value(loss_series, index, value);
}

static PyObject* first_argument(PyObject* const* args, size_t flags, PyObject* names) {
  const Py_ssize_t count = PyVectorcall_NARGS(flags);
  if (count > 0) return args[0];
  for (Py_ssize_t i = 0; names != NULL && i < PyTuple_GET_SIZE(names); ++i) {
    if (PyUnicode_Compare(PyTuple_GET_ITEM(names, i), text_tensors) == 0) return args[count + i];
  }
  return NULL;
}

/* Layers say in which pass they were reached, since a device has a thread of its own for that. */
static void tell_pass(uint64_t pass) {
  static latido_site pass_arg = {.name = "pass", .category = "arg"};
  if (pass != 0) latido_arg(&pass_arg, pass);
}

static PyObject* backward(Hooked* self, PyObject* const* args, size_t flags, PyObject* names) {
  const bool recorded = recording() && latido_begin(self->site) != 0;
  PyObject* loss = recorded && depth == 0 ? first_argument(args, flags, names) : NULL;
  if (loss != NULL) tell_loss(loss);
  const bool sampled = recorded && depth == 0 && layers_wanted;
  if (sampled) tell_pass(layers_backward_begins());
  ++depth;
  PyObject* result = PyObject_Vectorcall(self->wrapped, args, flags, names);
  if (depth > 0) --depth;
  if (recorded) end_call(self->site, result);
  if (sampled) layers_backward_ended();
  return result;
}

static PyObject* wrap_backward(PyObject* module, PyObject* args) {
  (void)module;
  PyObject *original, *site_handle, *series_handle;
  if (!PyArg_ParseTuple(args, "OOO:wrap_backward", &original, &site_handle, &series_handle))
    return NULL;
  latido_site* site = handle_site(site_handle);
  loss_series = site == NULL ? NULL : handle_site(series_handle);
  if (loss_series == NULL) return NULL;
  return hooked_new(original, site, backward);
}

/* remember_scaled(outputs, scaled): what GradScaler.scale() was given and gave back. */
static PyObject* remember_scaled(PyObject* module, PyObject* const* args, Py_ssize_t count) {
  (void)module;
  if (count != 2) {
    PyErr_SetString(PyExc_TypeError, "remember_scaled() takes two tensors");
    return NULL;
  }
  if (!recording() || !read_scalar(args[0], &unscaled_value)) Py_RETURN_NONE;
  PyObject* reference = PyWeakref_NewRef(args[1], NULL);
  if (reference == NULL) return NULL;
  Py_XSETREF(scaled_ref, reference);
  Py_RETURN_NONE;
}

static PyObject* inside_backward(PyObject* module, PyObject* ignored) {
  (void)module;
  (void)ignored;
  return PyBool_FromLong(is_in_backward());
}

static PyMethodDef functions[] = {
    {"wrap_backward", wrap_backward, METH_VARARGS,
     "wrap_backward(original, site, loss_series) -> the function in its place"},
    {"remember_scaled", (PyCFunction)(void (*)(void))remember_scaled, METH_FASTCALL,
     "remember_scaled(outputs, scaled): a pass that starts from `scaled` has the loss `outputs`"},
    {"inside_backward", inside_backward, METH_NOARGS, "Whether this thread is in a pass."},
    {NULL, NULL, 0, NULL},
};

bool backward_setup(PyObject* module) {
  text_tensors = PyUnicode_InternFromString("tensors");
  return text_tensors != NULL && pthread_atfork(NULL, NULL, forget_depth) == 0 &&
         PyModule_AddFunctions(module, functions) == 0;
}
