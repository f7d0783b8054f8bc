// range_set.h - what a transaction has read: ranges of sort keys.

#ifndef ENTITABLE_STORE_RANGE_SET_H_
#define ENTITABLE_STORE_RANGE_SET_H_

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "store/sort_key.h"

namespace entitable {

//   ranges = { begin:text end:text }
void AppendRange(const SortRange& range, std::string& out);

// The range of one row.
SortRange OneRow(TableId table, EntityKeyView key);

class RangeSet {
 public:
  // Of no rows.
  RangeSet() = default;

  // Bytes that follow the grammar, which Check() tells of any.
  explicit RangeSet(std::string_view bytes);
  static bool Check(std::string_view bytes);

  // Whether the set has the row with this sort key.  If the key is the
  // beginning of the key range of a table: whether it has any place in that
  // table.
  bool Has(std::string_view sort_key) const;

 private:
  // In their order.  None overlaps another one.
  std::vector<SortRange> ranges_;
};

}  // namespace entitable

#endif  // ENTITABLE_STORE_RANGE_SET_H_
