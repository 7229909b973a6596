/* The sampled steps of a training thread: where they begin and end, and the passes inside them. */
#define _GNU_SOURCE 1 /* as Python.h does, which comes later here */
#include <pthread.h>
#include <stdlib.h>
#include <time.h>

#include "layers.h"

__thread LayerWindow* layer_window;
static uint64_t passes; /* backward passes of sampled steps; with the GIL */

static latido_site sample = {.name = "layers.sample", .category = "layer_sample"};

int64_t layers_now_ns(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return now.tv_sec * INT64_C(1000000000) + now.tv_nsec;
}

/* In a fork child no step is under way; its marks went with the parent's graph. */
static void forget_window(void) {
  if (layer_window == NULL) return;
  layer_window->plan.now = kUnsampled;
  layer_window->pass = 0;
  layer_window->depth = 0;
}

static LayerWindow* own_window(void) {
  if (layer_window == NULL) layer_window = calloc(1, sizeof *layer_window);
  return layer_window;
}

static void close_sample(LayerWindow* window) {
  if (window->plan.now == kUnsampled && window->handles == NULL) return;
  latido_instant(&sample, kUnsampled);
  window->pass = 0;
  layers_unmark(window);
}

static void open_sample(LayerWindow* window) {
  PyObject* args[] = {window->plan.now == kCounted ? Py_True : Py_False};
  PyObject* done = NULL;
  window->handles = PyList_New(0);
  window->depth = 0;
  if (window->handles == NULL || !layers_ask(layers_begin_step, args, 1, &done) || done == NULL) {
    PyErr_Clear();
    window->plan.now = kUnsampled;
    Py_CLEAR(window->handles);
    return;
  }
  Py_DECREF(done);
  latido_instant(&sample, window->plan.now);
}

static void end_step(LayerWindow* window) {
  PyObject *type, *value, *traceback;
  PyErr_Fetch(&type, &value, &traceback); /* the optimizer may have raised */
  close_sample(window);
  layer_plan_next(&window->plan, layers_now_ns(), wanted_reduction());
  if (window->plan.now != kUnsampled) open_sample(window);
  PyErr_Restore(type, value, traceback);
}

void layers_optimizer_stepped(uint64_t optimizer) {
  /* Optimizers that step inside a pass are one. */
  enum { kInBackward = -1 };
  if (!recording()) return;
  LayerWindow* window = own_window();
  if (window == NULL) return;
  if (is_in_backward() && !window->ends_in_backward) {
    window->ends_in_backward = layer_plan_ends_step(&window->plan, (uint64_t)kInBackward);
  }
  if (is_in_backward()) return;
  if (layer_plan_ends_step(&window->plan, optimizer)) end_step(window);
}

void layers_step_ended(void) {
  LayerWindow* window = own_window();
  if (window == NULL) return;
  window->plan.by_api = true;
  window->ends_in_backward = false;
  end_step(window);
}

uint64_t layers_backward_begins(void) {
  LayerWindow* window = layer_window;
  if (window == NULL || window->plan.now != kTimed || window->handles == NULL) return 0;
  PyObject* may_mark = NULL;
  if (!layers_ask(layers_may_mark, NULL, 0, &may_mark)) PyErr_Clear();
  const bool may = may_mark == Py_True;
  Py_XDECREF(may_mark);
  if (!may) {
    layers_unmark(window);
    return 0;
  }
  window->pass = ++passes;
  return window->pass;
}

void layers_backward_ended(void) {
  LayerWindow* window = layer_window;
  if (window == NULL) return;
  window->pass = 0;
  if (!window->ends_in_backward) return;
  window->ends_in_backward = false;
  end_step(window);
}

bool layer_window_setup(void) { return pthread_atfork(NULL, NULL, forget_window) == 0; }
