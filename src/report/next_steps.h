// What a person can do after reading the report: commands that can be pasted as they are.
//
// Called by every format. Pure.
#pragma once

#include <string>

#include "analysis/run_facts.h"
#include "report/catalogue.h"

namespace latido::report {

// The command that holds the run against the one after the change: "latido diff train-0f3a last". Empty
// for a run without steady steps, of which that command can tell nothing.
std::string check_command(const analysis::RunFacts& facts);

// The command that writes the whole report: "latido report train-0f3a -o train-0f3a.html".
std::string page_command(const model::Run& run);

// How to see the functions of a Python program without steps, where none were recorded; else empty.
std::string functions_hint(const analysis::RunFacts& facts, const Catalogue& catalogue);

}  // namespace latido::report
