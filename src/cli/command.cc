#include "cli/command.h"

#include <unistd.h>

#include <cstdio>

namespace latido::cli {

int fail(const Error& error, int code) {
  std::fprintf(stderr, "latido: %s\n", error.message.c_str());
  return code;
}

std::vector<std::string> current_environment() {
  std::vector<std::string> out;
  for (char** entry = environ; *entry != nullptr; ++entry) out.emplace_back(*entry);
  return out;
}

}  // namespace latido::cli
