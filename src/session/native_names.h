// The names of C and C++ functions of a run: looked up when the recording ends, kept in run.db, and put into
// the tables before they are analysed or exported. The timeline itself keeps addresses.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "model/function_name.h"
#include "model/timeline.h"

namespace latido::session {

struct FoundNames {
  std::vector<model::FunctionName> names;  // one for each such site of the tables
  std::vector<std::string> problems;       // sentences, for the report
};

// Reads the files of the programs and waits for that, some seconds at most.
FoundNames find_native_names(const model::Tables& tables);

// Gives the sites of `tables` their names. One that was not found is called by its module and address.
void apply_native_names(std::span<const model::FunctionName> names, model::Tables& tables);

// Whether `tables` have functions that apply_native_names() would change.
bool has_native_functions(const model::Tables& tables);

}  // namespace latido::session
