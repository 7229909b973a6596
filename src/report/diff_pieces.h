// Texts of a comparison that every format shows. Pure. Each format escapes them its own way.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "report/catalogue.h"
#include "report/diff.h"
#include "report/report_pieces.h"

namespace latido::report {

// "FASTER": "412.0 → 194.6 ms/step", "2.12× [2.08, 2.15]", "p < 0.001", "8,480 steps each".
struct DiffLine {
  std::string label;  // capitals
  std::vector<std::string> pieces;
};

// In the order of the page; what does not apply is left out.
std::vector<DiffLine> diff_lines(const DiffInput& diff, const Catalogue& catalogue);

// What is not the same about the two runs; "nothing that was recorded" when nothing is.
std::vector<std::string> diff_changes(const DiffInput& diff, const Catalogue& catalogue);

// A row of the phase table, in the unit of the slower run's step; n/a where not measured.
struct DiffRow {
  std::string name;
  std::string before;
  std::string after;
  std::string change;
  int sign = 0;  // −1 less time, 1 more, by more than noise; else 0
};
std::vector<DiffRow> diff_rows(const DiffInput& diff, const Catalogue& catalogue);
StepUnit diff_unit(const DiffInput& diff);

// "exit 0 with --fail-if '…'", "0 pass · 3 regression · 4 cannot tell"; empty without a gate.
std::vector<std::string> gate_pieces(const DiffInput& diff, const Catalogue& catalogue);

}  // namespace latido::report
