#include "session/python_flags.h"

#include <cstddef>
#include <filesystem>
#include <string_view>

namespace latido::session {

bool keeps_hooks_out(const std::vector<std::string>& arguments) {
  if (!std::filesystem::path(arguments.front()).filename().string().starts_with("python")) {
    return false;
  }
  for (std::size_t i = 1; i < arguments.size(); ++i) {
    const std::string_view argument = arguments[i];
    if (argument.size() < 2 || argument.front() != '-') return false;  // the script
    if (argument.starts_with("--")) continue;
    for (std::size_t at = 1; at < argument.size(); ++at) {
      const char flag = argument[at];
      if (flag == 'I' || flag == 'E' || flag == 'S') return true;
      if (flag == 'c' || flag == 'm') return false;  // the program itself follows
      if (flag == 'W' || flag == 'X') {  // takes a value: the rest, or the next argument
        if (at + 1 == argument.size()) ++i;
        break;
      }
    }
  }
  return false;
}

}  // namespace latido::session
