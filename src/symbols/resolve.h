// resolve_functions: names, files and lines of functions that are known by their addresses only.
//
// Called by session when a recording ends, or by a command that reads one whose recorder was killed. The files
// belong to the recorded programs, so they are read in a child process with limits on memory and time: a file
// that makes the reading crash, or a folder on a dead network, costs names and nothing else.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "symbols/module_symbols.h"

namespace latido::symbols {

struct NativeFunction {
  std::string path;  // of the module's file
  std::string identity;
  std::uint64_t address = 0;
};

struct ResolveLimits {
  std::int64_t wall_ns = 8'000'000'000;  // then what has been found is all
  std::uint64_t memory_bytes = std::uint64_t{1} << 30;
};

struct Resolution {
  std::vector<Symbol> symbols;  // one for each function asked for, in that order
  std::vector<std::string>
      problems;  // a sentence for each file without names, and where time ran out
};

// Those asked for first are found first. Never fails, at most takes `limits.wall_ns`.
Resolution resolve_functions(std::span<const NativeFunction> functions,
                             const ResolveLimits& limits = {});

}  // namespace latido::symbols
