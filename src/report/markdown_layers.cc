#include "report/markdown_layers.h"

#include <algorithm>
#include <vector>

#include "report/layer_pieces.h"
#include "report/markdown_text.h"
#include "report/report_pieces.h"

namespace latido::report {

std::string markdown_layers(const analysis::RunFacts& facts, const Catalogue& catalogue) {
  constexpr std::size_t kMost = 20;
  const analysis::RankFacts* lead = lead_rank(facts);
  if (lead == nullptr || lead->layers.empty()) return {};
  const NumberFormat& number = catalogue.number();
  std::string out = markdown_joined(layer_pieces(lead->layers, catalogue), " · ") + "\n";
  for (const std::string& model : model_pieces(lead->layers, catalogue)) {
    out += "\n" + markdown_text(model) + "\n";
  }
  const std::vector<LayerRow> rows = layer_rows(lead->layers);
  std::vector<std::vector<std::string>> cells;
  for (std::size_t i = 0; i < std::min(kMost, rows.size()); ++i) {
    const analysis::LayerTime& layer = rows[i].layers;
    cells.push_back(
        {markdown_text(row_name(rows[i])), markdown_text(rows[i].kind),
         number.duration(layer.self_ns()), number.percent(own_share(lead->layers, layer)),
         number.duration(layer.forward_self_ns), number.duration(layer.backward_self_ns),
         flops_per_s_text(layer, catalogue), bytes_text(layer.activation_self_bytes, catalogue)});
  }
  if (!cells.empty()) {
    out += "\n" + markdown_table({catalogue.say("table.layer"), catalogue.say("table.class"),
                                  catalogue.say("table.self"), catalogue.say("table.share"),
                                  catalogue.say("table.forward"), catalogue.say("table.backward"),
                                  catalogue.say("table.flops_rate"), catalogue.say("table.kept")},
                                 cells);
  }
  for (const std::string& note : layer_notes(*lead, catalogue)) out += "\n" + note + "\n";
  return out;
}

}  // namespace latido::report
