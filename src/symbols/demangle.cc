#include <cxxabi.h>

#include <array>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <utility>

#include "symbols/module_symbols.h"

namespace latido::symbols {
namespace {

constexpr std::size_t kLongestName = 4096;

// As people write them.
constexpr std::array<std::pair<std::string_view, std::string_view>, 2> kShorter{{
    {"std::__cxx11::basic_string<char, std::char_traits<char>, std::allocator<char> >",
     "std::string"},
    {"std::__cxx11::", "std::"},
}};

std::string shortened(std::string name) {
  for (const auto& [from, to] : kShorter) {
    for (std::size_t at = name.find(from); at != std::string::npos; at = name.find(from, at)) {
      name.replace(at, from.size(), to);
    }
  }
  return name;
}

}  // namespace

std::string demangle(const char* name) {
  const std::size_t length = ::strnlen(name, kLongestName);
  if (length == kLongestName) return std::string(name, kLongestName);
  int status = 0;
  const std::unique_ptr<char, decltype(&std::free)> plain(
      abi::__cxa_demangle(name, nullptr, nullptr, &status), &std::free);
  if (status != 0 || plain == nullptr) return name;
  return shortened(plain.get()).substr(0, kLongestName);
}

}  // namespace latido::symbols
