// CodeTable: what is known of the code objects of another process, by their address.
//
// Names and lines are read once a code object. An address may be used again by another one, so that
// each is compared with its fingerprint from time to time: at every sample in the beginning, at
// every 16th once it has been the same 16 times.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <unordered_map>
#include <vector>

#include "stacks/function_table.h"
#include "stacks/layout.h"
#include "stacks/location_table.h"
#include "stacks/snapshot.h"

namespace latido::stacks {

struct Code {
  FunctionId function = FunctionTable::kOther;
  LineTable lines;
  std::uint64_t bytecode = 0;  // its address
  std::uint64_t bytecode_bytes = 0;
  std::uint64_t frame_bytes = 0;  // of its frames, from 3.11: the next one begins behind
  std::uint64_t fingerprint = 0;
  std::uint64_t name = 0;        // address of the name's str, part of the fingerprint
  std::uint64_t next_check = 0;  // number of the sample
  std::uint32_t times_equal = 0;
};

class CodeTable {
 public:
  // `code_type`: address of PyCode_Type, 0 when it is not known.
  CodeTable(const Layout& layout, std::uint64_t code_type) noexcept
      : layout_(layout), code_type_(code_type) {}

  // Call before each sample: makes room when a program made too many code objects. Pointers from
  // find() do not outlive it.
  void begin_sample(std::uint64_t number);

  // What is to be read of this code object at this sample, if anything, so that resolve() finds it.
  void want(Snapshot& snapshot, std::uint64_t address) const;

  // Whether resolve() is needed for it: it is unknown, or due to be compared.
  bool is_due(std::uint64_t address) const;

  // Reads what is due of `addresses` out of `snapshot`, which is asked for what is missing in two
  // batches. An address where no code object lies stays unknown.
  void resolve(Snapshot& snapshot, const std::vector<std::uint64_t>& addresses);

  // Null: unknown.
  const Code* find(std::uint64_t address) const;

  const FunctionTable& functions() const noexcept { return functions_; }
  std::uint64_t replaced() const noexcept { return replaced_; }  // addresses that were used again

 private:
  static constexpr std::size_t kMaxCodes = 65'536;
  static constexpr std::size_t kMaxLineBytes = std::size_t{64} << 20;

  std::size_t head_bytes() const noexcept;
  std::optional<std::uint64_t> fingerprint(Snapshot& snapshot, std::uint64_t address,
                                           std::uint64_t& name) const;
  bool is_unchanged(Snapshot& snapshot, std::uint64_t address);
  std::optional<Code> read(Snapshot& snapshot, std::uint64_t address);
  void read_bytecode_place(Snapshot& snapshot, std::uint64_t address, Code& code) const;

  Layout layout_;
  std::uint64_t code_type_;
  std::uint64_t sample_ = 0;
  std::uint64_t replaced_ = 0;
  std::size_t line_bytes_ = 0;
  std::unordered_map<std::uint64_t, Code> codes_;
  FunctionTable functions_;
};

}  // namespace latido::stacks
