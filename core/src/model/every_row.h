// every_row.h - a filter that all rows pass.

#ifndef ENTITABLE_MODEL_EVERY_ROW_H_
#define ENTITABLE_MODEL_EVERY_ROW_H_

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "model/row_filter.h"

namespace entitable {

class EveryRow final : public RowFilter {
 public:
  PageMatch MatchZoneMap(const PropertyList& zone_map,
                         WorkBudget& work) override;
  std::optional<std::span<const std::uint64_t>> MatchPage(
      const ColumnSource& page, WorkBudget& work) override;
  bool MatchRow(const PropertySource& row, WorkBudget& work) override;

 private:
  std::vector<std::uint64_t> rows_;
};

}  // namespace entitable

#endif  // ENTITABLE_MODEL_EVERY_ROW_H_
