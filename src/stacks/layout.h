// Layout: where the fields lie that a stack reader needs, for one minor version of CPython.
//
// From 3.13 a process says so itself (_Py_DebugOffsets at the start of _PyRuntime); before that it is
// a table, made by tools/python_layouts.py from the headers of the interpreters and compared with
// them by tests/tools/test_python_layouts.py. All offsets are bytes; pointers are 8 bytes.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>

#include "base/result.h"

namespace latido::stacks {

inline constexpr std::uint32_t kAbsent = 0xFFFF'FFFF;  // this version has no such field

inline constexpr int kOldestMinor = 8;   // 3.8
inline constexpr int kNewestMinor = 13;  // 3.13

struct Layout {
  std::uint32_t minor = 0;
  // _PyRuntime
  std::uint32_t runtime_interpreters = 0;
  std::uint32_t runtime_gil = kAbsent;  // up to 3.11 the one GIL lies here
  // PyInterpreterState
  std::uint32_t interpreter_next = 0;
  std::uint32_t interpreter_threads = 0;
  std::uint32_t interpreter_gil = kAbsent;  // from 3.12 a pointer to this interpreter's GIL
  // struct _gil_runtime_state
  std::uint32_t gil_holder = 0;
  std::uint32_t gil_locked = 0;
  std::uint32_t gil_switches = 0;
  // PyThreadState
  std::uint32_t thread_next = 0;
  std::uint32_t thread_interpreter = 0;
  std::uint32_t thread_frame = 0;  // the frame, or where there is a cframe that one
  std::uint32_t thread_id = 0;     // pthread_self()
  std::uint32_t thread_native_id = kAbsent;
  // _PyCFrame, 3.11 and 3.12
  std::uint32_t cframe_frame = kAbsent;
  // _PyInterpreterFrame, before 3.11 PyFrameObject
  std::uint32_t frame_previous = 0;
  std::uint32_t frame_code = 0;
  std::uint32_t frame_instruction = 0;  // a pointer; before 3.11 an int
  std::uint32_t frame_owner = kAbsent;
  std::uint32_t frame_is_entry = kAbsent;   // 3.11: C code called it
  std::uint32_t frame_stack_top = kAbsent;  // from 3.11; -1 in a frame that runs
  std::uint32_t frame_locals = kAbsent;     // from 3.11; where the fixed part ends
  // PyCodeObject
  std::uint32_t code_file = 0;
  std::uint32_t code_name = 0;  // the qualified name where there is one (3.11)
  std::uint32_t code_lines = 0;
  std::uint32_t code_first_line = 0;
  std::uint32_t code_bytecode = 0;  // the bytes themselves; before 3.11 a pointer to a bytes object
  std::uint32_t code_local_slots = kAbsent;  // from 3.11; a frame has as many slots for its locals
  std::uint32_t code_stack_slots = kAbsent;  // and as many for values
  // PyASCIIObject, PyCompactUnicodeObject: what follows them is the text
  std::uint32_t text_length = 0;
  std::uint32_t text_state = 0;
  std::uint32_t ascii_size = 0;
  std::uint32_t compact_size = 0;
  // PyBytesObject
  std::uint32_t bytes_size = 0;
  std::uint32_t bytes_data = 0;

  bool operator==(const Layout&) const = default;

  bool has_frame_objects() const noexcept { return minor < 11; }  // a heap object a frame
};

// The table's row for 3.`minor` on x86-64; empty where there is none. That of 3.13 is for what the
// process does not say itself.
std::optional<Layout> layout_of(int minor) noexcept;

// How many bytes from _PyRuntime parse_debug_offsets needs.
inline constexpr std::size_t kDebugOffsetsBytes = 568;

// The layout that a 3.13 process declares. `bytes`: the first kDebugOffsetsBytes of _PyRuntime.
// kUnsupported for a free-threaded build; kDataLoss where an offset cannot be true.
Result<Layout> parse_debug_offsets(std::span<const std::byte> bytes);

}  // namespace latido::stacks
