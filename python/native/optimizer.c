/* What the wrappers of an optimizer's step and of gradient clipping call. The wrappers themselves are
 * Python functions: learning-rate schedulers and torch.compile look into them. */
#include <pthread.h>

#include "layers.h"

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

/* Python's part: introduce(optimizer) remembers it, if that can be; sample_norm(optimizer) -> float or
 * None; sample_memory(update) records what the device's allocator says, or is None without a device. */
static PyObject *introduce, *sample_norm, *sample_memory;

/* The optimizers whose steps are under way in this thread; one inside another of the same is a
 * wrapper's, or super().step(). */
enum { kMaxNested = 8 };
static __thread PyObject* under_way[kMaxNested]; /* compared, never used */
static __thread int nested;

/* In a fork child none is, whatever its thread inherited. */
static void forget_steps(void) { nested = 0; }

static Slot* slot_of(const void* optimizer) { return &known[address_hash(optimizer) % kSlots]; }

static bool is_under_way(const PyObject* optimizer) {
  for (int i = 0; i < nested; ++i) {
    if (under_way[i] == optimizer) return true;
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

static void tell_rate(Slot* slot) {
  double rate = 0;
  if (!read_rate(slot->optimizer, &rate) || (slot->rate_told && rate == slot->rate)) return;
  slot->rate = rate;
  slot->rate_told = true;
  latido_value(rate_series, updates, rate);
}

/* What a step's end has to know: by then the slot may be another optimizer's. */
typedef struct {
  latido_site* site;
  uint64_t number;
  bool norm_due;
  bool memory_due;
} Step;

/* Begins the span of a step. False: it is none of its own, or there is an exception. */
static bool enter(PyObject* optimizer, Step* step) {
  static latido_site optimizer_arg = {.name = "optimizer", .category = "arg"};
  if (!recording() || nested == kMaxNested || is_under_way(optimizer)) return false;
  Slot* slot = slot_of(optimizer);
  if (slot->optimizer != optimizer) {
    PyObject* done = PyObject_CallOneArg(introduce, optimizer);
    Py_XDECREF(done);
    if (done == NULL || slot->optimizer != optimizer) return false;
  }
  if (latido_begin(slot->site) == 0) return false;
  latido_arg(&optimizer_arg, slot->number);
  under_way[nested++] = optimizer;
  tell_rate(slot);
  forget_micro_batches();
  ++updates;
  step->site = slot->site;
  step->number = slot->number;
  const bool due = slot->steps++ % steps_per_norm == 0;
  step->norm_due = due && !norm_seen;
  step->memory_due = due && sample_memory != Py_None;
  return true;
}

static void leave(const Step* step, const PyObject* result) {
  if (nested == 0) return; /* entered before the fork that made this process */
  --nested;
  end_call(step->site, result);
  detail_follow();
  if (layers_wanted) layers_optimizer_stepped(step->number);
}

/* False with an exception, which is the user's: an interrupt. */
static bool tell_sampled_norm(PyObject* optimizer) {
  PyObject* norm = PyObject_CallOneArg(sample_norm, optimizer);
  if (norm == NULL) return false;
  /* The step has been counted already. */
  if (PyFloat_CheckExact(norm)) latido_value(norm_series, updates - 1, PyFloat_AS_DOUBLE(norm));
  Py_DECREF(norm);
  return true;
}

/* The same. */
static bool tell_memory(void) {
  PyObject* done = PyObject_CallFunction(sample_memory, "I", (unsigned int)(updates - 1));
  Py_XDECREF(done);
  return done != NULL;
}

static PyObject* step(Hooked* self, PyObject* const* args, size_t flags, PyObject* names) {
  const Py_ssize_t count = PyVectorcall_NARGS(flags);
  Step mine;
  if (count == 0 || !enter(args[0], &mine)) {
    if (PyErr_Occurred() != NULL) return NULL;
    return PyObject_Vectorcall(self->wrapped, args, flags, names);
  }
  /* A closure makes the gradients later. */
  const bool sampled = mine.norm_due && count == 1 && names == NULL;
  PyObject* result = NULL;
  if (!sampled || tell_sampled_norm(args[0]))
    result = PyObject_Vectorcall(self->wrapped, args, flags, names);
  leave(&mine, result);
  if (result != NULL && mine.memory_due && !tell_memory()) Py_CLEAR(result);
  return result;
}

static PyObject* wrap_step(PyObject* module, PyObject* original) {
  (void)module;
  return hooked_new(original, NULL, step);
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
  PyObject *rate, *norm, *introducer, *sampler, *memory_sampler;
  unsigned long long steps;
  if (!PyArg_ParseTuple(args, "OOOOOK:watch_optimizers", &rate, &norm, &introducer, &sampler,
                        &memory_sampler, &steps))
    return NULL;
  rate_series = handle_site(rate);
  norm_series = rate_series == NULL ? NULL : handle_site(norm);
  if (norm_series == NULL) return NULL;
  Py_INCREF(introducer);
  Py_XSETREF(introduce, introducer);
  Py_INCREF(sampler);
  Py_XSETREF(sample_norm, sampler);
  Py_INCREF(memory_sampler);
  Py_XSETREF(sample_memory, memory_sampler);
  steps_per_norm = steps > 0 ? steps : 1;
  Py_RETURN_NONE;
}

/* Clipping, with the norm that it gives back. */
static PyObject* clip(Hooked* self, PyObject* const* args, size_t flags, PyObject* names) {
  const bool recorded = recording() && latido_begin(self->site) != 0;
  PyObject* norm = PyObject_Vectorcall(self->wrapped, args, flags, names);
  if (!recorded) return norm;
  if (norm != NULL && norm != Py_None) {
    norm_seen = true;
    double value = 0;
    if (read_scalar(norm, &value)) latido_value(norm_series, updates, value);
  }
  end_call(self->site, norm);
  return norm;
}

static PyObject* wrap_clip(PyObject* module, PyObject* args) {
  (void)module;
  PyObject *original, *handle, *series;
  if (!PyArg_ParseTuple(args, "OOO:wrap_clip", &original, &handle, &series)) return NULL;
  latido_site* site = handle_site(handle);
  norm_series = site == NULL ? NULL : handle_site(series);
  return norm_series == NULL ? NULL : hooked_new(original, site, clip);
}

static PyMethodDef functions[] = {
    {"watch_optimizers", watch_optimizers, METH_VARARGS,
     "watch_optimizers(rate_series, norm_series, introduce, sample_norm, sample_memory, "
     "steps_between)"},
    {"wrap_step", wrap_step, METH_O, "wrap_step(original) -> what the wrapper of a step calls"},
    {"wrap_clip", wrap_clip, METH_VARARGS,
     "wrap_clip(original, site, norm_series) -> what the wrapper of clipping calls"},
    {"remember_optimizer", remember_optimizer, METH_VARARGS,
     "remember_optimizer(optimizer, number, site)"},
    {"forget_optimizer", forget_optimizer, METH_O,
     "forget_optimizer(id(optimizer)), before its memory is reused"},
    {NULL, NULL, 0, NULL},
};

bool optimizer_setup(PyObject* module) {
  text_param_groups = PyUnicode_InternFromString("param_groups");
  text_lr = PyUnicode_InternFromString("lr");
  return text_param_groups != NULL && text_lr != NULL &&
         pthread_atfork(NULL, NULL, forget_steps) == 0 &&
         PyModule_AddFunctions(module, functions) == 0;
}
