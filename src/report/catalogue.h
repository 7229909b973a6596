// Catalogue: every sentence that people read, in each language, and how its parameters go into it.
//
// Used by every renderer. Three files per language: labels (messages_en.cc), views (views_en.cc)
// and what diagnosis says (findings_en.cc); a test compares the languages. Never
// fails: a message that this version does not know is shown as its id with its parameters.
//
// A template is text with
//   {wait_ratio}            the parameter, formatted by the suffix of its name (number_format.h)
//   {wall_ns:clock}         the same, as h:mm:ss
//   {phase:@phase.}         the message "phase." + parameter, the bare parameter when there is none
//   {n|a worker|{n} workers}  the first text when the parameter is 1, else the second
//   [[ at {file}:{line}]]   vanishes when one of its parameters is absent, empty, or 0 for a line
#pragma once

#include <cstdint>
#include <initializer_list>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "model/finding.h"
#include "report/language.h"
#include "report/number_format.h"

namespace latido::report {

struct CatalogueEntry {
  std::string_view id;
  std::string_view text;
};

// All entries of a language, in no order.
std::vector<CatalogueEntry> catalogue_entries(Language language);

class Catalogue {
 public:
  using Arguments = std::initializer_list<std::pair<std::string, model::ParamValue>>;

  // Files inside `folder`, where the program ran, are shown relative to it.
  explicit Catalogue(Language language, std::string folder = {})
      : language_(language), number_(language), folder_(std::move(folder)) {}

  Language language() const noexcept { return language_; }
  const NumberFormat& number() const noexcept { return number_; }

  // Parameters that the template does not name are not shown.
  std::string say(const model::Message& message) const;
  std::string say(std::string_view id, Arguments arguments = {}) const;

  // "train.py:88"; line 0 is left out. Empty when the file is.
  std::string place(std::string_view file, std::int64_t line) const;

  // Empty when the catalogue lacks the id.
  std::optional<std::string> try_say(std::string_view id, const model::Params& params) const;

 private:
  std::string fill(std::string_view text, const model::Params& params) const;
  std::string placeholder(std::string_view inside, const model::Params& params) const;

  std::string_view short_file(std::string_view file) const noexcept;

  Language language_;
  NumberFormat number_;
  std::string folder_;
};

}  // namespace latido::report
