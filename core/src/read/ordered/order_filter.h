// order_filter.h - a filter that also leaves out rows that an ordered query
// does not need, before their keys are read.

#ifndef ENTITABLE_READ_ORDERED_ORDER_FILTER_H_
#define ENTITABLE_READ_ORDERED_ORDER_FILTER_H_

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "model/row_filter.h"
#include "query/order.h"
#include "read/first_rows.h"
#include "read/ordered/order_key.h"

namespace entitable {

// It compares the first value of each row with those of two order keys: where
// the query begins, and the last row that it keeps.  As the query finds better
// rows, fewer rows pass.  A row that passes may still come too late.
class OrderFilter final : public RowFilter {
 public:
  // All of them must outlive this object.
  OrderFilter(RowFilter& filter, std::span<const OrderTerm> terms,
              OrderKeys& keys, const std::string& after, const FirstRows& rows);

  PageMatch MatchZoneMap(const PropertyList& zone_map,
                         WorkBudget& work) override;
  std::optional<std::span<const std::uint64_t>> MatchPage(
      const ColumnSource& page, WorkBudget& work) override;
  bool MatchRow(const PropertySource& row, WorkBudget& work) override {
    return filter_.MatchRow(row, work);
  }

 private:
  bool HasBounds() const {
    return has_first_column_ && (!after_.empty() || rows_.last() != nullptr);
  }
  bool IsTooEarly(std::string_view first_value) const;
  bool IsTooLate(std::string_view first_value) const;
  bool MayHave(const PropertyList& zone_map) const;

  RowFilter& filter_;
  std::span<const OrderTerm> terms_;
  OrderKeys& keys_;
  const std::string& after_;
  const FirstRows& rows_;
  bool has_first_column_;
  std::vector<std::uint64_t> matches_;
  std::string value_;
};

}  // namespace entitable

#endif  // ENTITABLE_READ_ORDERED_ORDER_FILTER_H_
