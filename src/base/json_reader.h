// JsonValue and parse_json: one JSON document as a tree of values. For small documents of our own
// (run folders, settings), not for foreign traces.
//
// Input may be hostile: depth is limited, text must be UTF-8, and trailing bytes are an error.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "base/result.h"

namespace latido {

class JsonValue {
 public:
  using Array = std::vector<JsonValue>;
  using Object = std::vector<std::pair<std::string, JsonValue>>;  // in the order of the text
  // A number is an integer when it is written without fraction and exponent and fits.
  using Any = std::variant<std::monostate, bool, std::int64_t, double, std::string, Array, Object>;

  JsonValue() = default;
  explicit JsonValue(Any value) : value_(std::move(value)) {}

  bool is_null() const noexcept { return value_.index() == 0; }

  // Null when this is no object or has no such key; so look-ups can be chained.
  const JsonValue& operator[](std::string_view key) const noexcept;
  // Empty when this is no array.
  const Array& items() const noexcept;
  const Object& members() const noexcept;

  // The value, or `otherwise` when it is of another type. Integers are numbers, not vice versa.
  std::string string_or(std::string_view otherwise) const;
  std::int64_t integer_or(std::int64_t otherwise) const noexcept;
  double number_or(double otherwise) const noexcept;
  bool boolean_or(bool otherwise) const noexcept;

  const Any& any() const noexcept { return value_; }

 private:
  Any value_;
};

// kInvalidInput with the byte offset of what is wrong.
Result<JsonValue> parse_json(std::string_view text);

}  // namespace latido
