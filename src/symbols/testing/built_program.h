// BuiltProgram: a small program that a test builds with a real compiler, and what binutils say about it.
#pragma once

#include <gtest/gtest.h>
#include <sys/stat.h>

#include <array>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <memory>
#include <sstream>
#include <string>
#include <vector>

namespace latido::symbols::testing {

inline constexpr const char* kSource = R"(
namespace shop {
struct Till {
  int pay(int amount);
  template <typename T> __attribute__((noinline)) static T twice(T value) { return value + value; }
};
__attribute__((noinline)) int Till::pay(int amount) { return amount + twice(amount); }  // line 7
}
static __attribute__((noinline)) int hidden(int n) { return n * 3; }                     // line 9
int main(int count, char**) { return shop::Till{}.pay(count) - hidden(count) > 5; }      // line 10
)";

inline std::string output_of(const std::string& command) {
  const auto closer = [](std::FILE* file) { pclose(file); };
  const std::unique_ptr<std::FILE, decltype(closer)> pipe(popen(command.c_str(), "r"), closer);
  std::string output;
  std::array<char, 4096> buffer{};
  while (std::fgets(buffer.data(), buffer.size(), pipe.get()) != nullptr) output += buffer.data();
  return output;
}

inline std::string file_identity(const std::string& path) {
  struct stat status {};
  EXPECT_EQ(::stat(path.c_str(), &status), 0);
  std::array<char, 96> text{};
  std::snprintf(
      text.data(), text.size(), "file:%lx:%lx:%lx:%lx", static_cast<unsigned long>(status.st_ino),
      static_cast<unsigned long>(status.st_size), static_cast<unsigned long>(status.st_mtim.tv_sec),
      static_cast<unsigned long>(status.st_mtim.tv_nsec));
  return text.data();
}

inline std::vector<std::string> compilers() {
  std::istringstream list(LATIDO_TEST_COMPILERS);
  std::vector<std::string> all;
  for (std::string one; std::getline(list, one, ':');) {
    if (!one.empty()) all.push_back(one);
  }
  return all;
}

class BuiltProgram {
 public:
  // Builds the sample program; fails the test when that does not work. `flags`: of the compiler.
  explicit BuiltProgram(const std::string& compiler, const std::string& flags = "-g1");
  ~BuiltProgram();
  BuiltProgram(const BuiltProgram&) = delete;
  BuiltProgram& operator=(const BuiltProgram&) = delete;

  const std::string& path() const { return path_; }
  const std::string& source() const { return source_; }
  std::string identity() const { return identity_; }
  // Of a function by its mangled name, as it was before run() changed anything; 0 when it has none.
  std::uint64_t address_of(const std::string& mangled) const;
  // Runs a command on it: "strip PATH", in which PATH stands for it.
  void run(std::string command) const;

 private:
  std::string folder_;
  std::string source_;
  std::string path_;
  std::string identity_;
  std::string names_;
};

inline BuiltProgram::BuiltProgram(const std::string& compiler, const std::string& flags) {
  std::string pattern = std::filesystem::temp_directory_path() / "latido-symbols-XXXXXX";
  EXPECT_NE(::mkdtemp(pattern.data()), nullptr);
  folder_ = pattern;
  source_ = folder_ + "/shop.cc";
  path_ = folder_ + "/shop";
  std::ofstream(source_) << kSource;
  run(compiler + " -O1 " + flags + " -o PATH " + source_);
  names_ = output_of("nm " + path_);
  std::istringstream notes(output_of("readelf -n " + path_));
  for (std::string word; notes >> word;) {
    if (word == "ID:") notes >> identity_;
  }
  if (identity_.empty()) identity_ = file_identity(path_);
}

inline BuiltProgram::~BuiltProgram() {
  std::error_code ignored;
  std::filesystem::remove_all(folder_, ignored);
}

inline std::uint64_t BuiltProgram::address_of(const std::string& mangled) const {
  std::istringstream lines(names_);
  for (std::string line; std::getline(lines, line);) {
    std::istringstream words(line);
    std::string address, kind, name;
    words >> address >> kind >> name;
    if (name == mangled) return std::strtoull(address.c_str(), nullptr, 16);
  }
  return 0;
}

inline void BuiltProgram::run(std::string command) const {
  for (std::size_t at = command.find("PATH"); at != std::string::npos; at = command.find("PATH")) {
    command.replace(at, 4, path_);
  }
  EXPECT_EQ(std::system(command.c_str()), 0) << command;
}

}  // namespace latido::symbols::testing
