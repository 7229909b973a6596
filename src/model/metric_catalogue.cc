#include "model/metric_catalogue.h"

namespace latido::model {

std::string_view suffix_of(Unit unit) noexcept {
  switch (unit) {
    case Unit::kOne:
      return "";
    case Unit::kBytes:
      return "_bytes";
    case Unit::kCores:
      return "_cores";
    case Unit::kNanoseconds:
      return "_ns";
  }
  return "";
}

std::string_view to_text(Unit unit) noexcept {
  const std::string_view suffix = suffix_of(unit);
  return suffix.empty() ? "1" : suffix.substr(1);
}

std::string_view to_text(Kind kind) noexcept {
  return kind == Kind::kCounter ? "counter" : "gauge";
}

}  // namespace latido::model
