// AgentStub: the agent's side of the socket, and a process that is told to use it. For tests.
#pragma once

#include <sys/types.h>

#include <functional>
#include <string>

#include "base/mapped_memory.h"
#include "base/unique_fd.h"
#include "capture/ring_format.h"

namespace latido::capture::testing {

#if defined(__SANITIZE_THREAD__)
#define LATIDO_UNDER_TSAN 1
#elif defined(__has_feature)
#if __has_feature(thread_sanitizer)
#define LATIDO_UNDER_TSAN 1
#endif
#endif
#if defined(__SANITIZE_ADDRESS__)
#define LATIDO_UNDER_ASAN 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define LATIDO_UNDER_ASAN 1
#endif
#endif

#ifdef LATIDO_UNDER_TSAN
inline constexpr bool kThreadSanitizer = true;
#else
inline constexpr bool kThreadSanitizer = false;
#endif
#ifdef LATIDO_UNDER_ASAN
inline constexpr bool kSanitizer = true;
#else
inline constexpr bool kSanitizer = kThreadSanitizer;
#endif

// A ring as the agent gets it: mapped, and the descriptor kept.
struct ReceivedRing {
  Hello hello{};
  UniqueFd fd;
  MappedMemory memory;

  RingHeader& header() const;
  ChunkHeader& chunk(std::uint32_t index) const;
  Shared<std::uint64_t>* words(std::uint32_t chunk) const;
};

class AgentStub {
 public:
  AgentStub();
  ~AgentStub();
  AgentStub(const AgentStub&) = delete;
  AgentStub& operator=(const AgentStub&) = delete;

  // The next ring that a process hands over; fails the test when none comes within 30 s.
  ReceivedRing receive();
  // The same, of a process that could not make a ring: nothing is mapped.
  ReceivedRing receive_hello();
  // True when nobody waits to hand over a ring.
  bool nobody_came() const;

  const std::string& socket_path() const { return path_; }
  // As `latido run` does for its child.
  void set_environment() const;

 private:
  std::string folder_;
  std::string path_;
  UniqueFd listener_;
};

// Runs `body` in a forked child that records to `agent`, and gives its pid. The child's exit code is 0,
// unless `body` calls fail() or dies.
pid_t start_child(const AgentStub& agent, const std::function<void()>& body);
// Ends a child with a sentence on stderr.
[[noreturn]] void fail(const std::string& why);
void check(bool ok, const std::string& what);
// Expects exit code 0.
void expect_success(pid_t pid);
// start_child, then expect_success.
void run_child(const AgentStub& agent, const std::function<void()>& body);

// One-way signal between processes, without sleeping.
class Gate {
 public:
  Gate();
  void open() const;
  void wait() const;

 private:
  UniqueFd read_end_;
  UniqueFd write_end_;
};

}  // namespace latido::capture::testing
