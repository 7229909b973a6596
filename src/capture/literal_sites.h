// LiteralSites: finds the site of a name by the address of its literal. A fixed table, no locks;
// entries are never removed. For latido_log and latido_mark, whose callers have no latido_site.
#pragma once

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>

namespace latido::capture {

class LiteralSites {
 public:
  // Where the id of `name` is kept (SiteRef::tagged_id); nullptr when the table is full.
  std::uint64_t* find(const char* name) noexcept;

 private:
  static constexpr std::size_t kSlots = 1024;  // half of them used at most: searches stay short
  static constexpr std::size_t kMaxNames = 512;

  struct Slot {
    std::atomic<const char*> name{nullptr};
    std::uint64_t tagged_id = 0;
  };

  std::array<Slot, kSlots> slots_{};
  std::atomic<std::size_t> names_{0};
};

}  // namespace latido::capture
