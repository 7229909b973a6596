// JSON forms of what a run's folder keeps as documents: the run, its quality, findings.
//
// Pure. Used for meta.json and for the document columns of run.db; docs/formats/run-folder.md.
// Reading takes unknown keys as they come and gives defaults for missing ones.
#pragma once

#include <string>
#include <string_view>

#include "base/json_reader.h"
#include "base/result.h"
#include "model/finding.h"
#include "model/run.h"

namespace latido::store {

std::string run_to_json(const model::Run& run);
std::string quality_to_json(const model::Quality& quality);
std::string finding_to_json(const model::Finding& finding);
std::string message_to_json(const model::Message& message);

// kInvalidInput when it is no JSON object.
Result<model::Run> run_from_json(std::string_view text);
Result<model::Run> run_from_json(const JsonValue& in);
Result<model::Quality> quality_from_json(std::string_view text);
Result<model::Finding> finding_from_json(std::string_view text);
Result<model::Message> message_from_json(std::string_view text);

}  // namespace latido::store
