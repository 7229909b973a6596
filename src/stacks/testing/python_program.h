// PythonProgram: runs a short program in a real interpreter, for tests of this folder.
//
// The program says "ready" on its standard output when it is where the test wants it; what it prints
// before is its answer. It is killed at the latest when this is destroyed.
#pragma once

#include <signal.h>
#include <sys/types.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdlib>
#include <string>
#include <vector>

#include "base/unique_fd.h"
#include "stacks/memory_map.h"

#ifndef LATIDO_TEST_PYTHONS
#define LATIDO_TEST_PYTHONS ""  // set by CMake to those of this machine
#endif

namespace latido::stacks::testing {

// Interpreters on this machine from 3.`oldest` on, in rising order.
inline std::vector<std::string> pythons(int oldest = 8) {
  const char* chosen = std::getenv("LATIDO_TEST_PYTHONS");
  std::string list = chosen != nullptr ? chosen : LATIDO_TEST_PYTHONS;
  std::vector<std::string> found;
  for (std::size_t at = 0; at < list.size();) {
    const std::size_t end = std::min(list.find(':', at), list.size());
    const std::string path = list.substr(at, end - at);
    if (minor_in_name(path) >= oldest && ::access(path.c_str(), X_OK) == 0) found.push_back(path);
    at = end + 1;
  }
  return found;
}

class PythonProgram {
 public:
  PythonProgram(const std::string& python, const std::string& source)
      : PythonProgram(std::vector<std::string>{python, "-I", "-S", "-c", source}) {}

  explicit PythonProgram(const std::vector<std::string>& command) {
    int to_child[2];
    int from_child[2];
    if (::pipe(to_child) != 0 || ::pipe(from_child) != 0) std::abort();
    std::vector<char*> words;
    words.reserve(command.size() + 1);
    for (const std::string& word : command) words.push_back(const_cast<char*>(word.c_str()));
    words.push_back(nullptr);
    pid_ = ::fork();
    if (pid_ == 0) {
      ::dup2(to_child[0], 0);
      ::dup2(from_child[1], 1);
      for (const int fd : {to_child[0], to_child[1], from_child[0], from_child[1]}) ::close(fd);
      ::execv(words[0], words.data());
      ::_exit(127);
    }
    ::close(to_child[0]);
    ::close(from_child[1]);
    input_.reset(to_child[1]);
    output_.reset(from_child[0]);
  }
  PythonProgram(const PythonProgram&) = delete;
  PythonProgram& operator=(const PythonProgram&) = delete;
  ~PythonProgram() {
    ::kill(pid_, SIGKILL);
    wait();
  }

  // What the program printed before "ready"; ends early when the program does.
  std::string wait_until_ready() {
    std::string text;
    char byte = 0;
    while (!text.ends_with("ready\n") && ::read(output_.get(), &byte, 1) == 1) text += byte;
    return text.substr(0, text.find("ready\n"));
  }

  // Lets a program go on that reads its standard input.
  void close_input() { input_.reset(); }
  void wait() {
    if (!waited_) ::waitpid(pid_, nullptr, 0);
    waited_ = true;
  }
  pid_t pid() const noexcept { return pid_; }

 private:
  pid_t pid_ = 0;
  bool waited_ = false;
  UniqueFd input_;
  UniqueFd output_;
};

}  // namespace latido::stacks::testing
