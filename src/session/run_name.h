// What a run is called, from its command line. Pure.
#pragma once

#include <string>
#include <vector>

namespace latido::session {

// "train" for `python -u train.py --lr 1`, `torchrun --nproc-per-node 2 train.py`, `bash train.sh` and
// `bash -c "cd x && python train.py"`; "pkg.train" for `python -m pkg.train`; else the program's own
// name, "job" for `./job --fast`. `arguments` has at least one. Not redacted.
std::string script_name(const std::vector<std::string>& arguments);

}  // namespace latido::session
