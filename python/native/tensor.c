/* What a torch tensor holds, read without a call into torch: a dispatched one costs microseconds in a
 * training step. Through the table of DLPack, the exchange standard of array libraries
 * (https://dmlc.github.io/dlpack/latest/c_api.html), which torch has from 2.10 on; without it, and for
 * what the table does not take, torch is asked. */
#include <string.h>

#include "native.h"

/* Version 1 of the standard: layouts never change within a major version. */
enum { kMajorVersion = 1, kDeviceCpu = 1, kCodeFloat = 2, kCodeBfloat = 4 };

typedef struct {
  void* data;
  int32_t device_type;
  int32_t device_id;
  int32_t dimensions;
  uint8_t type_code;
  uint8_t type_bits;
  uint16_t type_lanes;
  int64_t* shape;
  int64_t* strides;
  uint64_t byte_offset;
} DlTensor;

typedef struct {
  uint32_t major;
  uint32_t minor;
  void* older;
  void* allocate;
  void* export_owning;
  void* import_owning;
  int (*view)(void* object, DlTensor* out); /* 0, or an exception is set; owns nothing */
  void* current_stream;
} DlTable;

static const DlTable* table; /* NULL: torch has none, or one that is not known here */
static PyObject* tensor_type;
static PyObject *text_is_cpu, *text_item;

static bool view_of(PyObject* object, DlTensor* view) {
  if (table == NULL || (PyObject*)Py_TYPE(object) != tensor_type) return false;
  if (table->view(object, view) == 0) return true;
  PyErr_Clear(); /* a sparse one, one inside a function transform */
  return false;
}

static double widened(uint32_t float_bits) {
  float value;
  memcpy(&value, &float_bits, sizeof value);
  return value;
}

static bool read_viewed(const DlTensor* view, double* value) {
  if (view->device_type != kDeviceCpu || view->data == NULL || view->type_lanes != 1) return false;
  for (int32_t i = 0; i < view->dimensions; ++i) {
    if (view->shape[i] != 1) return false;
  }
  const char* data = (const char*)view->data + view->byte_offset;
  if (view->type_code == kCodeFloat && view->type_bits == 64) {
    memcpy(value, data, sizeof *value);
    return true;
  }
  if (view->type_code == kCodeFloat && view->type_bits == 32) {
    uint32_t bits;
    memcpy(&bits, data, sizeof bits);
    *value = widened(bits);
    return true;
  }
  if (view->type_code == kCodeBfloat && view->type_bits == 16) {
    uint16_t bits;
    memcpy(&bits, data, sizeof bits);
    *value = widened((uint32_t)bits << 16);
    return true;
  }
  return false;
}

static bool ask_torch(PyObject* tensor, double* value) {
  PyObject* is_cpu = PyObject_GetAttr(tensor, text_is_cpu);
  PyObject* number = is_cpu == Py_True ? PyObject_CallMethodNoArgs(tensor, text_item) : NULL;
  Py_XDECREF(is_cpu);
  if (number != NULL) *value = PyFloat_AsDouble(number);
  Py_XDECREF(number);
  const bool failed = number == NULL || PyErr_Occurred() != NULL;
  PyErr_Clear();
  return !failed;
}

bool read_scalar(PyObject* tensor, double* value) {
  if ((PyObject*)Py_TYPE(tensor) != tensor_type) return false;
  DlTensor view;
  return (view_of(tensor, &view) && read_viewed(&view, value)) || ask_torch(tensor, value);
}

bool is_plain_tensor(PyObject* object) { return (PyObject*)Py_TYPE(object) == tensor_type; }

bool read_form(PyObject* tensor, TensorForm* form) {
  DlTensor view;
  if (!view_of(tensor, &view) || view.dimensions < 0 || view.dimensions > kMaxDimensions)
    return false;
  memset(form, 0, sizeof *form); /* compared byte by byte */
  form->dimensions = view.dimensions;
  form->type_code = view.type_code;
  form->type_bits = view.type_bits;
  for (int32_t i = 0; i < view.dimensions; ++i) form->shape[i] = view.shape[i];
  return true;
}

/* watch_tensors(torch.Tensor) */
static PyObject* watch_tensors(PyObject* module, PyObject* type) {
  (void)module;
  Py_INCREF(type);
  Py_XSETREF(tensor_type, type);
  table = NULL;
  PyObject* capsule = PyObject_GetAttrString(type, "__dlpack_c_exchange_api__");
  if (capsule != NULL) {
    const DlTable* offered = PyCapsule_GetPointer(capsule, "dlpack_exchange_api");
    /* The table lives as long as the process. */
    if (offered != NULL && offered->major == kMajorVersion && offered->view != NULL)
      table = offered;
    Py_DECREF(capsule);
  }
  PyErr_Clear();
  Py_RETURN_NONE;
}

static PyMethodDef functions[] = {
    {"watch_tensors", watch_tensors, METH_O, "watch_tensors(torch.Tensor): whose numbers are read"},
    {NULL, NULL, 0, NULL},
};

bool tensor_setup(PyObject* module) {
  text_is_cpu = PyUnicode_InternFromString("is_cpu");
  text_item = PyUnicode_InternFromString("item");
  return text_is_cpu != NULL && text_item != NULL && PyModule_AddFunctions(module, functions) == 0;
}
