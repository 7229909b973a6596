#include "stacks/stack_reader.h"

#include <algorithm>

namespace latido::stacks {
namespace {

constexpr std::uint32_t kQuietSamples = 4;  // then a thread is taken to sleep
constexpr std::size_t kStacksInTurn = 16;   // sleeping threads read at one sample
constexpr std::size_t kStatesInTurn = 4;    // and asked about
constexpr std::size_t kMaxHeldFiles = 512;  // of all threads together
constexpr int kAttempts = 4;                // to read a stack that changes

bool is_quiet(const KnownThread& thread) noexcept { return thread.quiet_samples >= kQuietSamples; }

}  // namespace

StackReader::StackReader(const Layout& layout, std::uint64_t runtime, std::uint64_t code_type,
                         MemorySource& memory, const TaskFolder& tasks)
    : layout_(layout),
      tasks_(&tasks),
      snapshot_(memory),
      retry_(memory),
      threads_(layout, runtime),
      codes_(layout, code_type) {}

Counters StackReader::counters() const noexcept {
  Counters counters = counters_;
  counters.threads_seen = threads_.threads_seen();
  counters.replaced_codes = codes_.replaced();
  return counters;
}

void StackReader::want_thread(Snapshot& snapshot, const KnownThread& thread) const {
  threads_.want_head(snapshot, thread);
  thread.windows.want(snapshot);
  std::uint64_t last = 0;
  for (const RawFrame& frame : thread.walk.frames) {
    if (frame.code != last) codes_.want(snapshot, frame.code);
    last = frame.code;
  }
}

// A thread of this sample; `read`: its stack as well.
void StackReader::touch(std::size_t index, bool read) {
  KnownThread& thread = *threads_.threads()[index];
  if (!is_touched_[index]) {
    is_touched_[index] = true;
    touched_.push_back(index);
    thread.due = false;
    thread.changed = false;
  }
  if (!read || thread.due) return;
  thread.due = true;
  want_thread(snapshot_, thread);
}

// Before anything is read: whose stacks changed lately.
void StackReader::choose_likely() {
  touched_.clear();
  is_touched_.assign(threads_.threads().size(), false);
  for (const std::size_t index : watched_) touch(index, !is_quiet(*threads_.threads()[index]));
}

// The list is another one: places count no more, and every thread is looked at.
void StackReader::note_new_list() {
  generation_ = threads_.generation();
  held_files_ = 0;
  for (const auto& thread : threads_.threads()) {
    if (thread->probe.holds_files()) held_files_ += 2;
  }
  addresses_.clear();
  touched_.clear();
  is_touched_.assign(threads_.threads().size(), false);
  for (const auto& thread : threads_.threads()) {
    const bool read = thread->due || !is_quiet(*thread);
    addresses_.push_back(thread->address);
    touch(addresses_.size() - 1, read);
  }
}

// Now that the GIL is known: its holder, and the next sleepers.
void StackReader::choose_rest() {
  if (threads_.generation() != generation_) note_new_list();
  const std::size_t count = addresses_.size();
  std::size_t in_turn = threads_.has_switched() ? std::min(kStacksInTurn, count) : 0;
  for (; in_turn > 0; --in_turn) touch(stack_turn_++ % count, true);
  for (std::size_t k = 0; k < std::min(kStatesInTurn, count); ++k) {
    touch(state_turn_++ % count, false);
  }
  for (const Interpreter& interpreter : threads_.interpreters()) {
    const auto holder = std::ranges::find(addresses_, interpreter.gil.last_holder);
    if (holder == addresses_.end()) continue;
    touch(static_cast<std::size_t>(holder - addresses_.begin()), true);
  }
}

Status StackReader::sample(Sample& out) {
  ++counters_.samples;
  codes_.begin_sample(counters_.samples);
  snapshot_.clear();
  threads_.want(snapshot_);
  choose_likely();
  if (auto status = snapshot_.fetch(); !status) return status;
  const auto whole = threads_.refresh(snapshot_, *tasks_);
  if (!whole) return whole.error();
  choose_rest();
  if (auto status = snapshot_.fetch(); !status) return status;
  if (auto status = read_stacks(); !status) return status;
  check_activity();
  write(out);
  const bool invalid = std::ranges::any_of(out.threads, &ThreadStack::invalid);
  counters_.invalid_samples += invalid || !whole.value() ? 1 : 0;
  return ok();
}

Status StackReader::read_stacks() {
  due_.clear();
  for (const std::size_t index : touched_) {
    KnownThread& thread = *threads_.threads()[index];
    if (thread.due) due_.push_back(&thread);
  }
  for (KnownThread* thread : due_) read_stack(snapshot_, *thread);
  resolve_codes(snapshot_, due_);
  for (KnownThread* thread : due_) {
    thread->invalid = !name_frames(*thread);
    if (thread->invalid) read_again(*thread);
  }
  return snapshot_.status() ? retry_.status() : snapshot_.status();
}

void StackReader::read_stack(Snapshot& snapshot, KnownThread& thread) {
  if (!threads_.read_head(snapshot, *tasks_, thread)) {
    thread.walk.frames.clear();
    thread.walk.torn = true;
    return;
  }
  const std::uint64_t top =
      thread.frame_place == 0 ? 0 : snapshot.u64(thread.frame_place).value_or(0);
  const std::uint64_t after = snapshot.last_u64(thread.frame_place).value_or(top);
  walk_stack(snapshot, layout_, codes_, {top, after}, thread.windows, walk_);
  const bool same = walk_.frames == thread.walk.frames && walk_.truncated == thread.walk.truncated;
  thread.quiet_samples = same ? std::min(thread.quiet_samples + 1, kQuietSamples) : 0;
  std::swap(thread.walk, walk_);
}

void StackReader::resolve_codes(Snapshot& snapshot, const std::vector<KnownThread*>& threads) {
  code_addresses_.clear();
  for (const KnownThread* thread : threads) {
    for (const RawFrame& frame : thread->walk.frames) {
      if (codes_.is_due(frame.code)) code_addresses_.push_back(frame.code);
    }
  }
  std::ranges::sort(code_addresses_);
  code_addresses_.erase(std::unique(code_addresses_.begin(), code_addresses_.end()),
                        code_addresses_.end());
  if (!code_addresses_.empty()) codes_.resolve(snapshot, code_addresses_);
}

// False: some frame is none of its code object, so what was read is of two moments.
bool StackReader::name_frames(KnownThread& thread) {
  if (thread.walk.torn) return false;
  frames_.clear();
  for (const RawFrame& raw : thread.walk.frames) {
    const Code* code = codes_.find(raw.code);
    const auto offset = code == nullptr ? std::nullopt : bytecode_offset(layout_, raw, *code);
    if (!offset) return false;
    frames_.push_back({code->function, code->lines.line_at(*offset)});
  }
  thread.changed = frames_ != thread.frames;
  std::swap(thread.frames, frames_);
  return true;
}

void StackReader::read_again(KnownThread& thread) {
  ++counters_.repeated_reads;
  for (int attempt = 1; attempt < kAttempts && thread.invalid; ++attempt) {
    retry_.clear();
    want_thread(retry_, thread);
    if (!retry_.fetch()) return;
    read_stack(retry_, thread);
    one_thread_.assign(1, &thread);
    resolve_codes(retry_, one_thread_);
    thread.invalid = !name_frames(thread);
  }
  if (!thread.invalid) return;
  thread.gone = threads_.is_stale();
  thread.invalid = !thread.gone;
  thread.quiet_samples = 0;
  thread.changed = true;
  thread.frames.clear();
}

void StackReader::check_activity() {
  watched_.clear();
  for (const std::size_t index : touched_) {
    KnownThread& thread = *threads_.threads()[index];
    const Gil* gil = threads_.gil_of(thread);
    if (gil != nullptr && gil->holder == thread.address) {
      thread.activity = Activity::kBusy;
    } else {
      const bool held = thread.probe.holds_files();
      thread.activity = thread.probe.check(*tasks_, held || held_files_ < kMaxHeldFiles);
      if (!held && thread.probe.holds_files()) held_files_ += 2;  // stays so until the list changes
    }
    if (!is_quiet(thread) || thread.activity != Activity::kIdle) watched_.push_back(index);
  }
}

ThreadStack StackReader::describe(const KnownThread& thread) const {
  const Gil* gil = threads_.gil_of(thread);
  return {.tid = thread.tid,
          .first_frame = 0,
          .frame_count = static_cast<std::uint32_t>(thread.frames.size()),
          .activity = thread.activity,
          .holds_gil = gil != nullptr && gil->holder == thread.address,
          .truncated = thread.walk.truncated && !thread.invalid,
          .invalid = thread.invalid,
          .unchanged = !thread.changed};
}

// Sleepers are as they were at the last sample.
void StackReader::write(Sample& out) {
  out.threads.clear();
  out.frames.clear();
  for (std::size_t index = 0; index < addresses_.size(); ++index) {
    const auto first = static_cast<std::uint32_t>(out.frames.size());
    if (is_touched_[index]) {
      const KnownThread& thread = *threads_.threads()[index];
      out.threads.push_back(describe(thread));
      out.frames.insert(out.frames.end(), thread.frames.begin(), thread.frames.end());
    } else {
      const auto frames = last_.stack_of(last_.threads[index]);
      out.threads.push_back(last_.threads[index]);
      out.threads.back().unchanged = true;
      out.frames.insert(out.frames.end(), frames.begin(), frames.end());
    }
    out.threads.back().first_frame = first;
  }
  last_ = out;
  leave_out_gone(out);
  for (const ThreadStack& stack : out.threads) {
    counters_.invalid_stacks += stack.invalid ? 1 : 0;
    counters_.truncated_stacks += stack.truncated ? 1 : 0;
  }
  counters_.stacks += out.threads.size();
}

// Threads that ended while they were read stay in the list until it is followed anew.
void StackReader::leave_out_gone(Sample& out) const {
  if (!threads_.is_stale()) return;
  std::size_t kept = 0;
  for (std::size_t index = 0; index < addresses_.size(); ++index) {
    if (threads_.threads()[index]->gone) continue;
    out.threads[kept++] = out.threads[index];
  }
  out.threads.resize(kept);
}

}  // namespace latido::stacks
