/* The C extension latido._core: how Python reaches liblatido_capture at a cost of nanoseconds.
 *
 * Called with the GIL held, from any thread. Nothing here blocks, prints or raises for lack of
 * room: what cannot be recorded is dropped and counted by the capture library. It decides nothing:
 * what a record means is up to latido._hooks and latido._api.
 */
#pragma once

#define PY_SSIZE_T_CLEAN
#include <Python.h>
#include <stdbool.h>

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
bool recording_first_event(void);
static inline bool recording(void) {
  const uint32_t state = *latido_state;
  if (state == LATIDO_RECORDING) return !recording_paused;
  return state == LATIDO_UNDECIDED && recording_first_event();
}

/* Sends `number` as an argument of the innermost open zone when it is an int that fits, else its
 * text. */
void send_arg(latido_site* name, PyObject* value);
/* Sends a str about `site`; text that is no valid Unicode goes with its escapes. */
void send_text(latido_site* site, PyObject* text);

extern PyTypeObject zone_type;
bool zone_setup(PyObject* module); /* false with an exception */
/* The function that turns (function, site handle, arguments) into a zone's decorated function. */
extern PyObject* zone_decorator;
