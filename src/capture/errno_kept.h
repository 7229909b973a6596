// ErrnoKept: what the recorder does inside other people's programs leaves their errno alone.
#pragma once

#include <errno.h>

namespace latido::capture {

class ErrnoKept {
 public:
  ErrnoKept() noexcept : errno_(errno) {}
  ~ErrnoKept() { errno = errno_; }
  ErrnoKept(const ErrnoKept&) = delete;
  ErrnoKept& operator=(const ErrnoKept&) = delete;

 private:
  int errno_;
};

}  // namespace latido::capture
