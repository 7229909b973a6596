#include "agent/on_off_blocks.h"

namespace latido::agent {

bool OnOffBlocks::is_on(std::int64_t now_ns) {
  if (now_ns >= until_ns_) {
    on_ = until_ns_ == 0 || !on_;  // a program's start is worth seeing
    std::uniform_int_distribution<std::int64_t> length_ns(kShortest_ns, kLongest_ns);
    until_ns_ = now_ns + length_ns(random_);
  }
  return on_;
}

}  // namespace latido::agent
