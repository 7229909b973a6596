/* What the wrapper of nn.Module.__call__ asks: whether this call is an outermost one, and of which
 * model. The wrapper itself is a Python function, because torch.compile must be able to look into it. */
#include <pthread.h>

#include "native.h"

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

/* The outermost call under way in this thread. */
static __thread struct {
  bool inside;
  latido_site* recorded; /* NULL: it found no room */
  uint64_t number;
} outermost;

static void forget_call(void) {
  outermost.inside = false;
  outermost.recorded = NULL;
}

static Slot* slot_of(const void* model) { return &known[address_hash(model) % kSlots]; }

enum { kPassBy, kEntered, kUnknown };

static int enter(PyObject* model) {
  if (outermost.inside || !recording()) return kPassBy;
  const Slot* slot = slot_of(model);
  if (slot->model != model) return kUnknown;
  PyObject* enabled = PyObject_CallNoArgs(is_grad_enabled);
  if (enabled == NULL) PyErr_Clear();
  latido_site* site = enabled == Py_False ? slot->site_nograd : slot->site;
  Py_XDECREF(enabled);
  outermost.inside = true;
  outermost.recorded = latido_begin(site) != 0 ? site : NULL;
  outermost.number = slot->number;
  return kEntered;
}

static PyObject* enter_model(PyObject* module, PyObject* model) {
  (void)module;
  return PyLong_FromLong(enter(model));
}

static PyObject* leave_model(PyObject* module, PyObject* raised) {
  (void)module;
  static latido_site model_arg = {.name = "model", .category = "arg"};
  latido_site* site = outermost.recorded;
  outermost.inside = false;
  outermost.recorded = NULL;
  if (site != NULL) {
    latido_arg(&model_arg, outermost.number);
    if (raised == Py_True) {
      end_raised(site);
    } else {
      latido_end(site);
    }
  }
  Py_RETURN_NONE;
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

static PyObject* watch_gradients(PyObject* module, PyObject* function) {
  (void)module;
  Py_INCREF(function);
  Py_XSETREF(is_grad_enabled, function);
  Py_RETURN_NONE;
}

static PyMethodDef functions[] = {
    {"enter_model", enter_model, METH_O,
     "enter_model(model) -> 0 inside another or not recorded, 1 entered, 2 not remembered yet"},
    {"leave_model", leave_model, METH_O, "leave_model(whether an exception leaves it)"},
    {"remember_model", remember_model, METH_VARARGS,
     "remember_model(model, number, site, site_nograd)"},
    {"forget_model", forget_model, METH_O, "forget_model(id(model)), before its memory is reused"},
    {"watch_gradients", watch_gradients, METH_O, "watch_gradients(torch.is_grad_enabled)"},
    {NULL, NULL, 0, NULL},
};

bool forward_setup(PyObject* module) {
  return pthread_atfork(NULL, NULL, forget_call) == 0 &&
         PyModule_AddFunctions(module, functions) == 0;
}
