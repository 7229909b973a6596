// What the shared library brings into a program: libc, and the functions of latido.h. Nothing else.
#include <gtest/gtest.h>

#include <cstdio>
#include <memory>
#include <set>
#include <sstream>
#include <string>

#include "capture/testing/agent_stub.h"

namespace latido::capture {
namespace {

std::string output_of(const std::string& command) {
  const auto closer = [](std::FILE* file) { pclose(file); };
  const std::unique_ptr<std::FILE, decltype(closer)> pipe(popen(command.c_str(), "r"), closer);
  std::string output;
  char buffer[4096];
  while (std::fgets(buffer, sizeof buffer, pipe.get()) != nullptr) output += buffer;
  return output;
}

TEST(Library, NeedsLibcOnly) {
  if (testing::kSanitizer) GTEST_SKIP() << "a sanitizer brings its own libraries";
  std::istringstream lines(output_of("readelf -dW " LATIDO_CAPTURE_LIBRARY));
  std::set<std::string> needed;
  for (std::string line; std::getline(lines, line);) {
    if (line.find("(NEEDED)") == std::string::npos) continue;
    needed.insert(line.substr(line.find('[')));
  }
  EXPECT_EQ(needed, std::set<std::string>{"[libc.so.6]"});
}

TEST(Library, IsNeverUnloadedAndHasStaticThreadStorage) {
  const std::string dynamic = output_of("readelf -dW " LATIDO_CAPTURE_LIBRARY);
  EXPECT_NE(dynamic.find("NODELETE"), std::string::npos);
  EXPECT_NE(dynamic.find("STATIC_TLS"), std::string::npos);
}

TEST(Library, ShowsTheFunctionsOfItsHeaderOnly) {
  if (testing::kSanitizer) GTEST_SKIP() << "a sanitizer adds symbols";
  std::istringstream lines(output_of("nm -D --defined-only " LATIDO_CAPTURE_LIBRARY));
  std::set<std::string> shown;
  for (std::string address, kind, name; lines >> address >> kind >> name;) shown.insert(name);
  EXPECT_EQ(shown, (std::set<std::string>{
                       "__cyg_profile_func_enter", "__cyg_profile_func_exit", "latido_arg",
                       "latido_begin", "latido_control", "latido_define_site", "latido_dropped",
                       "latido_end", "latido_instant", "latido_log", "latido_mark", "latido_state",
                       "latido_step", "latido_text", "latido_value"}));
}

}  // namespace
}  // namespace latido::capture
