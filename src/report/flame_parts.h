// What the pages with a flame graph share: the picture's elements, and the data for its script.
//
// Called by html_flame.cc and html_flame_diff.cc. Names are printable, cut and escaped here.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "report/catalogue.h"
#include "report/flame_tree.h"
#include "report/markup.h"

namespace latido::report {

std::string flame_function_name(const model::CallFrame& function);

// The files of the drawn functions as they are shown, the one with the most own time first.
struct DrawnFiles {
  std::vector<std::string> names;
  std::unordered_map<std::string, std::int64_t> number;  // by the name in the frame
  bool unknown = false;                                  // some functions have none
};
DrawnFiles files_of(const FlameTree& drawn, const Catalogue& catalogue);

struct LegendEntry {
  std::string css_class;  // its colour
  std::string text;
};

struct FlamePicture {
  std::string_view label;  // for those who do not see it
  std::string_view help;
  std::vector<LegendEntry> legend;
  bool busy_only = false;  // offers to count only what is busy
};

// Hidden until the script runs: without it there is nothing to see or to use.
void write_flame_picture(Markup& page, const Catalogue& catalogue, const FlamePicture& picture);

// What a picture shows beside times when two runs are compared.
struct DrawnChanges {
  std::vector<int> levels;  // of each node: change_level()
  std::uint64_t steps = 0;  // times are shown per step; 0: as shares of the whole
};

// The data and the script; the page must allow PageScript::kFlame. `changes` may be null.
void write_flame_data(Markup& page, const Catalogue& catalogue, const FlameTree& drawn,
                      const DrawnFiles& files, const DrawnChanges* changes);

}  // namespace latido::report
