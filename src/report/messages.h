// The entries of the catalogue, four source files per language. Read through catalogue.h only.
//
// labels: the reports' own words; views: those of functions, lines and call paths; layers: those of
// layers. findings: what diagnosis says, with its ids and parameters.
// A tab separates the label ("workers") of an evidence from its sentence, and in a headline what is
// the matter from why, which begins a new line where there is room.
#pragma once

#include <span>

#include "report/catalogue.h"

namespace latido::report {

std::span<const CatalogueEntry> labels_en() noexcept;
std::span<const CatalogueEntry> views_en() noexcept;
std::span<const CatalogueEntry> layers_en() noexcept;
std::span<const CatalogueEntry> labels_es() noexcept;
std::span<const CatalogueEntry> views_es() noexcept;
std::span<const CatalogueEntry> layers_es() noexcept;
std::span<const CatalogueEntry> labels_it() noexcept;
std::span<const CatalogueEntry> views_it() noexcept;
std::span<const CatalogueEntry> layers_it() noexcept;
std::span<const CatalogueEntry> findings_en() noexcept;
std::span<const CatalogueEntry> findings_es() noexcept;
std::span<const CatalogueEntry> findings_it() noexcept;

}  // namespace latido::report
