// What the comparisons say of functions whose time changed, in every format. Pure.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "report/catalogue.h"
#include "report/diff.h"

namespace latido::report {

// Whether there is anything to say: at least one of the runs was sampled.
bool has_function_changes(const DiffInput& diff) noexcept;

// "own time per step, from samples", "3 of 41 functions by more than the error of sampling"; or why
// they cannot be compared.
std::vector<std::string> function_change_pieces(const DiffInput& diff, const Catalogue& catalogue);

struct FunctionChangeRow {
  std::string name;
  std::string place;
  std::string before;
  std::string after;
  std::string change;  // with its sign
  int sign = 0;        // −1 less time, 1 more
};
// The largest first, at most `most`.
std::vector<FunctionChangeRow> function_change_rows(const DiffInput& diff,
                                                    const Catalogue& catalogue, std::size_t most);

}  // namespace latido::report
