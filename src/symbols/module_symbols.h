// Finds the functions of one program or shared library by their addresses: in its symbol table, then in its
// debug information (DWARF).
//
// Reads files that belong to others with a library that was not made for hostile ones: only to be called where
// a crash, a hang or too much memory harms nobody (resolve.h does so, in a process of its own).
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <string_view>

#include "base/result.h"

namespace latido::symbols {

struct Symbol {
  std::string name;  // demangled; empty: not found
  std::string file;  // empty: unknown
  std::uint32_t line = 0;

  bool operator==(const Symbol&) const = default;
};

// `index`: of the address. May come twice: the name first, then all with the place in the source.
using OnSymbol = std::function<void(std::size_t index, const Symbol& symbol)>;

// `addresses` are those of functions' first instructions in the file. Errors: kNotFound (no such file),
// kUnavailable (it cannot be read), kInvalidInput (no such program), kDataLoss (the file is another one than
// `identity` says: it was built again).
Status find_symbols(const std::string& path, std::string_view identity,
                    std::span<const std::uint64_t> addresses, const OnSymbol& on_symbol);

// "Trainer::fit(int)" of "_ZN7Trainer3fitEi"; what is no mangled name stays as it is.
std::string demangle(const char* name);

}  // namespace latido::symbols
