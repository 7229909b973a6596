// MappedMemory: owns one mmap()ed range and unmaps it. Move-only.
#pragma once

#include <sys/mman.h>

#include <cstddef>
#include <span>
#include <utility>

namespace latido {

class MappedMemory {
 public:
  MappedMemory() = default;
  // Takes over a range that mmap() returned; `data` must not be MAP_FAILED.
  MappedMemory(void* data, std::size_t size_bytes) noexcept
      : data_(data), size_bytes_(size_bytes) {}
  MappedMemory(MappedMemory&& other) noexcept
      : data_(std::exchange(other.data_, nullptr)),
        size_bytes_(std::exchange(other.size_bytes_, 0)) {}
  MappedMemory& operator=(MappedMemory&& other) noexcept {
    std::swap(data_, other.data_);
    std::swap(size_bytes_, other.size_bytes_);
    return *this;
  }
  MappedMemory(const MappedMemory&) = delete;
  MappedMemory& operator=(const MappedMemory&) = delete;
  ~MappedMemory() {
    if (data_ != nullptr) ::munmap(data_, size_bytes_);
  }

  std::byte* data() const noexcept { return static_cast<std::byte*>(data_); }
  std::size_t size_bytes() const noexcept { return size_bytes_; }

 private:
  void* data_ = nullptr;
  std::size_t size_bytes_ = 0;
};

}  // namespace latido
