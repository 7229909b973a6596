/* What the wrapper of an optimizer's step asks: whether this call is a step of its own, and what there
 * is to tell with it. The wrapper itself is a Python function: learning-rate schedulers and
 * torch.compile look into it. */
#include <pthread.h>

#include "native.h"

/* Optimizers by address. Python forgets an address before it can be another object's. */
typedef struct {
  PyObject* optimizer; /* borrowed */
  latido_site* site;
  uint64_t number;
  uint64_t steps;
  double rate; /* as told last */
  bool rate_told;
} Slot;

enum { kSlots = 64 };
static Slot known[kSlots];
static latido_site* rate_series;
static latido_site* norm_series;
static uint64_t steps_per_norm;
static bool norm_seen; /* the program computes norms itself: none need be sampled */
static uint32_t updates;
static PyObject *text_param_groups, *text_lr;

/* The steps under way in this thread; one inside another is a wrapper's, or super().step(). */
enum { kMaxNested = 8 };
static __thread struct {
  PyObject* optimizer; /* compared, never used */
  latido_site* site;
  uint64_t number;
} under_way[kMaxNested];
static __thread int nested;

static void forget_steps(void) { nested = 0; }

static Slot* slot_of(const void* optimizer) { return &known[address_hash(optimizer) % kSlots]; }

static bool is_under_way(const PyObject* optimizer) {
  for (int i = 0; i < nested; ++i) {
    if (under_way[i].optimizer == optimizer) return true;
  }
  return false;
}

/* Of the first group; a tensor may live on a device, where reading it waits. */
static bool read_rate(PyObject* optimizer, double* rate) {
  bool found = false;
  PyObject* groups = PyObject_GetAttr(optimizer, text_param_groups);
  if (groups != NULL && PyList_Check(groups) && PyList_GET_SIZE(groups) > 0) {
    PyObject* group = PyList_GET_ITEM(groups, 0);
    PyObject* value = PyDict_Check(group) ? PyDict_GetItemWithError(group, text_lr) : NULL;
    found = value != NULL && PyFloat_CheckExact(value);
    if (found) *rate = PyFloat_AS_DOUBLE(value);
  }
  Py_XDECREF(groups);
  PyErr_Clear();
  return found;
}

enum { kPassBy, kEntered, kUnknown, kNormDue };

static int enter(PyObject* optimizer) {
  if (!recording() || nested == kMaxNested || is_under_way(optimizer)) return kPassBy;
  Slot* slot = slot_of(optimizer);
  if (slot->optimizer != optimizer) return kUnknown;
  if (latido_begin(slot->site) == 0) return kPassBy;
  under_way[nested].optimizer = optimizer;
  under_way[nested].site = slot->site;
  under_way[nested].number = slot->number;
  ++nested;
  double rate = 0;
  if (read_rate(optimizer, &rate) && (!slot->rate_told || rate != slot->rate)) {
    slot->rate = rate;
    slot->rate_told = true;
    latido_value(rate_series, updates, rate);
  }
  forget_micro_batches();
  ++updates;
  return slot->steps++ % steps_per_norm == 0 && !norm_seen ? kNormDue : kEntered;
}

static PyObject* enter_step(PyObject* module, PyObject* optimizer) {
  (void)module;
  return PyLong_FromLong(enter(optimizer));
}

static PyObject* leave_step(PyObject* module, PyObject* raised) {
  (void)module;
  static latido_site optimizer_arg = {.name = "optimizer", .category = "arg"};
  if (nested > 0) { /* else: entered before the fork that made this process */
    --nested;
    latido_arg(&optimizer_arg, under_way[nested].number);
    if (raised == Py_True) {
      end_raised(under_way[nested].site);
    } else {
      latido_end(under_way[nested].site);
    }
  }
  Py_RETURN_NONE;
}

static PyObject* remember_optimizer(PyObject* module, PyObject* args) {
  (void)module;
  PyObject *optimizer, *site;
  unsigned long long number;
  if (!PyArg_ParseTuple(args, "OKO:remember_optimizer", &optimizer, &number, &site)) return NULL;
  Slot slot = {.optimizer = optimizer, .number = number};
  slot.site = handle_site(site);
  if (slot.site == NULL) return NULL;
  *slot_of(optimizer) = slot;
  Py_RETURN_NONE;
}

static PyObject* forget_optimizer(PyObject* module, PyObject* address) {
  (void)module;
  const void* optimizer = PyLong_AsVoidPtr(address);
  if (optimizer == NULL && PyErr_Occurred()) return NULL;
  Slot* slot = slot_of(optimizer);
  if ((const void*)slot->optimizer == optimizer) slot->optimizer = NULL;
  Py_RETURN_NONE;
}

static PyObject* watch_optimizers(PyObject* module, PyObject* args) {
  (void)module;
  PyObject *rate, *norm;
  unsigned long long steps;
  if (!PyArg_ParseTuple(args, "OOK:watch_optimizers", &rate, &norm, &steps)) return NULL;
  rate_series = handle_site(rate);
  norm_series = rate_series == NULL ? NULL : handle_site(norm);
  if (norm_series == NULL) return NULL;
  steps_per_norm = steps > 0 ? steps : 1;
  Py_RETURN_NONE;
}

/* tell_norm(norm): a sampled one is a float, the program's own a tensor. */
static PyObject* tell_norm(PyObject* module, PyObject* norm) {
  (void)module;
  double value = 0;
  const bool sampled = PyFloat_CheckExact(norm);
  if (sampled) value = PyFloat_AS_DOUBLE(norm);
  if (!sampled) norm_seen = true;
  /* A sample is taken inside the step, which has been counted by then. */
  const uint32_t step = sampled ? updates - 1 : updates;
  if ((sampled || read_scalar(norm, &value)) && recording()) latido_value(norm_series, step, value);
  Py_RETURN_NONE;
}

static PyMethodDef functions[] = {
    {"enter_step", enter_step, METH_O,
     "enter_step(optimizer) -> 0 no step of its own, 1 entered, 2 not remembered yet, 3 entered "
     "and "
     "a gradient norm is due"},
    {"leave_step", leave_step, METH_O, "leave_step(whether an exception leaves it)"},
    {"remember_optimizer", remember_optimizer, METH_VARARGS,
     "remember_optimizer(optimizer, number, site)"},
    {"forget_optimizer", forget_optimizer, METH_O,
     "forget_optimizer(id(optimizer)), before its memory is reused"},
    {"watch_optimizers", watch_optimizers, METH_VARARGS,
     "watch_optimizers(rate_series, norm_series, steps_per_norm)"},
    {"tell_norm", tell_norm, METH_O, "tell_norm(sampled float, or the tensor clipping returned)"},
    {NULL, NULL, 0, NULL},
};

bool optimizer_setup(PyObject* module) {
  text_param_groups = PyUnicode_InternFromString("param_groups");
  text_lr = PyUnicode_InternFromString("lr");
  return text_param_groups != NULL && text_lr != NULL &&
         pthread_atfork(NULL, NULL, forget_steps) == 0 &&
         PyModule_AddFunctions(module, functions) == 0;
}
