// JsonWriter: builds one JSON document in a string. Commas and escaping are its business.
//
// Strings are taken as UTF-8; invalid bytes become U+FFFD, so that the document is always valid.
// NaN and infinities, which JSON lacks, are written as null.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace latido {

class JsonWriter {
 public:
  JsonWriter& begin_object();
  JsonWriter& end_object();
  JsonWriter& begin_array();
  JsonWriter& end_array();
  JsonWriter& key(std::string_view name);
  JsonWriter& string(std::string_view text);
  JsonWriter& integer(std::int64_t value);
  JsonWriter& unsigned_integer(std::uint64_t value);
  JsonWriter& number(double value);  // shortest text that reads back to the same double
  JsonWriter& boolean(bool value);
  JsonWriter& null();

  const std::string& text() const noexcept { return out_; }
  std::string take() && { return std::move(out_); }

 private:
  void before_value();

  std::string out_;
  std::vector<bool> has_items_;  // one per open object or array
  bool after_key_ = false;
};

// `text` as a quoted JSON string.
std::string json_quote(std::string_view text);

}  // namespace latido
