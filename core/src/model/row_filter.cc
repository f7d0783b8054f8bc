#include "model/row_filter.h"

#include <cstddef>

#include "base/bits.h"

namespace entitable {

PageMatch EveryRow::MatchZoneMap(const PropertyList& /*zone_map*/,
                                 WorkBudget& /*work*/) {
  return PageMatch::kAll;
}

std::optional<std::span<const std::uint64_t>> EveryRow::MatchPage(
    const ColumnSource& page, WorkBudget& /*work*/) {
  const std::size_t rows = page.row_count();
  rows_.assign(WordCount(rows), ~std::uint64_t{0});
  if (rows % kWordBits > 0) rows_.back() = LowBits(rows % kWordBits);
  if (const char* live = page.live_rows()) {
    for (std::size_t i = 0; i < rows_.size(); ++i) rows_[i] &= WordAt(live, i);
  }
  return std::span<const std::uint64_t>(rows_);
}

bool EveryRow::MatchRow(const PropertySource& /*row*/, WorkBudget& /*work*/) {
  return true;
}

}  // namespace entitable
