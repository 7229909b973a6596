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

// Before anything is read: whose stacks changed lately.
void StackReader::choose_likely() {
  for (const auto& thread : threads_.threads()) {
    thread->due = !is_quiet(*thread);
    thread->changed = false;
    if (thread->due) want_thread(snapshot_, *thread);
  }
}

// Now that the GIL is known: its holder, and the next sleepers.
void StackReader::choose_rest() {
  auto& threads = threads_.threads();
  std::size_t in_turn = threads_.has_switched() ? std::min(kStacksInTurn, threads.size()) : 0;
  const auto choose = [this](KnownThread& thread) {
    if (thread.due) return;
    thread.due = true;
    want_thread(snapshot_, thread);
  };
  for (; in_turn > 0; --in_turn) choose(*threads[stack_turn_++ % threads.size()]);
  for (const auto& thread : threads) {
    const Gil* gil = threads_.gil_of(*thread);
    if (gil != nullptr && gil->last_holder == thread->address) choose(*thread);
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
  for (const auto& thread : threads_.threads()) {
    if (thread->due) due_.push_back(thread.get());
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
  const auto rest = std::ranges::unique(code_addresses_);
  code_addresses_.erase(rest.begin(), rest.end());
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
  thread.quiet_samples = 0;
  thread.changed = true;
  thread.frames.clear();
}

void StackReader::check_activity() {
  auto& threads = threads_.threads();
  held_files_ = 0;
  for (const auto& thread : threads) held_files_ += thread->probe.holds_files() ? 2 : 0;
  for (std::size_t k = 0; k < std::min(kStatesInTurn, threads.size()); ++k) {
    threads[state_turn_++ % threads.size()]->due = true;
  }
  for (const auto& thread : threads) {
    const Gil* gil = threads_.gil_of(*thread);
    if (gil != nullptr && gil->holder == thread->address) {
      thread->activity = Activity::kBusy;
    } else if (thread->due || thread->activity != Activity::kIdle) {
      const bool may_hold = held_files_ + 2 <= kMaxHeldFiles || thread->probe.holds_files();
      thread->activity = thread->probe.check(*tasks_, may_hold);
      held_files_ += may_hold ? 2 : 0;
    }
  }
}

void StackReader::write(Sample& out) {
  out.threads.clear();
  out.frames.clear();
  for (const auto& thread : threads_.threads()) {
    const Gil* gil = threads_.gil_of(*thread);
    const ThreadStack stack{.tid = thread->tid,
                            .first_frame = static_cast<std::uint32_t>(out.frames.size()),
                            .frame_count = static_cast<std::uint32_t>(thread->frames.size()),
                            .activity = thread->activity,
                            .holds_gil = gil != nullptr && gil->holder == thread->address,
                            .truncated = thread->walk.truncated && !thread->invalid,
                            .invalid = thread->invalid,
                            .unchanged = !thread->changed};
    out.frames.insert(out.frames.end(), thread->frames.begin(), thread->frames.end());
    out.threads.push_back(stack);
    counters_.invalid_stacks += stack.invalid ? 1 : 0;
    counters_.truncated_stacks += stack.truncated ? 1 : 0;
  }
  counters_.stacks += out.threads.size();
}

}  // namespace latido::stacks
