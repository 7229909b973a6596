/* Marks on the autograd graph: when the backward pass reaches a node, the backward of a layer begins.
 *
 * A mark is a pre-hook of the node: it gets the gradients, returns None and so changes nothing. Inner
 * layers end before outer ones and mark first; a node keeps its first mark. At its inputs a layer marks
 * what its caller did by itself, so that this time goes to the caller. All marks are taken off when the
 * step has ended. */
#include <stdlib.h>
#include <string.h>

#include "layers.h"

static PyObject *text_grad_fn, *text_sequence_nr, *text_register_prehook, *text_is_view,
    *text_version, *text_remove;

/* What the marks themselves cost is kept out of the layers' times. */
static latido_site cost = {.name = "layers.cost", .category = "layer_sample"};

static PyObject* mark_reached(PyObject* self, PyObject* const* args, size_t flags,
                              PyObject* names) {
  (void)args;
  (void)flags;
  (void)names;
  const Layer* layer = (const Layer*)self;
  /* 0: a pass of torch.autograd.grad, or one that is not recorded. */
  if (layer->window != NULL && layer->window->pass != 0) {
    latido_instant(layer->site, layer->window->pass);
  }
  Py_RETURN_NONE;
}

static PyObject* layer_new(PyTypeObject* type, PyObject* args, PyObject* names) {
  PyObject *handle, *kind;
  int opaque;
  if (names != NULL && PyDict_GET_SIZE(names) > 0) {
    PyErr_SetString(PyExc_TypeError, "Layer() takes no keywords");
    return NULL;
  }
  if (!PyArg_ParseTuple(args, "OOp:Layer", &handle, &kind, &opaque)) return NULL;
  latido_site* site = handle_site(handle);
  if (site == NULL) return NULL;
  Layer* layer = PyObject_New(Layer, type);
  if (layer == NULL) return NULL;
  layer->vectorcall = (vectorcallfunc)(void (*)(void))mark_reached;
  Py_INCREF(kind);
  layer->kind = kind;
  layer->site = site;
  layer->handle = PyLong_AsSsize_t(handle);
  layer->window = NULL;
  layer->opaque = opaque != 0;
  return (PyObject*)layer;
}

static void layer_dealloc(PyObject* self) {
  Py_CLEAR(((Layer*)self)->kind);
  PyObject_Free(self);
}

static PyMemberDef layer_members[] = {
    {"site", T_PYSSIZET, offsetof(Layer, handle), READONLY, NULL},
    {NULL, 0, 0, 0, NULL},
};

PyTypeObject layer_type = {
    PyVarObject_HEAD_INIT(NULL, 0).tp_name = "latido._core.Layer",
    .tp_basicsize = sizeof(Layer),
    .tp_dealloc = layer_dealloc,
    .tp_vectorcall_offset = offsetof(Layer, vectorcall),
    .tp_call = PyVectorcall_Call,
    .tp_flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_HAVE_VECTORCALL,
    .tp_members = layer_members,
    .tp_new = layer_new,
};

static size_t place_of(const LayerWindow* window, uint64_t key) {
  size_t at = (size_t)(key * 0x9E3779B97F4A7C15U) & (window->marked_room - 1);
  while (window->marked[at] != 0 && window->marked[at] != key) at = (at + 1) % window->marked_room;
  return at;
}

static bool grow_marked(LayerWindow* window) {
  const size_t old_room = window->marked_room;
  uint64_t* const old = window->marked;
  const size_t room = old_room == 0 ? 1024 : 2 * old_room;
  uint64_t* const grown = calloc(room, sizeof *grown);
  if (grown == NULL) return false;
  window->marked = grown;
  window->marked_room = room;
  for (size_t i = 0; i < old_room; ++i) {
    if (old[i] != 0) grown[place_of(window, old[i])] = old[i];
  }
  free(old);
  return true;
}

/* Whether the node has no mark yet; from now on it has. */
static bool claim(LayerWindow* window, uint64_t number) {
  if (2 * (window->marked_count + 1) > window->marked_room && !grow_marked(window)) return false;
  const uint64_t key = number + 1;
  const size_t at = place_of(window, key);
  if (window->marked[at] != 0) return false;
  window->marked[at] = key;
  ++window->marked_count;
  return true;
}

/* The node of a view whose base was changed in place is made anew when it is asked for, and gets its
 * place in the order of the pass by that: asking must not be us. */
static bool asking_changes_graph(PyObject* tensor) {
  PyObject* is_view = PyObject_CallMethodNoArgs(tensor, text_is_view);
  bool changes = is_view != Py_False;
  Py_XDECREF(is_view);
  if (is_view == Py_True) {
    PyObject* version = PyObject_GetAttr(tensor, text_version);
    changes = version == NULL || PyLong_AsLong(version) != 0;
    Py_XDECREF(version);
  }
  return changes || PyErr_Occurred() != NULL;
}

/* The node that made the tensor; NULL, perhaps with an exception, where there is none or it has a mark.
 * A new reference. */
static PyObject* unmarked_node(LayerWindow* window, PyObject* tensor) {
  if (asking_changes_graph(tensor)) return NULL;
  PyObject* node = PyObject_GetAttr(tensor, text_grad_fn);
  if (node == NULL || node == Py_None) {
    Py_XDECREF(node);
    return NULL;
  }
  PyObject* number = PyObject_CallMethodNoArgs(node, text_sequence_nr);
  const uint64_t value = number == NULL ? UINT64_MAX : PyLong_AsUnsignedLongLong(number);
  Py_XDECREF(number);
  if (value == UINT64_MAX || !claim(window, value)) Py_CLEAR(node);
  return node;
}

/* An interrupt that came in between is the user's; anything else is ours and is dropped. */
static bool only_ours(void) {
  if (PyErr_Occurred() == NULL) return true;
  if (!PyErr_ExceptionMatches(PyExc_Exception)) return false;
  PyErr_Clear();
  return true;
}

static bool mark_tensor(LayerWindow* window, Layer* layer, PyObject* tensor) {
  PyObject* node = unmarked_node(window, tensor);
  if (node == NULL) return only_ours();
  layer->window = window;
  PyObject* handle = PyObject_CallMethodOneArg(node, text_register_prehook, (PyObject*)layer);
  Py_DECREF(node);
  if (handle != NULL) PyList_Append(window->handles, handle);
  Py_XDECREF(handle);
  return only_ours();
}

static bool mark_all(LayerWindow* window, Layer* layer, PyObject* value, int nesting) {
  enum { kMostItems = 64, kDeepest = 3 };
  if (is_plain_tensor(value)) return mark_tensor(window, layer, value);
  if (nesting == kDeepest) return true;
  if (PyDict_Check(value)) {
    PyObject *key, *item;
    Py_ssize_t at = 0;
    for (int i = 0; i < kMostItems && PyDict_Next(value, &at, &key, &item); ++i) {
      Py_INCREF(item);
      const bool done = mark_all(window, layer, item, nesting + 1);
      Py_DECREF(item);
      if (!done) return false;
    }
    return true;
  }
  if (!PyTuple_Check(value) && !PyList_Check(value)) return true;
  for (Py_ssize_t i = 0; i < kMostItems && i < PySequence_Fast_GET_SIZE(value); ++i) {
    PyObject* item = PySequence_Fast_GET_ITEM(value, i);
    Py_INCREF(item);
    const bool done = mark_all(window, layer, item, nesting + 1);
    Py_DECREF(item);
    if (!done) return false;
  }
  return true;
}

bool layers_mark(PyObject* layer, PyObject* value) {
  LayerWindow* window = layer_window;
  if (window == NULL || window->handles == NULL || layer == NULL) return true;
  const int64_t begin_ns = layers_now_ns();
  const bool recorded = latido_begin(&cost) != 0;
  const bool done = mark_all(window, (Layer*)layer, value, 0);
  if (recorded) latido_end(&cost);
  window->plan.spent_ns += layers_now_ns() - begin_ns;
  return done;
}

void layers_unmark(LayerWindow* window) {
  PyObject* handles = window->handles;
  window->handles = NULL;
  for (Py_ssize_t i = 0; handles != NULL && i < PyList_GET_SIZE(handles); ++i) {
    PyObject* done = PyObject_CallMethodNoArgs(PyList_GET_ITEM(handles, i), text_remove);
    if (done == NULL) PyErr_Clear();
    Py_XDECREF(done);
  }
  Py_XDECREF(handles);
  if (window->marked_room > 0) memset(window->marked, 0, window->marked_room * sizeof(uint64_t));
  window->marked_count = 0;
}

bool layer_marks_setup(PyObject* module) {
  text_grad_fn = PyUnicode_InternFromString("grad_fn");
  text_sequence_nr = PyUnicode_InternFromString("_sequence_nr");
  text_register_prehook = PyUnicode_InternFromString("register_prehook");
  text_is_view = PyUnicode_InternFromString("_is_view");
  text_version = PyUnicode_InternFromString("_version");
  text_remove = PyUnicode_InternFromString("remove");
  return text_remove != NULL && text_version != NULL && text_is_view != NULL &&
         text_register_prehook != NULL && text_sequence_nr != NULL && text_grad_fn != NULL &&
         PyModule_AddType(module, &layer_type) == 0;
}
