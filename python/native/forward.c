/* What the wrapper of nn.Module.__call__ asks: whether this call is an outermost one; and what it
 * calls then. The wrapper itself is a Python function, because torch.compile must be able to look into
 * it. */
#include <pthread.h>

#include "layers.h"

/* Models by address. Python forgets an address before it can be another object's. */
typedef struct {
  PyObject* model; /* borrowed; compared, never used */
  latido_site* site;
  latido_site* site_nograd;
  uint64_t number;
} Slot;

enum { kSlots = 256 };
static Slot known[kSlots];
static PyObject* is_grad_enabled; /* torch's */
static PyObject* introduce;       /* Python's: remembers a model, if that can be */

/* Whether a call of a model is under way in this thread. */
static __thread bool inside;
/* Whether the calls inside it are recorded as well: it is in a sampled step. */
static __thread bool layers_inside;

/* In a fork child none is, whatever its thread inherited. */
static void forget_call(void) {
  inside = false;
  layers_inside = false;
}

static Slot* slot_of(const void* model) { return &known[address_hash(model) % kSlots]; }

/* NULL when the model cannot be remembered, or with an exception. */
static const Slot* find_or_introduce(PyObject* model) {
  const Slot* slot = slot_of(model);
  if (slot->model == model) return slot;
  PyObject* done = PyObject_CallOneArg(introduce, model);
  Py_XDECREF(done);
  return done != NULL && slot->model == model ? slot : NULL;
}

static PyObject* is_outermost(PyObject* module, PyObject* model) {
  (void)module;
  if (inside) return PyBool_FromLong(layers_inside);
  if (!recording()) Py_RETURN_FALSE;
  const bool found = find_or_introduce(model) != NULL;
  return PyErr_Occurred() != NULL ? NULL : PyBool_FromLong(found);
}

static latido_site* site_for_mode(const Slot* slot) {
  PyObject* enabled = PyObject_CallNoArgs(is_grad_enabled);
  if (enabled == NULL) PyErr_Clear();
  Py_XDECREF(enabled); /* compared, never used */
  return enabled == Py_False ? slot->site_nograd : slot->site;
}

/* The call of a model, which is its first argument, when it is an outermost one; of a layer in it in a
 * sampled step. */
static PyObject* outermost(Hooked* self, PyObject* const* args, size_t flags, PyObject* names) {
  static latido_site model_arg = {.name = "model", .category = "arg"};
  if (inside) return layers_call(self, args, flags, names, &layers_inside);
  const Slot* slot = find_or_introduce(args[0]);
  if (slot == NULL && PyErr_Occurred() != NULL) return NULL;
  if (slot == NULL) return PyObject_Vectorcall(self->wrapped, args, flags, names);
  latido_site* site = site_for_mode(slot);
  const uint64_t number = slot->number; /* by then the slot may be another model's */
  const bool layers = site == slot->site && layers_open(args[0]);
  if (PyErr_Occurred() != NULL) return NULL;
  const bool recorded = latido_begin(site) != 0;
  if (recorded) latido_arg(&model_arg, number);
  inside = true;
  layers_inside = layers;
  PyObject* result = layers ? layers_call(self, args, flags, names, &layers_inside)
                            : PyObject_Vectorcall(self->wrapped, args, flags, names);
  inside = false;
  layers_inside = false;
  if (recorded) end_call(site, result);
  return result;
}

static PyObject* wrap_outermost(PyObject* module, PyObject* args) {
  (void)module;
  PyObject *original, *enabled, *introducer;
  if (!PyArg_ParseTuple(args, "OOO:wrap_outermost", &original, &enabled, &introducer)) return NULL;
  Py_INCREF(enabled);
  Py_XSETREF(is_grad_enabled, enabled);
  Py_INCREF(introducer);
  Py_XSETREF(introduce, introducer);
  return hooked_new(original, NULL, outermost);
}

static PyObject* remember_model(PyObject* module, PyObject* args) {
  (void)module;
  PyObject *model, *site, *site_nograd;
  unsigned long long number;
  if (!PyArg_ParseTuple(args, "OKOO:remember_model", &model, &number, &site, &site_nograd))
    return NULL;
  Slot slot = {.model = model, .number = number};
  slot.site = handle_site(site);
  if (slot.site == NULL) return NULL;
  slot.site_nograd = handle_site(site_nograd);
  if (slot.site_nograd == NULL) return NULL;
  *slot_of(model) = slot;
  Py_RETURN_NONE;
}

static PyObject* forget_model(PyObject* module, PyObject* address) {
  (void)module;
  const void* model = PyLong_AsVoidPtr(address);
  if (model == NULL && PyErr_Occurred()) return NULL;
  Slot* slot = slot_of(model);
  if ((const void*)slot->model == model) slot->model = NULL;
  Py_RETURN_NONE;
}

static PyMethodDef functions[] = {
    {"is_outermost", is_outermost, METH_O,
     "is_outermost(model) -> whether a call of it now is to be recorded"},
    {"wrap_outermost", wrap_outermost, METH_VARARGS,
     "wrap_outermost(original, is_grad_enabled, introduce) -> what to call where is_outermost()"},
    {"remember_model", remember_model, METH_VARARGS,
     "remember_model(model, number, site, site_nograd)"},
    {"forget_model", forget_model, METH_O, "forget_model(id(model)), before its memory is reused"},
    {NULL, NULL, 0, NULL},
};

bool forward_setup(PyObject* module) {
  return pthread_atfork(NULL, NULL, forget_call) == 0 &&
         PyModule_AddFunctions(module, functions) == 0;
}
