/* Call sites by handle and by name. */
#include <stdlib.h>
#include <string.h>

#include "native.h"

enum {
  kMaxSites = 1 << 18, /* the recorder gives out no more ids either */
  kCacheSlots = 1024,  /* direct-mapped; a miss costs one dictionary look-up */
};

static latido_site** handles;
static Py_ssize_t handle_count;
static Py_ssize_t handle_room;

static char* copy_text(const char* text) {
  if (text == NULL) return NULL;
  const size_t size = strlen(text) + 1;
  char* copy = malloc(size);
  if (copy != NULL) memcpy(copy, text, size);
  return copy;
}

/* A page of sites at a time, each in a cache line of its own: by the time that a training step comes to
 * a hook, both have to be fetched again. */
static latido_site* site_alloc(void) {
  enum { kPageBytes = 4096, kLineBytes = 64 };
  static char* next;
  static size_t left_bytes;
  _Static_assert(sizeof(latido_site) <= kLineBytes, "");
  if (left_bytes == 0) {
    next = aligned_alloc(kPageBytes, kPageBytes);
    if (next == NULL) return NULL;
    memset(next, 0, kPageBytes);
    left_bytes = kPageBytes;
  }
  char* site = next;
  next += kLineBytes;
  left_bytes -= kLineBytes;
  return (latido_site*)(void*)site;
}

latido_site* site_new(const char* name, const char* category, const char* file, uint32_t line) {
  latido_site* site = site_alloc();
  if (site == NULL) return (latido_site*)PyErr_NoMemory();
  site->name = copy_text(name);
  site->category = copy_text(category);
  site->file = copy_text(file);
  site->line = line;
  if (site->name == NULL || site->category == NULL) return (latido_site*)PyErr_NoMemory();
  return site;
}

Py_ssize_t handle_new(latido_site* site) {
  if (handle_count == handle_room) {
    const Py_ssize_t room = handle_room == 0 ? 64 : 2 * handle_room;
    latido_site** grown = realloc(handles, (size_t)room * sizeof *grown);
    if (grown == NULL) {
      PyErr_NoMemory();
      return -1;
    }
    handles = grown;
    handle_room = room;
  }
  handles[handle_count] = site;
  return handle_count++;
}

latido_site* handle_site(PyObject* handle) {
  const Py_ssize_t index = PyLong_AsSsize_t(handle);
  if (index >= 0 && index < handle_count) return handles[index];
  if (!PyErr_Occurred()) PyErr_SetString(PyExc_ValueError, "no such site handle");
  return NULL;
}

/* Names to sites. String literals keep their address, so that a look-up is one comparison; the slot
 * owns its string, so that the address cannot be given to another one. */
typedef struct {
  PyObject* name;
  latido_site* site;
} Slot;

typedef struct {
  const char* category;
  bool locate;     /* remember the caller's file and line */
  PyObject* known; /* dict of str to handle */
  Slot cache[kCacheSlots];
} Names;

static Names zones = {.category = "zone", .locate = true};
static Names args = {.category = "arg", .locate = false};
static latido_site other_sites = {.name = "other sites", .category = "zone"};

static latido_site* make_named_site(const Names* names, PyObject* name) {
  const char* text = PyUnicode_AsUTF8(name);
  if (text == NULL) { /* half a surrogate pair, as in a file name that is no UTF-8 */
    PyErr_Clear();
    PyObject* bytes = PyUnicode_AsEncodedString(name, "utf-8", "backslashreplace");
    PyObject* escaped = bytes == NULL ? NULL : PyUnicode_FromEncodedObject(bytes, "utf-8", NULL);
    Py_XDECREF(bytes);
    if (escaped == NULL) return NULL;
    latido_site* site = make_named_site(names, escaped);
    Py_DECREF(escaped);
    return site;
  }
  PyFrameObject* frame = names->locate ? PyEval_GetFrame() : NULL; /* borrowed */
  if (frame == NULL) return site_new(text, names->category, NULL, 0);
  PyCodeObject* code = PyFrame_GetCode(frame);
  const char* file = PyUnicode_AsUTF8(code->co_filename);
  if (file == NULL) PyErr_Clear();
  const int line = PyFrame_GetLineNumber(frame);
  latido_site* site = site_new(text, names->category, file, line > 0 ? (uint32_t)line : 0);
  Py_DECREF(code);
  return site;
}

static latido_site* find_or_make(Names* names, PyObject* name) {
  if (names->known == NULL && (names->known = PyDict_New()) == NULL) return NULL;
  PyObject* handle = PyDict_GetItemWithError(names->known, name); /* borrowed */
  if (handle != NULL) return handle_site(handle);
  if (PyErr_Occurred()) return NULL;
  if (PyDict_GET_SIZE(names->known) >= kMaxSites) return &other_sites;

  latido_site* site = make_named_site(names, name);
  if (site == NULL) return NULL;
  const Py_ssize_t index = handle_new(site);
  PyObject* fresh = index < 0 ? NULL : PyLong_FromSsize_t(index);
  if (fresh == NULL) return NULL;
  const int failed = PyDict_SetItem(names->known, name, fresh);
  Py_DECREF(fresh);
  return failed ? NULL : site;
}

static inline latido_site* site_of(Names* names, PyObject* name) {
  const uintptr_t address = (uintptr_t)name;
  Slot* slot = &names->cache[((address >> 4) ^ (address >> 14)) % kCacheSlots];
  if (slot->name == name) return slot->site;
  if (!PyUnicode_CheckExact(name)) {
    PyErr_SetString(PyExc_TypeError, "a name must be a str");
    return NULL;
  }
  latido_site* site = find_or_make(names, name);
  if (site == NULL) return NULL;
  Py_INCREF(name);
  Py_XSETREF(slot->name, name);
  slot->site = site;
  return site;
}

latido_site* zone_site(PyObject* name) { return site_of(&zones, name); }
latido_site* arg_site(PyObject* name) { return site_of(&args, name); }
