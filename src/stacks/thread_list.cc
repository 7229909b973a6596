#include "stacks/thread_list.h"

#include <algorithm>
#include <array>
#include <utility>

#include "stacks/byte_view.h"

namespace latido::stacks {
namespace {

constexpr std::size_t kMaxInterpreters = 64;
constexpr std::size_t kMaxThreads = 4096;
constexpr std::size_t kGilBytes = 40;
constexpr std::size_t kPointerBytes = sizeof(std::uint64_t);

// Where the C library keeps a thread's number, from pthread_self(): glibc on x86-64 and aarch64,
// musl. A value counts only if the process has such a thread.
constexpr std::array<std::uint64_t, 3> kTidPlaces = {720, 208, 48};

}  // namespace

std::size_t ThreadList::head_bytes() const noexcept {
  const std::uint32_t native = layout_.thread_native_id == kAbsent ? 0 : layout_.thread_native_id;
  return std::max({layout_.thread_next, layout_.thread_interpreter, layout_.thread_frame,
                   layout_.thread_id, native}) +
         kPointerBytes;
}

void ThreadList::want(Snapshot& snapshot) const {
  snapshot.want_first(runtime_ + layout_.runtime_interpreters, kPointerBytes);
  for (const Interpreter& interpreter : interpreters_) {
    snapshot.want_first(interpreter.address + layout_.interpreter_next, kPointerBytes);
    snapshot.want_first(interpreter.address + layout_.interpreter_threads, kPointerBytes);
    if (layout_.interpreter_gil != kAbsent) {
      snapshot.want_first(interpreter.address + layout_.interpreter_gil, kPointerBytes);
    }
    if (interpreter.gil.address != 0) snapshot.want_first(interpreter.gil.address, kGilBytes);
  }
}

void ThreadList::want_head(Snapshot& snapshot, const KnownThread& thread) const {
  snapshot.want_first(thread.address, head_bytes());
  if (thread.frame_place == 0) return;
  snapshot.want_first(thread.frame_place, kPointerBytes);
  snapshot.want_last(thread.frame_place);
}

void ThreadList::read_gil(Snapshot& snapshot, Interpreter& interpreter) const {
  Gil& gil = interpreter.gil;
  gil.address = layout_.interpreter_gil == kAbsent
                    ? runtime_ + layout_.runtime_gil
                    : snapshot.u64(interpreter.address + layout_.interpreter_gil).value_or(0);
  const auto bytes = snapshot.bytes(gil.address, kGilBytes);
  if (bytes.empty()) {
    gil = Gil{};
    return;
  }
  ByteView view(bytes);
  const std::uint64_t last_holder = view.u64(layout_.gil_holder);
  const std::uint64_t switches = view.u64(layout_.gil_switches);
  gil.switched = last_holder != gil.last_holder || switches != gil.switches;
  gil.last_holder = last_holder;
  gil.switches = switches;
  gil.holder = view.u32(layout_.gil_locked) == 1 ? last_holder : 0;
}

// False: the chain of interpreters is not as known.
bool ThreadList::read_interpreters(Snapshot& snapshot) {
  std::vector<Interpreter> found;
  std::uint64_t address = snapshot.u64(runtime_ + layout_.runtime_interpreters).value_or(0);
  while (address != 0 && found.size() < kMaxInterpreters) {
    Interpreter interpreter;
    const auto known = std::ranges::find(interpreters_, address, &Interpreter::address);
    if (known != interpreters_.end()) interpreter.gil = known->gil;
    interpreter.address = address;
    const auto next = snapshot.u64(address + layout_.interpreter_next);
    const auto threads = snapshot.u64(address + layout_.interpreter_threads);
    if (!next || !threads) break;
    interpreter.next = *next;
    interpreter.first_thread = *threads;
    read_gil(snapshot, interpreter);
    found.push_back(interpreter);
    address = *next;
  }
  const bool same = std::ranges::equal(found, interpreters_, [](const auto& a, const auto& b) {
    return a.address == b.address && a.first_thread == b.first_thread;
  });
  interpreters_ = std::move(found);
  return same;
}

Result<bool> ThreadList::refresh(Snapshot& snapshot, const TaskFolder& tasks) {
  if (!snapshot.u64(runtime_ + layout_.runtime_interpreters)) {
    if (!snapshot.status()) return snapshot.status().error();
    return Error{ErrorCode::kNotFound, "the process does not run this interpreter any more"};
  }
  const bool same = read_interpreters(snapshot);
  if (same && !must_follow_) return true;
  tasks_.clear();
  must_follow_ = !follow_threads(snapshot, tasks);
  tasks_.clear();
  if (!snapshot.status()) return snapshot.status().error();
  return !must_follow_;
}

bool ThreadList::follow_threads(Snapshot& snapshot, const TaskFolder& tasks) {
  std::unordered_map<std::uint64_t, std::unique_ptr<KnownThread>> known;
  for (auto& thread : threads_) {
    want_head(snapshot, *thread);
    known.emplace(thread->address, std::move(thread));
  }
  threads_.clear();
  ++generation_;
  if (!snapshot.fetch()) return false;
  for (const Interpreter& interpreter : interpreters_) {
    std::uint64_t address = interpreter.first_thread;
    while (address != 0) {
      auto found = known.extract(address);
      auto thread = found.empty() ? std::make_unique<KnownThread>() : std::move(found.mapped());
      const bool is_new = thread->address == 0;
      thread->address = address;
      const auto next = snapshot.u64(address + layout_.thread_next);
      thread->next = next.value_or(0);
      thread->interpreter = interpreter.address;
      if (threads_.size() == kMaxThreads || !read_head(snapshot, tasks, *thread)) return false;
      threads_seen_ += is_new ? 1 : 0;
      thread->due = thread->due || is_new;
      address = thread->next;
      threads_.push_back(std::move(thread));
    }
  }
  return true;
}

bool ThreadList::read_head(Snapshot& snapshot, const TaskFolder& tasks, KnownThread& thread) {
  const auto bytes = snapshot.bytes(thread.address, head_bytes());
  ByteView view(bytes);
  const std::uint64_t next = view.u64(layout_.thread_next);
  const bool is_here = !bytes.empty() && view.u64(layout_.thread_interpreter) == thread.interpreter;
  must_follow_ = must_follow_ || !is_here || next != thread.next;
  if (!is_here) return false;
  const std::uint64_t frame = view.u64(layout_.thread_frame);
  const std::uint64_t pthread = view.u64(layout_.thread_id);
  const std::uint64_t native_id =
      layout_.thread_native_id == kAbsent ? 0 : view.u64(layout_.thread_native_id);
  if (layout_.cframe_frame == kAbsent) {
    thread.frame_place = thread.address + layout_.thread_frame;
  } else {
    thread.frame_place = frame == 0 ? 0 : frame + layout_.cframe_frame;
  }
  if (thread.tid == 0 || pthread != thread.pthread || native_id != thread.native_id) {
    thread.pthread = pthread;
    thread.native_id = native_id;
    identify(snapshot, tasks, thread);
  }
  return true;
}

// The interpreter's own number is right but after a fork in 3.11, where it stays the parent's.
void ThreadList::identify(Snapshot& snapshot, const TaskFolder& tasks, KnownThread& thread) {
  if (tasks_.empty()) tasks_ = tasks.threads();
  pid_t tid = 0;
  const auto try_number = [this, &tid](std::uint64_t number) {
    const auto found = number > INT32_MAX ? tasks_.end() : tasks_.find(static_cast<pid_t>(number));
    if (tid == 0 && found != tasks_.end()) tid = found->second;
  };
  try_number(thread.native_id);
  for (const std::uint64_t place : kTidPlaces) {
    if (tid != 0) break;
    const auto number = snapshot.bytes(thread.pthread + place, 4);
    if (!number.empty()) try_number(ByteView(number).u32(0));
  }
  if (tid == 0 && tasks_.size() == 1) tid = tasks_.begin()->second;
  if (tid != thread.tid) thread.probe = TaskProbe(tid);
  thread.tid = tid;
}

const Gil* ThreadList::gil_of(const KnownThread& thread) const noexcept {
  const auto found = std::ranges::find(interpreters_, thread.interpreter, &Interpreter::address);
  return found == interpreters_.end() ? nullptr : &found->gil;
}

bool ThreadList::has_switched() const noexcept {
  return std::ranges::any_of(interpreters_, [](const Interpreter& i) { return i.gil.switched; });
}

}  // namespace latido::stacks
