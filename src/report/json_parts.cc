#include "report/json_parts.h"

#include <string>
#include <variant>

namespace latido::report {

void write_ns(JsonWriter& json, std::string_view key, std::int64_t ns) {
  json.key(key).integer(ns);
}

void write_measured_ns(JsonWriter& json, std::string_view key, std::int64_t ns) {
  json.key(key);
  if (ns < 0) {
    json.null();
  } else {
    json.integer(ns);
  }
}

void write_number(JsonWriter& json, std::string_view key, std::optional<double> value) {
  json.key(key);
  if (value) {
    json.number(*value);
  } else {
    json.null();
  }
}

void write_known(JsonWriter& json, std::string_view key, std::string_view text) {
  json.key(key);
  if (text.empty()) {
    json.null();
  } else {
    json.string(text);
  }
}

void write_params(JsonWriter& json, const model::Params& params) {
  json.begin_object();
  for (const auto& [name, value] : params.all) {
    json.key(name);
    if (const auto* whole = std::get_if<std::int64_t>(&value)) {
      json.integer(*whole);
    } else if (const auto* number = std::get_if<double>(&value)) {
      json.number(*number);
    } else {
      json.string(std::get<std::string>(value));
    }
  }
  json.end_object();
}

void write_message(JsonWriter& json, const model::Message& message) {
  json.begin_object().key("id").string(message.id).key("params");
  write_params(json, message.params);
  json.end_object();
}

}  // namespace latido::report
