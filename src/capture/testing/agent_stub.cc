#include "capture/testing/agent_stub.h"

#include <gtest/gtest.h>
#include <poll.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cstdio>
#include <cstdlib>
#include <cstring>

#include "capture/open_ring.h"
#include "capture/ring_memory.h"

namespace latido::capture::testing {
namespace {

bool readable(int fd, int timeout_ms) {
  pollfd ready{fd, POLLIN, 0};
  return poll(&ready, 1, timeout_ms) == 1;
}

}  // namespace

RingHeader& ReceivedRing::header() const { return RingMemory(memory.data()).header(); }

ChunkHeader& ReceivedRing::chunk(std::uint32_t index) const {
  return RingMemory(memory.data()).chunk(index);
}

Shared<std::uint64_t>* ReceivedRing::words(std::uint32_t chunk) const {
  return RingMemory(memory.data()).words(chunk);
}

AgentStub::AgentStub() {
  std::array<char, 32> folder{"/tmp/latido-test-XXXXXX"};
  EXPECT_NE(mkdtemp(folder.data()), nullptr);
  folder_ = folder.data();
  path_ = folder_ + "/agent";
  listener_.reset(socket(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0));
  sockaddr_un address{};
  address.sun_family = AF_UNIX;
  path_.copy(address.sun_path, sizeof address.sun_path - 1);
  EXPECT_EQ(bind(listener_.get(), reinterpret_cast<const sockaddr*>(&address), sizeof address), 0);
  EXPECT_EQ(listen(listener_.get(), 4096), 0);
}

AgentStub::~AgentStub() {
  unlink(path_.c_str());
  rmdir(folder_.c_str());
}

ReceivedRing AgentStub::receive() {
  ReceivedRing ring = receive_hello();
  void* const data =
      mmap(nullptr, kRingBytes, PROT_READ | PROT_WRITE, MAP_SHARED, ring.fd.get(), 0);
  EXPECT_NE(data, MAP_FAILED);
  if (data != MAP_FAILED) ring.memory = MappedMemory(data, kRingBytes);
  return ring;
}

ReceivedRing AgentStub::receive_hello() {
  ReceivedRing ring;
  if (!readable(listener_.get(), 30'000)) {
    ADD_FAILURE() << "no process came to the agent";
    return ring;
  }
  const UniqueFd link(accept4(listener_.get(), nullptr, nullptr, SOCK_CLOEXEC));
  iovec body{&ring.hello, sizeof ring.hello};
  alignas(cmsghdr) std::array<char, CMSG_SPACE(sizeof(int))> control{};
  msghdr message{};
  message.msg_iov = &body;
  message.msg_iovlen = 1;
  message.msg_control = control.data();
  message.msg_controllen = control.size();
  EXPECT_EQ(recvmsg(link.get(), &message, MSG_CMSG_CLOEXEC), ssize_t{sizeof ring.hello});
  int fd = -1;
  if (const cmsghdr* const rights = CMSG_FIRSTHDR(&message)) {
    std::memcpy(&fd, CMSG_DATA(rights), sizeof fd);
  }
  ring.fd.reset(fd);
  return ring;
}

bool AgentStub::nobody_came() const { return !readable(listener_.get(), 0); }

void AgentStub::set_environment() const {
  setenv("LATIDO_SOCKET", path_.c_str(), 1);
  unsetenv("LATIDO_DISABLE");
}

pid_t start_child(const AgentStub& agent, const std::function<void()>& body) {
  const pid_t pid = fork();
  if (pid != 0) return pid;
  agent.set_environment();
  g_start_chunks = kChunkCount;  // nobody speaks to it before it has ended
  body();
  _exit(0);
}

void fail(const std::string& why) {
  std::fprintf(stderr, "child %d: %s\n", getpid(), why.c_str());
  _exit(1);
}

void check(bool ok, const std::string& what) {
  if (!ok) fail(what);
}

void expect_success(pid_t pid) {
  int status = -1;
  EXPECT_EQ(waitpid(pid, &status, 0), pid);
  EXPECT_TRUE(WIFEXITED(status)) << "signal " << WTERMSIG(status);
  EXPECT_EQ(WEXITSTATUS(status), 0);
}

void run_child(const AgentStub& agent, const std::function<void()>& body) {
  expect_success(start_child(agent, body));
}

Gate::Gate() {
  std::array<int, 2> ends{};
  EXPECT_EQ(pipe(ends.data()), 0);
  read_end_.reset(ends[0]);
  write_end_.reset(ends[1]);
}

void Gate::open() const {
  if (write(write_end_.get(), "x", 1) != 1) std::abort();
}

void Gate::wait() const {
  char got = 0;
  if (read(read_end_.get(), &got, 1) != 1) std::abort();
}

}  // namespace latido::capture::testing
