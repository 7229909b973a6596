// Snapshot: parts of another process's memory as they were a moment ago, copied in as few calls as
// possible. What is missed is fetched a page at a time, so that a first walk of a stack is cheap too.
//
// One Snapshot is used again for every sample; pointers it gives live until its next call that is
// not const.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "base/result.h"
#include "stacks/memory_source.h"

namespace latido::stacks {

inline constexpr std::uint64_t kPageBytes = 4096;

class Snapshot {
 public:
  // `source` must outlive this.
  explicit Snapshot(MemorySource& source) noexcept : source_(&source) {}

  // Forgets everything.
  void clear() noexcept;

  // Ask for ranges; nothing is copied before fetch(). Order of copying: want_first, want, want_last.
  // What is there already is not copied again.
  void want_first(std::uint64_t address, std::size_t size) { add(first_, address, size); }
  void want(std::uint64_t address, std::size_t size) { add(body_, address, size); }
  void want_last(std::uint64_t address) { add(last_, address, sizeof(std::uint64_t)); }

  // Copies what was asked for since the last fetch(). kNotFound, kUnavailable as MemorySource.
  Status fetch();

  // The bytes at an address: those fetched, else the pages around them are fetched now. Empty when
  // they cannot be read. After an error of the source every call gives empty, see status().
  std::span<const std::byte> bytes(std::uint64_t address, std::size_t size);

  // As bytes(), but only what was fetched already. For what must be of the same moment.
  std::span<const std::byte> fetched_bytes(std::uint64_t address, std::size_t size) const;

  // A number among the bytes that bytes() would give.
  std::optional<std::uint64_t> u64(std::uint64_t address);

  // What want_last() asked for; empty when it could not be read.
  std::optional<std::uint64_t> last_u64(std::uint64_t address) const;

  const Status& status() const noexcept { return status_; }

 private:
  struct Wish {
    std::uint64_t begin = 0;
    std::uint64_t end = 0;
  };
  struct Piece {
    std::uint64_t begin = 0;
    std::uint64_t end = 0;
    std::size_t at = 0;  // in memory_
  };

  void add(std::vector<Wish>& wishes, std::uint64_t address, std::size_t size);
  static void merge(std::vector<Wish>& wishes);
  void plan(const std::vector<Wish>& wishes, std::vector<Piece>& pieces);
  Status copy(std::vector<Piece>& pieces);
  const Piece* find(const std::vector<Piece>& pieces, std::uint64_t address,
                    std::size_t size) const noexcept;

  MemorySource* source_;
  std::vector<Wish> first_, body_, last_;
  std::vector<Piece> fetched_, fetched_last_;  // by address; may overlap, any that covers will do
  std::vector<Piece> new_pieces_, new_last_;
  std::vector<MemoryRange> ranges_;
  std::vector<std::byte> memory_;
  std::size_t used_ = 0;
  Status status_ = ok();
};

}  // namespace latido::stacks
