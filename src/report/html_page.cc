#include "report/html_page.h"

#include "report/flame_script.h"
#include "report/flame_style.h"
#include "report/html_style.h"

namespace latido::report {

void open_html_page(Markup& page, std::string_view title, Language language, PageScript script) {
  page.raw("<!doctype html>\n").open("html", {{"lang", to_text(language)}}).open("head");
  page.raw(
      "<meta charset=\"utf-8\">"
      "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; ");
  if (script == PageScript::kFlame) page.raw("script-src '").raw(kFlameScriptHash).raw("'; ");
  page.raw(
      "style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'\">"
      "<meta name=\"viewport\" content=\"width=device-width,initial-scale=1\">"
      "<meta name=\"referrer\" content=\"no-referrer\">"
      "<meta name=\"color-scheme\" content=\"light dark\">");
  page.element("title", title);
  page.raw("<style>").raw(kHtmlStyle);
  if (script == PageScript::kFlame) page.raw(kFlameStyle);
  page.raw("</style>").close();
  page.open("body").open("main");
}

void close_html_page(Markup& page) { page.close().close().close(); }

void write_pieces(Markup& page, const std::vector<std::string>& pieces) {
  page.open("ul", {{"class", "pieces"}});
  for (const std::string& piece : pieces) page.element("li", piece);
  page.close();
}

void open_section(Markup& page, std::string_view title, std::string_view note) {
  page.open("section").open("h2").text(title);
  if (!note.empty()) page.text(" ").element("span", note, {{"class", "faint"}});
  page.close();
}

void write_head(Markup& page, const std::vector<std::string>& cells) {
  page.open("thead").open("tr");
  for (const std::string& cell : cells) page.element("th", cell, {{"scope", "col"}});
  page.close().close().open("tbody");
}

}  // namespace latido::report
