// The HTML report's tables by layer: what takes the time, and the whole model in its order.
#include <algorithm>

#include "report/html_page.h"
#include "report/html_sections.h"
#include "report/layer_pieces.h"

namespace latido::report {
namespace {

constexpr std::size_t kMostRows = 40;
constexpr std::size_t kMostLayers = 1'000;

std::string calls_text(double calls, const NumberFormat& number) { return number.compact(calls); }

void write_times(HtmlReport& report, const analysis::LayerFacts& facts,
                 const analysis::LayerTime& layer) {
  Markup& page = report.page;
  const NumberFormat& number = report.catalogue.number();
  page.element("td", number.duration(layer.self_ns()));
  page.element("td", number.percent(own_share(facts, layer)));
  page.element("td", number.duration(layer.forward_self_ns));
  page.element("td", number.duration(layer.backward_self_ns));
  page.element("td", number.duration(layer.total_ns()));
  page.element("td", calls_text(layer.calls, number));
}

void write_counts(HtmlReport& report, const analysis::LayerTime& layer) {
  Markup& page = report.page;
  page.element("td", count_text(layer.own_parameters, report.catalogue));
  const std::int64_t flops = layer.forward_self_flops == model::kNotMeasured
                                 ? model::kNotMeasured
                                 : layer.forward_self_flops + layer.backward_self_flops;
  page.element("td", flops_text(flops, report.catalogue));
  page.element("td", flops_per_s_text(layer, report.catalogue));
  page.element("td", bytes_text(layer.activation_self_bytes, report.catalogue));
}

std::vector<std::string> head_of(const HtmlReport& report) {
  return {report.say("table.layer"), report.say("table.class"),      report.say("table.self"),
          report.say("table.share"), report.say("table.forward"),    report.say("table.backward"),
          report.say("table.total"), report.say("table.calls"),      report.say("table.parameters"),
          report.say("table.flops"), report.say("table.flops_rate"), report.say("table.kept")};
}

void by_time(HtmlReport& report, const analysis::LayerFacts& facts) {
  Markup& page = report.page;
  const std::vector<LayerRow> rows = layer_rows(facts);
  page.open("div", {{"class", "scroll"}}).open("table");
  write_head(page, head_of(report));
  for (std::size_t i = 0; i < std::min(kMostRows, rows.size()); ++i) {
    page.open("tr").element("th", row_name(rows[i]), {{"scope", "row"}});
    page.element("td", rows[i].kind);
    write_times(report, facts, rows[i].layers);
    write_counts(report, rows[i].layers);
    page.close();
  }
  page.close().close();
}

// In the order of the model; folded away, as it may be long.
void in_order(HtmlReport& report, const analysis::LayerFacts& facts) {
  Markup& page = report.page;
  const std::size_t shown = std::min(kMostLayers, facts.layers.size());
  page.open("details").element(
      "summary", report.say("layers.in_order", {{"count", static_cast<std::int64_t>(shown)}}));
  page.open("div", {{"class", "scroll"}}).open("table");
  write_head(page, head_of(report));
  for (std::size_t i = 0; i < shown; ++i) {
    const analysis::LayerTime& layer = facts.layers[i];
    page.open("tr").element("th", layer_name(facts, layer), {{"scope", "row"}});
    page.element("td", layer.kind);
    write_times(report, facts, layer);
    write_counts(report, layer);
    page.close();
  }
  page.close().close().close();
}

}  // namespace

void html_layers(HtmlReport& report) {
  const analysis::RankFacts* lead = lead_rank(report.facts);
  if (lead == nullptr || lead->layers.empty()) return;
  std::string note;
  for (const std::string& piece : layer_pieces(lead->layers, report.catalogue)) {
    note += (note.empty() ? "" : " · ") + piece;
  }
  open_section(report.page, report.say("section.layers"), note);
  for (const std::string& model : model_pieces(lead->layers, report.catalogue)) {
    report.page.element("p", model);
  }
  if (!lead->layers.layers.empty()) {
    by_time(report, lead->layers);
    in_order(report, lead->layers);
  }
  for (const std::string& each : layer_notes(*lead, report.catalogue)) {
    report.page.element("p", each, {{"class", "faint"}});
  }
  report.page.close();
}

}  // namespace latido::report
