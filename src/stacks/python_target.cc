#include "stacks/python_target.h"

#include <utility>

#include "stacks/memory_source.h"
#include "stacks/python_process.h"
#include "stacks/stack_reader.h"
#include "stacks/task_folder.h"

namespace latido::stacks {

// In one place that never moves: the parts refer to each other.
struct PythonTarget::Parts {
  Parts(pid_t process_id, PythonProcess found, TaskFolder folder)
      : pid(process_id),
        memory(process_id),
        process(std::move(found)),
        tasks(std::move(folder)),
        reader(process.layout, process.runtime, process.code_type, memory, tasks) {}

  pid_t pid;
  ProcessMemory memory;
  PythonProcess process;
  TaskFolder tasks;
  StackReader reader;
};

PythonTarget::PythonTarget(std::unique_ptr<Parts> parts) noexcept : parts_(std::move(parts)) {}
PythonTarget::PythonTarget(PythonTarget&&) noexcept = default;
PythonTarget& PythonTarget::operator=(PythonTarget&&) noexcept = default;
PythonTarget::~PythonTarget() = default;

Result<PythonTarget> PythonTarget::open(pid_t pid) {
  auto tasks = TaskFolder::open(pid);
  if (!tasks) return std::move(tasks).error();
  ProcessMemory memory(pid);
  auto process = find_python(pid, memory);
  if (!process) return std::move(process).error();
  PythonTarget target(
      std::make_unique<Parts>(pid, std::move(process).value(), std::move(tasks).value()));
  return target;
}

Status PythonTarget::sample(Sample& out) {
  auto status = parts_->reader.sample(out);
  if (!status) {
    out.threads.clear();
    out.frames.clear();
  }
  return status;
}

const FunctionTable& PythonTarget::functions() const noexcept { return parts_->reader.functions(); }
Counters PythonTarget::counters() const noexcept { return parts_->reader.counters(); }
pid_t PythonTarget::pid() const noexcept { return parts_->pid; }
int PythonTarget::minor() const noexcept { return static_cast<int>(parts_->process.layout.minor); }
const std::string& PythonTarget::interpreter_file() const noexcept { return parts_->process.file; }

}  // namespace latido::stacks
