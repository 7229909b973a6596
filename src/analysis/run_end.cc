#include "analysis/run_end.h"

#include <algorithm>
#include <string>

namespace latido::analysis {

bool ended_badly(const model::RunEnd& end) noexcept {
  return end.kind == model::EndKind::kSignal ||
         (end.kind == model::EndKind::kExit && end.code != 0);
}

void set_exception(model::RunEnd& end, const ProcessAnalysis& process,
                   std::optional<std::int32_t> rank) {
  if (!process.exception() || !end.exception.empty()) return;
  end.exception = process.exception()->what;
  end.file = process.exception()->file;
  end.line = process.exception()->line;
  end.rank = rank;
}

bool set_last_work(model::RunEnd& end, const ThreadAnalysis& thread, bool in_step,
                   const model::Tables& tables, std::optional<std::int32_t> rank) {
  const auto& open = thread.stack().open();
  if (open.empty()) return false;
  if (in_step) end.phase = model::to_text(phase_of(thread.stack().bucket()));
  // The user's own zone says more than the hook inside it.
  const auto zone = std::find_if(open.rbegin(), open.rend(), [](const OpenSpan& span) {
    return span.category == model::Category::kZone;
  });
  const model::SiteId id = zone != open.rend() ? zone->site : open.back().site;
  if (model::index_of(id) < tables.sites.size()) {
    const model::Site& site = tables.sites[model::index_of(id)];
    // A hook's own span is named only where no phase says the same.
    if (zone != open.rend() || end.phase.empty()) end.open_zone = site.name;
    if (end.file.empty()) {
      end.file = site.file;
      end.line = site.line;
    }
  }
  if (!end.rank) end.rank = rank;
  return true;
}

bool set_raised(model::RunEnd& end, const ThreadAnalysis& thread, const model::Tables& tables,
                std::optional<std::int32_t> rank) {
  const std::optional<RaisedIn>& raised = thread.raised_in();
  if (!raised) return false;
  const model::Phase phase = phase_of(raised->span.bucket);
  if (phase != model::Phase::kOther || thread.in_step()) end.phase = model::to_text(phase);
  if (raised->zone && model::index_of(*raised->zone) < tables.sites.size()) {
    end.open_zone = tables.sites[model::index_of(*raised->zone)].name;
  }
  if (!end.rank) end.rank = rank;
  return true;
}

}  // namespace latido::analysis
