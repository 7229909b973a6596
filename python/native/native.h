/* The C extension latido._core: how Python reaches liblatido_capture at a cost of nanoseconds.
 *
 * Called with the GIL held, from any thread. Nothing here blocks, prints or raises for lack of room:
 * what cannot be recorded is dropped and counted by the capture library. What a record means is up to
 * latido._hooks and latido._api; here is only what runs in every training step, where a Python function
 * costs microseconds because the step has pushed it out of the caches.
 */
#pragma once

#define PY_SSIZE_T_CLEAN
#include <Python.h>
/* After Python.h, which it needs. */
#include <stdbool.h>
#include <structmember.h>

#include "latido/latido.h"

/* A call site that lives until the process ends, since the recorder keeps pointers to it.
 * NULL with a Python exception when memory is short. */
latido_site* site_new(const char* name, const char* category, const char* file, uint32_t line);

/* Small numbers for sites, so that Python can hold them without owning them. */
Py_ssize_t handle_new(latido_site* site);   /* -1 with an exception */
latido_site* handle_site(PyObject* handle); /* NULL with an exception */

/* The site of the zone `name` (a str), made on first use with the caller's file and line. */
latido_site* zone_site(PyObject* name);
/* The site of the argument `name` (a str), category "arg". */
latido_site* arg_site(PyObject* name);

/* Whether events are to be sent now. The first one of a process (also of a fork child) lets
 * latido._start describe the process in the recording before anything else is in it. */
extern bool recording_paused;
extern bool
    description_due; /* functions came first: at start-up a process does not know itself yet */
bool recording_first_event(void);
static inline bool recording(void) {
  const uint32_t state = *latido_state;
  if (state == LATIDO_RECORDING && !description_due) return !recording_paused;
  return state != LATIDO_OFF && recording_first_event();
}

/* Sends `number` as an argument of the innermost open zone when it is an int that fits, else its
 * text. */
void send_arg(latido_site* name, PyObject* value);
/* Sends a str about `site`; text that is no valid Unicode goes with its escapes. */
void send_text(latido_site* site, PyObject* text);
/* Ends a span that an exception leaves: says so in it. */
void end_raised(const latido_site* site);
/* Ends the span of a call that gave `result`, NULL for an exception. */
static inline void end_call(const latido_site* site, const PyObject* result) {
  if (result != NULL) {
    latido_end(site);
  } else {
    end_raised(site);
  }
}

extern PyTypeObject zone_type;
bool zone_setup(PyObject* module); /* false with an exception */
/* The function that turns (function, site handle, arguments) into a zone's decorated function. */
extern PyObject* zone_decorator;

/* hooked.c: functions in the place of others, with a span around each call. */
typedef struct Hooked Hooked;
typedef PyObject* (*HookedCall)(Hooked* self, PyObject* const* args, size_t flags, PyObject* names);
struct Hooked {
  PyObject_HEAD vectorcallfunc vectorcall;
  PyObject* wrapped;
  PyObject* dict;
  latido_site* site;
};
extern PyTypeObject hooked_type;
/* A new reference, NULL with an exception. `wrapped` must be a function that takes keywords. */
PyObject* hooked_new(PyObject* wrapped, latido_site* site, HookedCall call);

/* How much detail the recorder asks to be given up: a Reduction of ring_format.h. */
static inline unsigned wanted_reduction(void) { return latido_control() >> 1 & 3; }

/* detail.c: gives up as much detail as the recorder asks for now. Called at the end of each step, and
 * each second where functions are recorded; one load when nothing has changed. */
void detail_follow(void);

/* Each adds its functions and types to the module; false with an exception. */
bool hooked_setup(PyObject* module);
bool tensor_setup(PyObject* module);
bool backward_setup(PyObject* module);
bool forward_setup(PyObject* module);
bool optimizer_setup(PyObject* module);
bool batches_setup(PyObject* module);
bool layers_setup(PyObject* module);

/* tensor.c: the number in a plain tensor with one element on the CPU. False, no exception set, for
 * anything else: on a device, reading waits for all the work before it. */
bool read_scalar(PyObject* tensor, double* value);

/* Shape and dtype of a tensor, without padding: compared byte by byte. */
enum { kMaxDimensions = 8 };
typedef struct {
  int64_t shape[kMaxDimensions];
  int32_t dimensions;
  uint16_t type_code;
  uint16_t type_bits;
} TensorForm;
/* False, no exception set, for what is no plain tensor or has more dimensions. */
bool read_form(PyObject* tensor, TensorForm* form);

/* Whether an object is a tensor, not of a subclass. */
bool is_plain_tensor(PyObject* object);

/* backward.c: whether this thread is in a pass. */
bool is_in_backward(void);
/* An optimizer has stepped: backward passes count from 0 again. */
void forget_micro_batches(void);

/* Where in a table of objects by address one may be. */
static inline size_t address_hash(const void* object) {
  const uintptr_t address = (uintptr_t)object;
  return (address >> 4) ^ (address >> 12);
}
