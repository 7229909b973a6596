// FunctionName: what a function that was recorded by its address only is called, once it was looked up.
#pragma once

#include <cstdint>
#include <string>

namespace latido::model {

struct FunctionName {
  // Of its site in the timeline: "kmeans+0x1a2b#9f86…" and the file it is in.
  std::string site;
  std::string module;
  // Found: "assign(Point const*)", in this source. Empty: unknown.
  std::string name;
  std::string file;
  std::uint32_t line = 0;

  bool operator==(const FunctionName&) const = default;
};

}  // namespace latido::model
