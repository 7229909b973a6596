#include "functions.h"

#include <fnmatch.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum {
  kFirstBurst = 256,           /* calls before a function is judged for the first time */
  kNextBurst = 32,             /* and each time that it is looked at again */
  kWorthwhile_ns = 5000,       /* a call takes about 50 ns to record: 1 % of this */
  kRearmed = 64,               /* elided functions looked at again at a time */
  kSiteSlots = 1 << 12,        /* of the table of sites at first; grows */
  kMaxExcludedSites = 1 << 13, /* functions that the patterns leave out, by name in the report */
  kMaxFunctionSites = 1 << 17, /* half of the recorder's ids: zones need some too */
};

bool functions_adaptive;
Py_ssize_t functions_extra_index = -1;

static bool adaptive_wanted;
static Reduction reduced;
static FunctionPatterns filter;
static FunctionEngine engine;
static Function* elided_first;
static Function* elided_last;
static latido_site other_functions = {.name = "other functions", .category = "function"};

/* ---- time ------------------------------------------------------------------------------------ */

static uint64_t monotonic_ns(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
}

static uint64_t start_ticks;
static uint64_t start_ns;

double ticks_per_ns(void) {
  const uint64_t passed_ns = monotonic_ns() - start_ns;
  if (passed_ns < 1000000) return 2.0;
  return (double)(ticks_now() - start_ticks) / (double)passed_ns;
}

/* ---- sites ----------------------------------------------------------------------------------- */

/* By name, file and line, so that code made again and again by exec takes one id. */
static latido_site** site_slots;
static size_t site_room;
static size_t site_count;

static size_t hash_text(size_t hash, const char* text) {
  for (; *text != '\0'; ++text) hash = (hash ^ (unsigned char)*text) * 0x100000001B3u;
  return hash;
}

static size_t site_hash(const char* name, const char* file, uint32_t line) {
  return hash_text(hash_text(0xCBF29CE484222325u ^ line, name), file);
}

static bool grow_sites(void) {
  const size_t room = site_room == 0 ? kSiteSlots : 2 * site_room;
  latido_site** grown = calloc(room, sizeof *grown);
  if (grown == NULL) return false;
  for (size_t i = 0; i < site_room; ++i) {
    latido_site* site = site_slots[i];
    if (site == NULL) continue;
    size_t at = site_hash(site->name, site->file, site->line) & (room - 1);
    while (grown[at] != NULL) at = (at + 1) & (room - 1);
    grown[at] = site;
  }
  free(site_slots);
  site_slots = grown;
  site_room = room;
  return true;
}

static latido_site* function_site(const char* name, const char* file, uint32_t line) {
  if (2 * site_count >= site_room && !grow_sites()) return NULL;
  size_t at = site_hash(name, file, line) & (site_room - 1);
  for (; site_slots[at] != NULL; at = (at + 1) & (site_room - 1)) {
    const latido_site* site = site_slots[at];
    if (site->line == line && strcmp(site->name, name) == 0 && strcmp(site->file, file) == 0) {
      return site_slots[at];
    }
  }
  if (site_count >= kMaxFunctionSites) return &other_functions;
  latido_site* site = site_new(name, "function", file, line);
  if (site == NULL) {
    PyErr_Clear();
    return NULL;
  }
  ++site_count;
  return site_slots[at] = site;
}

/* ---- which functions ------------------------------------------------------------------------- */

/* Valid until the str dies; what is no valid Unicode has no name that could be shown. */
static const char* text_of(PyObject* text) {
  const char* bytes = text != NULL && PyUnicode_Check(text) ? PyUnicode_AsUTF8(text) : NULL;
  if (bytes != NULL) return bytes;
  PyErr_Clear();
  return "?";
}

/* A text as it is, also what is no valid Unicode: the agent replaces that as the sampler does, so that
 * both name a function alike. */
typedef struct {
  const char* bytes;
  PyObject* owner; /* NULL: the str itself */
} WholeText;

static WholeText whole_text(PyObject* text) {
  const char* bytes = PyUnicode_AsUTF8(text);
  if (bytes != NULL) return (WholeText){.bytes = bytes};
  PyErr_Clear();
  PyObject* owner = PyUnicode_AsEncodedString(text, "utf-8", "surrogatepass");
  if (owner != NULL) return (WholeText){.bytes = PyBytes_AS_STRING(owner), .owner = owner};
  PyErr_Clear();
  return (WholeText){.bytes = "?"};
}

static bool matches(PyObject* patterns, const char* module, const char* file, const char* name) {
  for (Py_ssize_t i = 0; i < PyTuple_GET_SIZE(patterns); ++i) {
    const char* pattern = text_of(PyTuple_GET_ITEM(patterns, i));
    if (fnmatch(pattern, module, 0) == 0 || fnmatch(pattern, file, 0) == 0 ||
        fnmatch(pattern, name, 0) == 0) {
      return true;
    }
  }
  return false;
}

static bool is_own(PyCodeObject* code) {
  const char* own = text_of(filter.own);
  return strncmp(text_of(code->co_filename), own, strlen(own)) == 0;
}

static bool is_wanted(PyCodeObject* code, PyObject* globals) {
  const char* file = text_of(code->co_filename);
  PyObject* module =
      globals == NULL ? NULL : PyDict_GetItemString(globals, "__name__"); /* borrowed, no error */
  const char* module_name = text_of(module);
  const char* name = text_of(code->co_qualname);
  if (PyTuple_GET_SIZE(filter.include) > 0 && !matches(filter.include, module_name, file, name)) {
    return false;
  }
  return !matches(filter.exclude, module_name, file, name);
}

/* ---- code objects ---------------------------------------------------------------------------- */

#if PY_VERSION_HEX >= 0x030C0000
#define SET_EXTRA PyUnstable_Code_SetExtra
#define NEW_EXTRA PyUnstable_Eval_RequestCodeExtraIndex
#else
#define SET_EXTRA _PyCode_SetExtra
#define NEW_EXTRA _PyEval_RequestCodeExtraIndex
#endif

static void leave_elided(Function* function) {
  *(function->previous != NULL ? &function->previous->next : &elided_first) = function->next;
  *(function->next != NULL ? &function->next->previous : &elided_last) = function->previous;
  function->next = function->previous = NULL;
}

static void join_elided(Function* function) {
  function->previous = elided_last;
  function->next = NULL;
  *(elided_last != NULL ? &elided_last->next : &elided_first) = function;
  elided_last = function;
}

static void function_free(void* extra) {
  Function* function = extra;
  if (function == NULL) return;
  if (function->mode == kFunctionElided) leave_elided(function);
  free(function);
}

/* For whoever looks for it in the report. Only so many: a program may make them without end. */
static void note_excluded(const char* name, const char* file, uint32_t line) {
  static uint32_t noted;
  /* The import system is left out always: nobody looks for it. */
  if (noted >= kMaxExcludedSites || strncmp(file, "<frozen importlib", 17) == 0) return;
  latido_site* site = site_new(name, "excluded", file, line);
  if (site == NULL) {
    PyErr_Clear();
    return;
  }
  ++noted;
  latido_instant(site, 0);
}

Function* function_new(PyCodeObject* code, PyObject* globals) {
  Function* function = calloc(1, sizeof *function);
  if (function == NULL) return NULL;
  function->code = code;
  function->burst_limit = kFirstBurst;
  function->mode = kFunctionExcluded;
  if (!is_own(code)) {
    const uint32_t line = code->co_firstlineno > 0 ? (uint32_t)code->co_firstlineno : 0;
    const WholeText name = whole_text(code->co_qualname);
    const WholeText file = whole_text(code->co_filename);
    if (is_wanted(code, globals)) {
      function->site = function_site(name.bytes, file.bytes, line);
      if (function->site != NULL) function->mode = kFunctionTraced;
    } else {
      note_excluded(name.bytes, file.bytes, line);
    }
    Py_XDECREF(name.owner);
    Py_XDECREF(file.owner);
  }
  if (SET_EXTRA((PyObject*)code, functions_extra_index, function) == 0) return function;
  PyErr_Clear();
  free(function);
  return NULL;
}

/* ---- what is not worth its cost --------------------------------------------------------------- */

/* Its calls are so short that recording them would cost more than the budget. */
static void elide(Function* function) {
  if (engine.disarm == NULL || !engine.disarm(function)) {
    function->burst_limit = UINT32_MAX; /* not asked again */
    return;
  }
  function->mode = kFunctionElided;
  join_elided(function);
  open_calls_forget(function->site);
  latido_instant(function->site, function->calls);
}

void function_judge(Function* function) {
  const double mean_ns =
      (double)function->burst_ticks / ticks_per_ns() / (double)function->burst_calls;
  function->burst_ticks = 0;
  function->burst_calls = 0;
  if (mean_ns < kWorthwhile_ns) elide(function);
}

void functions_reduce(Reduction reduction) {
  if (functions_extra_index < 0) return; /* functions are not recorded */
  if (reduction >= kStepsOnly && reduced < kStepsOnly) open_calls_cut();
  reduced = reduction;
  functions_adaptive = adaptive_wanted || (reduction >= kOnlyAdaptive && engine.disarm != NULL);
  engine_reduce(reduction);
}

unsigned functions_rearm(void) {
  enum { kAgain_ms = 1000 };
  if (reduced >= kNoRearm) return kAgain_ms;
  for (int i = 0; i < kRearmed && elided_first != NULL; ++i) {
    Function* function = elided_first;
    leave_elided(function);
    function->mode = kFunctionTraced;
    function->burst_limit = kNextBurst;
    if (engine.arm(function)) continue;
    function->mode = kFunctionElided;
    join_elided(function);
  }
  return kAgain_ms;
}

bool functions_prepare(bool adaptive, const FunctionPatterns* patterns, const FunctionEngine* how) {
  if (functions_extra_index < 0) {
    functions_extra_index = NEW_EXTRA(function_free);
    if (functions_extra_index < 0 || !open_calls_setup()) return false;
  }
  adaptive_wanted = functions_adaptive = adaptive;
  filter = *patterns;
  Py_INCREF(filter.include);
  Py_INCREF(filter.exclude);
  Py_INCREF(filter.own);
  engine = *how;
  start_ticks = ticks_now();
  start_ns = monotonic_ns();
  return true;
}

/* ---- for Python ------------------------------------------------------------------------------ */

/* functions_start(full, include, exclude, own): None, or why functions are not recorded. */
static PyObject* start(PyObject* module, PyObject* args) {
  (void)module;
  int full;
  FunctionPatterns patterns;
  if (!PyArg_ParseTuple(args, "pO!O!U:functions_start", &full, &PyTuple_Type, &patterns.include,
                        &PyTuple_Type, &patterns.exclude, &patterns.own)) {
    return NULL;
  }
  const char* why = engine_start(full == 0, &patterns);
  PyErr_Clear(); /* what the engine ran into is what it tells */
  if (why == NULL) Py_RETURN_NONE;
  return PyUnicode_FromString(why);
}

static PyObject* stop(PyObject* module, PyObject* ignored) {
  (void)module, (void)ignored;
  rearm_stop();
  engine_stop();
  Py_RETURN_NONE;
}

static PyObject* enter_thread(PyObject* module, PyObject* ignored) {
  (void)module, (void)ignored; /* a profile function's arguments */
  engine_enter_thread();
  Py_RETURN_NONE;
}

static PyMethodDef methods[] = {
    {"functions_start", start, METH_VARARGS,
     "functions_start(full, include, exclude, own) -> None, or why not"},
    {"functions_stop", stop, METH_NOARGS, "functions_stop()"},
    {"functions_enter_thread", enter_thread, METH_VARARGS, "functions_enter_thread(*ignored)"},
    {NULL, NULL, 0, NULL},
};

bool functions_setup(PyObject* module) { return PyModule_AddFunctions(module, methods) == 0; }
