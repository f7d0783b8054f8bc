// row_filter.h - the interface of a filter on rows, and what it is given before
// a page is read.

#ifndef ENTITABLE_MODEL_ROW_FILTER_H_
#define ENTITABLE_MODEL_ROW_FILTER_H_

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "base/work_budget.h"
#include "model/column_source.h"
#include "model/entity.h"
#include "model/value.h"

namespace entitable {

// The least and greatest values of the properties of a page.
//
// A zone map is a PropertyList of pairs: the least value under the property's
// name, then the greatest value with an empty name.  It can contain a property
// if all its values in the page have the same type and that type has an order.
// The writer decides which properties fit.  So a property that is not in the
// zone map may have any values.

// No value lies outside these bounds.  For texts, both are prefixes: any text
// that begins with `greatest` is inside, too.  Some entities may not have the
// property.
struct ZoneBounds {
  Value least;
  Value greatest;
};

// Calls see(name, bounds_of) for each property in the zone map. bounds_of(),
// called once, returns its bounds as a view of the list.
template <typename See>
void ForEachZoneBounds(const PropertyList& zone_map, See see) {
  PropertyCursor cursor(zone_map);
  while (true) {
    PropertyCursor pair = cursor;
    const auto packed = cursor.NextPacked();
    if (!packed || !cursor.NextPacked()) return;
    see(packed->name, [&pair] {
      const auto least = pair.Next();
      return ZoneBounds{least->value, pair.Next()->value};
    });
  }
}

// ------------------------------------------------------------------ row filter

// How many of the entities of a page match.
enum class PageMatch : std::uint8_t { kNone, kSome, kAll };

// The store knows a filter only by this interface.  The results of the three
// functions agree.
class RowFilter {
 public:
  // Decides from the zone map of a page, before it is read; kSome if that is
  // not enough.
  virtual PageMatch MatchZoneMap(const PropertyList& zone_map,
                                 WorkBudget& work) = 0;

  // One bit per row of the page: whether it is an entity that matches.  Unused
  // bits of the last word are zero.  Valid until the next call.  Nothing if the
  // work budget is spent first; the next call with the same page then
  // continues.
  virtual std::optional<std::span<const std::uint64_t>> MatchPage(
      const ColumnSource& page, WorkBudget& work) = 0;

  virtual bool MatchRow(const PropertySource& row, WorkBudget& work) = 0;

 protected:
  ~RowFilter() = default;
};

// ------------------------------------------------------------------- every row

// A filter that all rows pass.

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

#endif  // ENTITABLE_MODEL_ROW_FILTER_H_
