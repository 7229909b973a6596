// PythonTarget: samples the Python stacks of another process, from outside.
//
//   auto target = PythonTarget::open(pid);              // milliseconds
//   Sample sample;
//   while (target.value().sample(sample)) {             // microseconds; at the caller's own rhythm
//     for (const ThreadStack& thread : sample.threads)
//       for (const Frame& frame : sample.stack_of(thread))   // innermost first
//         target.value().functions()[frame.function].name;
//   }
//
// Needs nothing in the process, and neither stops, signals nor changes it: its memory is copied
// (process_vm_readv) while it runs. What changed during the copy is noticed and read again; what is
// still inconsistent then is counted, not shown. Linux, 64 bit, CPython 3.8 to 3.13 with a GIL
// (before 3.13: x86-64 only).
//
// One thread at a time. Has no clock and no thread of its own.
#pragma once

#include <sys/types.h>

#include <cstdint>
#include <memory>
#include <string>

#include "base/result.h"
#include "stacks/function_table.h"
#include "stacks/sample.h"

namespace latido::stacks {

class PythonTarget {
 public:
  // kNotFound: no such process, or it ended. kInvalidInput: it runs no CPython, or not yet: a
  // program that was just started may do so in a moment. kUnavailable: not permitted; the sentence
  // names what is missing. kUnsupported: a version or build that cannot be read, named.
  static Result<PythonTarget> open(pid_t pid);

  PythonTarget(PythonTarget&&) noexcept;
  PythonTarget& operator=(PythonTarget&&) noexcept;
  ~PythonTarget();

  // Replaces `out` by what the process does now. A process whose interpreter starts or ends has no
  // threads. Costs about one system call where one thread runs; threads that sleep cost none at most
  // samples, and are looked at in turn.
  // kNotFound: the process ended or has become another program; it may be opened anew then.
  // kUnavailable: the permission was lost.
  Status sample(Sample& out);

  // The names of the frames' functions. Grows with samples; ids stay valid.
  const FunctionTable& functions() const noexcept;
  Counters counters() const noexcept;

  pid_t pid() const noexcept;
  int minor() const noexcept;  // 11 for Python 3.11
  // The program or library that holds the interpreter, as the process sees it.
  const std::string& interpreter_file() const noexcept;

 private:
  struct Parts;
  explicit PythonTarget(std::unique_ptr<Parts> parts) noexcept;
  std::unique_ptr<Parts> parts_;
};

}  // namespace latido::stacks
