// ScriptedMemory: another process's memory as a test wants it, page by page.
#pragma once

#include <cstring>
#include <functional>
#include <map>
#include <span>
#include <string_view>
#include <vector>

#include "stacks/memory_source.h"
#include "stacks/snapshot.h"

namespace latido::stacks::testing {

class ScriptedMemory final : public MemorySource {
 public:
  void put(std::uint64_t address, std::uint64_t value, std::size_t width = 8) {
    for (std::size_t k = 0; k < width; ++k) {
      byte_at(address + k) = static_cast<std::byte>(value >> (8 * k));
    }
  }
  void put_text(std::uint64_t address, std::string_view text) {
    for (const char c : text) byte_at(address++) = static_cast<std::byte>(c);
  }

  Status read(std::span<MemoryRange> ranges) override {
    ++reads;
    if (gone) return process_gone(1);
    for (MemoryRange& range : ranges) {
      range.copied = true;
      for (std::size_t k = 0; k < range.into.size(); ++k) {
        const std::uint64_t address = range.address + k;
        const auto page = pages_.find(address / kPageBytes);
        if (page == pages_.end()) range.copied = false;
        if (!range.copied) break;
        range.into[k] = page->second[address % kPageBytes];
      }
    }
    return ok();
  }

  int reads = 0;
  bool gone = false;

 private:
  std::byte& byte_at(std::uint64_t address) {
    auto& page = pages_[address / kPageBytes];
    page.resize(kPageBytes);
    return page[address % kPageBytes];
  }
  std::map<std::uint64_t, std::vector<std::byte>> pages_;
};

}  // namespace latido::stacks::testing
