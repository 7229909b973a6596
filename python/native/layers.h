/* Layers of a model on sampled steps: what the hooks of forward, backward and optimizer call.
 *
 * All of it with the GIL. Where layers are not wanted, each costs one test. */
#pragma once

#include "layer_plan.h"
#include "native.h"

/* Steps of one training thread. Never freed: the marks of its graphs may outlive the thread. */
typedef struct {
  LayerPlan plan;
  uint64_t pass;      /* number of the backward pass under way; 0: none */
  PyObject* handles;  /* list: takes the marks off the graph again */
  uint64_t* marked;   /* set of the nodes with a mark, by their number + 1; 0: free */
  size_t marked_room; /* a power of two, or 0 */
  size_t marked_count;
  PyObject* open[64];    /* borrowed: layers whose calls are under way, the innermost last */
  int depth;             /* may be more than there is room for */
  bool ends_in_backward; /* an optimizer has stepped inside the pass under way */
} LayerWindow;

extern bool layers_wanted;
extern __thread LayerWindow* layer_window; /* NULL until the thread's first step has ended */

static inline Sampling layers_sampling(void) {
  return layer_window == NULL ? kUnsampled : layer_window->plan.now;
}

/* layer_window.c */

bool layer_window_setup(void);
int64_t layers_now_ns(void); /* CLOCK_MONOTONIC */

/* An optimizer has stepped; `optimizer` is its number. */
void layers_optimizer_stepped(uint64_t optimizer);
/* latido.step(). */
void layers_step_ended(void);
/* A pass begins, or has ended, that is not inside another. The pass's number, 0 where it is of no
 * interest. */
uint64_t layers_backward_begins(void);
void layers_backward_ended(void);

/* layers.c */

/* Whether the layers of this outermost call of `model` are to be recorded. May set an exception, the
 * user's: an interrupt. */
bool layers_open(PyObject* model);
/* Calls a layer, with a record of it. `*inner`: whether the calls inside it are recorded, too. */
PyObject* layers_call(Hooked* self, PyObject* const* args, size_t flags, PyObject* names,
                      bool* inner);
bool layers_setup(PyObject* module);
/* Python's part, by name; NULL until watch_layers(). */
extern PyObject *layers_admit, *layers_unknown, *layers_table, *layers_begin_step, *layers_may_mark,
    *layers_enter, *layers_leave;
/* Calls one of them. False with an exception that is the user's; errors of ours are dropped. */
bool layers_ask(PyObject* function, PyObject* const* args, size_t count, PyObject** answer);

/* layer_marks.c: which node of the graph begins the backward of which layer. */
extern PyTypeObject layer_type;
typedef struct {
  PyObject_HEAD vectorcallfunc vectorcall;
  PyObject* kind; /* the module's type, to notice that another object has its address */
  latido_site* site;
  Py_ssize_t handle;   /* of the site */
  LayerWindow* window; /* of its last mark */
  bool opaque;         /* what is inside does not run as Python */
} Layer;
bool layer_marks_setup(PyObject* module);
/* Marks the nodes that made the tensors in `value`, unless they have one. `layer`: whose backward begins
 * there. False with an exception that is the user's. */
bool layers_mark(PyObject* layer, PyObject* value);
void layers_unmark(LayerWindow* window);
