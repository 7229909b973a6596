// Where the parts that belong to this binary are: in a build tree or in an installed wheel.
#pragma once

#include <string>

namespace latido::cli {

// The Python package `latido` that came with this binary; empty when there is none.
std::string python_package_folder();

}  // namespace latido::cli
