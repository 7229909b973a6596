// What a process used, for the tables of processes. Pure.
#pragma once

#include <string>

#include "analysis/run_facts.h"
#include "report/catalogue.h"

namespace latido::report {

// "< 10 ms" where not one tick was counted, "n/a" where the process was not looked at.
std::string cpu_time_text(const analysis::ProcessFacts& use, const Catalogue& catalogue);
std::string memory_text(const analysis::ProcessFacts& use, const Catalogue& catalogue);

}  // namespace latido::report
