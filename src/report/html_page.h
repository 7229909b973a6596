// What all our HTML pages share: head, policy, style, and small patterns of their bodies.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "report/language.h"
#include "report/markup.h"

namespace latido::report {

// The script that a page may run. Its policy names that one by its hash, and a page without allows
// none at all.
enum class PageScript : std::uint8_t { kNone, kFlame };

// Opens html, body and main; close_html_page() closes them.
void open_html_page(Markup& page, std::string_view title, Language language,
                    PageScript script = PageScript::kNone);
void close_html_page(Markup& page);

// A list of short texts beside each other.
void write_pieces(Markup& page, const std::vector<std::string>& pieces);

// A table's first row; the table is open.
void write_head(Markup& page, const std::vector<std::string>& cells);
void open_section(Markup& page, std::string_view title, std::string_view note = {});

}  // namespace latido::report
