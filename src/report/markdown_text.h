// Text inside Markdown: whatever a program called its files and zones stays text.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace latido::report {

// Printable, with every character that Markdown or HTML could read as markup escaped.
std::string markdown_text(std::string_view text);
// As code; the characters that could end it are replaced by others that look alike.
std::string markdown_code(std::string_view text);

std::string markdown_joined(const std::vector<std::string>& pieces, std::string_view separator);

// `head` and rows of escaped cells; the first column stands left, the others right.
std::string markdown_table(const std::vector<std::string>& head,
                           const std::vector<std::vector<std::string>>& rows);

}  // namespace latido::report
