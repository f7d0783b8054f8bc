// expression_matcher.h - tests an expression on all rows of a page.

#ifndef ENTITABLE_QUERY_EXPRESSION_MATCHER_H_
#define ENTITABLE_QUERY_EXPRESSION_MATCHER_H_

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "base/key_table.h"
#include "base/work_budget.h"
#include "model/column_source.h"
#include "model/value.h"
#include "query/expression.h"

namespace entitable {

// Goes from row to row, and so is slower than loops over columns.
class ExpressionMatcher {
 public:
  // Sets the bits of the rows of which the condition is true; all words must be
  // zero before.  `names` are those of the properties, by number.  Returns
  // false if the work budget is spent first; the next call continues.
  bool Match(Expression condition, const KeyTable& names,
             const ColumnSource& page, std::span<std::uint64_t> rows,
             WorkBudget& work);

  // Whether the next call continues.
  bool is_paused() const { return next_row_ > 0; }

  // The next call begins with the first row of a page.
  void Restart() { next_row_ = 0; }

 private:
  // Where the values of one property are.
  struct PropertyPlace {
    std::size_t property;
    std::vector<const Column*> columns = {};
    std::optional<KeyPart> key = {};     // If it is one.
    std::vector<std::string> keys = {};  // Of some rows, from this one on.
    std::size_t first_row = 0;
  };

  static PropertyPlace PlaceOf(std::size_t property, std::string_view name,
                               const ColumnSource& page);
  static std::optional<Value> ValueAt(PropertyPlace& place, std::size_t row,
                                      const ColumnSource& page,
                                      WorkBudget& work);

  ExpressionMachine machine_;
  std::vector<std::optional<Value>> values_;
  std::size_t next_row_ = 0;
};

}  // namespace entitable

#endif  // ENTITABLE_QUERY_EXPRESSION_MATCHER_H_
