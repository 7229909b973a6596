// Finds the CPython interpreter inside a process: where its runtime state lies, and how it is laid
// out. Called once when a process is opened; reads its map, its files and a few hundred bytes.
#pragma once

#include <sys/types.h>

#include <cstdint>
#include <string>

#include "base/result.h"
#include "stacks/layout.h"
#include "stacks/memory_source.h"

namespace latido::stacks {

struct PythonProcess {
  Layout layout;
  std::uint64_t runtime = 0;    // address of _PyRuntime
  std::uint64_t code_type = 0;  // of PyCode_Type; 0: not known
  std::string file;             // the program or library that holds the interpreter
};

// kNotFound: no such process, or it ended. kInvalidInput: it runs no Python (yet).
// kUnavailable: not permitted. kUnsupported: a version or build that cannot be read; the sentence
// names it.
Result<PythonProcess> find_python(pid_t pid, MemorySource& memory);

}  // namespace latido::stacks
