// Whether a command line starts Python in a way that keeps our hooks out. Pure.
#pragma once

#include <string>
#include <vector>

namespace latido::session {

// True for `python -I`, `-E` and `-S` in any spelling (`-sE`, `python3.12 -X dev -I x.py`): Python then
// reads neither PYTHONPATH nor sitecustomize. `arguments` has at least one. Not seen: the same flags in a
// script that the program starts.
bool keeps_hooks_out(const std::vector<std::string>& arguments);

}  // namespace latido::session
