// row_filter.h - what is asked of rows, wherever they lie.

#ifndef ENTITABLE_MODEL_ROW_FILTER_H_
#define ENTITABLE_MODEL_ROW_FILTER_H_

#include <cstdint>
#include <optional>
#include <span>

#include "base/work_budget.h"
#include "model/column_source.h"
#include "model/entity.h"
#include "model/property_source.h"

namespace entitable {

// How many of the entities of a page match.
enum class PageMatch : std::uint8_t { kNone, kSome, kAll };

// The storing side knows no more of a filter.  The three functions agree.
class RowFilter {
 public:
  // From what is known of a page before it is read; kSome when that is not
  // enough to tell.
  virtual PageMatch MatchZoneMap(const PropertyList& zone_map,
                                 WorkBudget& work) = 0;

  // A bit for each row of the page: an entity for which it is true.  The unused
  // bits of the last word are zero.  Valid until the next call.  Nothing when
  // the work is spent before it is done: then it goes on when it is asked for
  // the same page again.
  virtual std::optional<std::span<const std::uint64_t>> MatchPage(
      const ColumnSource& page, WorkBudget& work) = 0;

  virtual bool MatchRow(const PropertySource& row, WorkBudget& work) = 0;

 protected:
  ~RowFilter() = default;
};

}  // namespace entitable

#endif  // ENTITABLE_MODEL_ROW_FILTER_H_
