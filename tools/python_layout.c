/* Prints where CPython's structs have the fields that src/stacks reads, as one row of its table.
 *
 * Compiled by tools/python_layouts.py against the headers of one interpreter. The names are those of
 * struct Layout in src/stacks/layout.h. Never a part of Latido itself. */
#define Py_BUILD_CORE 1
#include <Python.h>
#include <stddef.h>
#include <stdio.h>
#if PY_VERSION_HEX < 0x030B0000
#include <frameobject.h>
#endif
#if PY_VERSION_HEX < 0x03090000
#include "internal/pycore_pystate.h"
#else
#include "internal/pycore_interp.h"
#include "internal/pycore_runtime.h"
#endif
#if PY_VERSION_HEX >= 0x030B0000
#include "internal/pycore_frame.h"
typedef _PyInterpreterFrame Frame;
#else
typedef PyFrameObject Frame;
#endif

#define ROW(name, type, field) printf("    ." #name " = %zu,\n", offsetof(type, field))

int main(void) {
  printf("    .minor = %d,\n", PY_MINOR_VERSION);
  ROW(runtime_interpreters, _PyRuntimeState, interpreters.head);
#if PY_VERSION_HEX < 0x030C0000
  ROW(runtime_gil, _PyRuntimeState, ceval.gil);
#endif
  ROW(interpreter_next, PyInterpreterState, next);
#if PY_VERSION_HEX < 0x030B0000
  ROW(interpreter_threads, PyInterpreterState, tstate_head);
#else
  ROW(interpreter_threads, PyInterpreterState, threads.head);
#endif
#if PY_VERSION_HEX >= 0x030C0000
  ROW(interpreter_gil, PyInterpreterState, ceval.gil);
#endif
  ROW(gil_holder, struct _gil_runtime_state, last_holder);
  ROW(gil_locked, struct _gil_runtime_state, locked);
  ROW(gil_switches, struct _gil_runtime_state, switch_number);
  ROW(thread_next, PyThreadState, next);
  ROW(thread_interpreter, PyThreadState, interp);
#if PY_VERSION_HEX >= 0x030D0000
  ROW(thread_frame, PyThreadState, current_frame);
#elif PY_VERSION_HEX >= 0x030B0000
  ROW(thread_frame, PyThreadState, cframe);
#else
  ROW(thread_frame, PyThreadState, frame);
#endif
  ROW(thread_id, PyThreadState, thread_id);
#if PY_VERSION_HEX >= 0x030B0000
  ROW(thread_native_id, PyThreadState, native_thread_id);
#endif
#if PY_VERSION_HEX >= 0x030B0000 && PY_VERSION_HEX < 0x030D0000
  ROW(cframe_frame, _PyCFrame, current_frame);
#endif
#if PY_VERSION_HEX >= 0x030D0000
  ROW(frame_previous, Frame, previous);
  ROW(frame_code, Frame, f_executable);
  ROW(frame_instruction, Frame, instr_ptr);
  ROW(frame_owner, Frame, owner);
#elif PY_VERSION_HEX >= 0x030B0000
  ROW(frame_previous, Frame, previous);
  ROW(frame_code, Frame, f_code);
  ROW(frame_instruction, Frame, prev_instr);
  ROW(frame_owner, Frame, owner);
#else
  ROW(frame_previous, Frame, f_back);
  ROW(frame_code, Frame, f_code);
  ROW(frame_instruction, Frame, f_lasti);
#endif
#if PY_VERSION_HEX >= 0x030B0000
#if PY_VERSION_HEX < 0x030C0000
  ROW(frame_is_entry, Frame, is_entry);
#endif
  ROW(frame_stack_top, Frame, stacktop);
  ROW(frame_locals, Frame, localsplus);
#endif
  ROW(code_file, PyCodeObject, co_filename);
#if PY_VERSION_HEX >= 0x030B0000
  ROW(code_name, PyCodeObject, co_qualname);
#else
  ROW(code_name, PyCodeObject, co_name);
#endif
#if PY_VERSION_HEX >= 0x030A0000
  ROW(code_lines, PyCodeObject, co_linetable);
#else
  ROW(code_lines, PyCodeObject, co_lnotab);
#endif
  ROW(code_first_line, PyCodeObject, co_firstlineno);
#if PY_VERSION_HEX >= 0x030B0000
  ROW(code_bytecode, PyCodeObject, co_code_adaptive);
#else
  ROW(code_bytecode, PyCodeObject, co_code);
#endif
#if PY_VERSION_HEX >= 0x030B0000
  ROW(code_local_slots, PyCodeObject, co_nlocalsplus);
  ROW(code_stack_slots, PyCodeObject, co_stacksize);
#endif
  ROW(text_length, PyASCIIObject, length);
  ROW(text_state, PyASCIIObject, state);
  printf("    .ascii_size = %zu,\n", sizeof(PyASCIIObject));
  printf("    .compact_size = %zu,\n", sizeof(PyCompactUnicodeObject));
  ROW(bytes_size, PyVarObject, ob_size);
  ROW(bytes_data, PyBytesObject, ob_sval);
  return 0;
}
