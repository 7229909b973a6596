// Feeds bytes to parse_json(): it must neither crash nor run out of stack.
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "base/json_reader.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  (void)latido::parse_json({reinterpret_cast<const char*>(data), size}).has_value();
  return 0;
}
