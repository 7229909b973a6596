#include "stacks/code_table.h"

#include <algorithm>
#include <array>

#include "stacks/byte_view.h"
#include "stacks/python_text.h"

namespace latido::stacks {
namespace {

constexpr std::uint32_t kObjectType = 8;    // offset of ob_type in every object
constexpr std::uint32_t kObjectCount = 16;  // of ob_size; in a code object: instruction units
constexpr std::uint64_t kMaxBytecodeBytes = std::uint64_t{64} << 20;
constexpr std::uint32_t kMostTrust = 16;
// 3.11 counts calls in the middle of its code objects (co_warmup and the field after it).
constexpr std::uint32_t kWarmupBegin = 52;
constexpr std::uint32_t kWarmupEnd = 56;
constexpr std::size_t kNameBytes = 64;  // of a str: length, hash, state and its first characters

std::uint64_t mixed(std::uint64_t hash, std::uint64_t value) noexcept {
  hash = (hash ^ value) * 0x9E37'79B9'7F4A'7C15;
  return hash ^ hash >> 29;
}

}  // namespace

std::size_t CodeTable::head_bytes() const noexcept {
  const std::uint32_t bytecode = layout_.has_frame_objects() ? layout_.code_bytecode : 0;
  return std::max({layout_.code_file, layout_.code_name, layout_.code_lines,
                   layout_.code_first_line, bytecode}) +
         sizeof(std::uint64_t);
}

void CodeTable::begin_sample(std::uint64_t number) {
  sample_ = number;
  if (codes_.size() < kMaxCodes && line_bytes_ < kMaxLineBytes) return;
  codes_.clear();
  line_bytes_ = 0;
}

void CodeTable::want(Snapshot& snapshot, std::uint64_t address) const {
  const auto known = codes_.find(address);
  if (known != codes_.end() && known->second.next_check > sample_) return;
  snapshot.want(address, head_bytes());
  if (known != codes_.end()) snapshot.want(known->second.name, kNameBytes);
}

bool CodeTable::is_due(std::uint64_t address) const {
  const auto known = codes_.find(address);
  return known == codes_.end() || known->second.next_check <= sample_;
}

const Code* CodeTable::find(std::uint64_t address) const {
  const auto known = codes_.find(address);
  return known == codes_.end() ? nullptr : &known->second;
}

// Over what never changes in a code object and its name's str. The str belongs to it since a loop
// that executes generated sources gets the same addresses again in the same order.
std::optional<std::uint64_t> CodeTable::fingerprint(Snapshot& snapshot, std::uint64_t address,
                                                    std::uint64_t& name) const {
  const auto head = snapshot.bytes(address, head_bytes());
  if (head.empty()) return std::nullopt;
  ByteView view(head);
  if (code_type_ != 0 && view.u64(kObjectType) != code_type_) return std::nullopt;
  std::uint64_t hash = 0;
  for (std::uint32_t at = kObjectType; at + 4 <= view.size(); at += 4) {
    if (layout_.minor == 11 && at >= kWarmupBegin && at < kWarmupEnd) continue;
    hash = mixed(hash, view.u32(at));
  }
  name = view.u64(layout_.code_name);
  const auto text = snapshot.bytes(name, kNameBytes);
  if (text.empty()) return std::nullopt;
  ByteView text_view(text);
  // Not its reference count nor whether it is interned; the characters end where the str does.
  const std::uint64_t length = text_view.u64(layout_.text_length);
  const std::uint64_t end = std::min<std::uint64_t>(kNameBytes, layout_.ascii_size + length);
  hash = mixed(hash, length);
  for (std::uint64_t at = layout_.ascii_size; at < end; ++at) hash = mixed(hash, text_view.u8(at));
  return hash;
}

bool CodeTable::is_unchanged(Snapshot& snapshot, std::uint64_t address) {
  Code& code = codes_.find(address)->second;
  std::uint64_t name = 0;
  const auto now = fingerprint(snapshot, address, name);
  if (!now || *now != code.fingerprint) return false;
  code.times_equal = std::min(code.times_equal + 1, kMostTrust);
  code.next_check = sample_ + code.times_equal;
  return true;
}

void CodeTable::read_bytecode_place(Snapshot& snapshot, std::uint64_t address, Code& code) const {
  if (layout_.has_frame_objects()) {
    const auto object = snapshot.u64(address + layout_.code_bytecode);
    const auto size = object ? snapshot.u64(*object + layout_.bytes_size) : std::nullopt;
    code.bytecode_bytes = size.value_or(0);
  } else {
    const auto units = snapshot.u64(address + kObjectCount);
    code.bytecode = address + layout_.code_bytecode;
    code.bytecode_bytes = units.value_or(0) * 2;
    const auto slots = [&](std::uint32_t field) {
      return snapshot.u64(address + field).value_or(0) & 0xFFFF'FFFF;
    };
    code.frame_bytes = layout_.frame_locals +
                       8 * (slots(layout_.code_local_slots) + slots(layout_.code_stack_slots));
  }
}

std::optional<Code> CodeTable::read(Snapshot& snapshot, std::uint64_t address) {
  Code code;
  const auto print = fingerprint(snapshot, address, code.name);
  if (!print) return std::nullopt;
  code.fingerprint = *print;
  const auto file = snapshot.u64(address + layout_.code_file);
  const auto lines = snapshot.u64(address + layout_.code_lines);
  const auto first_line = snapshot.u64(address + layout_.code_first_line);
  read_bytecode_place(snapshot, address, code);
  if (!file || !lines || !first_line) return std::nullopt;
  if (code.bytecode_bytes == 0 || code.bytecode_bytes > kMaxBytecodeBytes) return std::nullopt;
  Function function;
  function.first_line = static_cast<std::int32_t>(*first_line & 0xFFFF'FFFF);
  auto name_text = read_text(snapshot, layout_, code.name);
  auto file_text = read_text(snapshot, layout_, *file);
  if (!name_text || !file_text) return std::nullopt;
  function.name = std::move(*name_text);
  function.file = std::move(*file_text);
  if (const auto table = read_bytes_object(snapshot, layout_, *lines, kMaxLineTableBytes)) {
    auto decoded = LineTable::decode(line_format_of(layout_.minor), *table, function.first_line);
    if (decoded) code.lines = std::move(decoded).value();  // else: lines are not known
  }
  code.function = functions_.intern(std::move(function));
  code.next_check = sample_ + 1;
  return code;
}

void CodeTable::resolve(Snapshot& snapshot, const std::vector<std::uint64_t>& addresses) {
  for (const std::uint64_t address : addresses) want(snapshot, address);
  if (!snapshot.fetch()) return;
  std::vector<std::uint64_t> unknown;
  for (const std::uint64_t address : addresses) {
    const bool known = codes_.contains(address);
    if (known && is_unchanged(snapshot, address)) continue;
    if (known) {
      line_bytes_ -= codes_.find(address)->second.lines.memory_bytes();
      codes_.erase(address);
      ++replaced_;
    }
    const auto head = snapshot.bytes(address, head_bytes());
    if (head.empty()) continue;
    ByteView view(head);
    if (code_type_ != 0 && view.u64(kObjectType) != code_type_) continue;
    for (const std::uint32_t field : {layout_.code_name, layout_.code_file, layout_.code_lines}) {
      want_object(snapshot, view.u64(field));
    }
    if (layout_.has_frame_objects()) want_object(snapshot, view.u64(layout_.code_bytecode));
    unknown.push_back(address);
  }
  if (unknown.empty() || !snapshot.fetch()) return;
  for (const std::uint64_t address : unknown) {
    if (auto code = read(snapshot, address)) {
      line_bytes_ += code->lines.memory_bytes();
      codes_.insert_or_assign(address, std::move(*code));
    }
  }
}

}  // namespace latido::stacks
