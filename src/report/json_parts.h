// Pieces of the JSON reports that more than one of them writes, and how unknown values become null.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "base/json_writer.h"
#include "model/finding.h"

namespace latido::report {

void write_ns(JsonWriter& json, std::string_view key, std::int64_t ns);           // as it is
void write_measured_ns(JsonWriter& json, std::string_view key, std::int64_t ns);  // negative: null
void write_number(JsonWriter& json, std::string_view key, std::optional<double> value);
void write_known(JsonWriter& json, std::string_view key, std::string_view text);  // empty: null

void write_params(JsonWriter& json, const model::Params& params);     // an object
void write_message(JsonWriter& json, const model::Message& message);  // {"id","params"}

}  // namespace latido::report
