// page_evaluator.h - tests a filter on all rows of a page at once.
//
// The conditions are in postfix order (conditions.h), so one pass over them
// with a stack of answers evaluates the whole tree.  An answer is one bit a
// row, in words of 64 rows.  A leaf pushes an answer, `not` inverts the last
// one, and `and` and `or` combine the last two.  For N gt 5 and (S eq 'a' or T
// eq 'b'):
//
//   node      N gt 5   S eq 'a'   T eq 'b'   or       and
//   answers   N        N S        N S T      N S|T    N&(S|T)
//
// All answers lie in words_, one behind the other.  Behind the deepest one is
// room for two more, because a leaf first answers for values and not for rows:
//
//  1. A column has only the values of the rows that have one.  The question of
//     the leaf is asked of each value, which makes one bit a value.
//  2. AddRows() gives each row the bit of its value.  Rows without a value keep
//     0, which is why every comparison is false for them, even `ne`.
//  3. A property that is stored with two types has two columns.  No row is in
//     both, so the bits of both are added to the same answer.
//
// How the values are asked depends on the form of their column:
//
//   integers, doubles  one loop with SIMD (column_matcher.h); for a set, a loop
//                      for each literal, or a look-up of each value if those
//                      loops would take longer
//   bits               `true` and `false` are asked once, for whole words
//   dictionary         each entry is asked once; then a loop searches for the
//                      entries that match, or for the others
//   texts, for eq, ne  the lengths are compared first
//   keys               the page compares them itself (ColumnSource)
//   everything else    each value, as the evaluator of rows does
//
// Meanwhile the bits of tombstones, and those behind the last row, may have any
// value, because `not` sets them.  MatchPage() clears them at the end.
//
// Two things end the pass early.  If no row is left after an operand of the
// outermost `and`, the answer is known.  If the budget is spent, the pass stops
// between two conditions, or between two rows of a test.  The next call with
// the same page, which it knows by its identity, goes on from there.

#ifndef ENTITABLE_QUERY_PAGE_EVALUATOR_H_
#define ENTITABLE_QUERY_PAGE_EVALUATOR_H_

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "model/column_source.h"
#include "model/row_filter.h"
#include "query/conditions.h"
#include "query/expression_matcher.h"
#include "query/filter.h"

namespace entitable {

// The result for each row is the same as that of Matches().
class PageEvaluator final : public RowFilter {
 public:
  // The filter must outlive the evaluator.
  explicit PageEvaluator(const Filter& filter);

  PageMatch MatchZoneMap(const PropertyList& zone_map,
                         WorkBudget& work) override;

  // Can pause between two conditions, and between two rows of a test.
  std::optional<std::span<const std::uint64_t>> MatchPage(
      const ColumnSource& page, WorkBudget& work) override;
  bool MatchRow(const PropertySource& row, WorkBudget& work) override;

  // Of the properties that decide whether a row matches.
  const KeyTable& names() const { return conditions_.names(); }

 private:
  using Words = std::span<std::uint64_t>;

  // The answer at a depth of the tree.
  Words At(std::size_t depth) {
    return Words(words_).subspan(depth * word_count_, word_count_);
  }

  void Begin(const ColumnSource& page);
  void FindColumns(std::span<const Column> columns, WorkBudget& work);
  bool Evaluate(const Condition& node, const ColumnSource& page,
                WorkBudget& work);
  void MatchLeaf(const Condition& leaf, const ColumnSource& page, Words rows,
                 WorkBudget& work);
  void MatchKeys(const Condition& leaf, KeyPart part, const ColumnSource& page,
                 Words rows, WorkBudget& work);
  bool IsDecided(const Condition& node);

  Conditions conditions_;
  std::size_t partition_key_;  // Their numbers among the names.
  std::size_t row_key_;

  // The state of the page in progress: the rows, the next node, and the number
  // of answers that wait to be combined.
  ColumnSource::Identity identity_{};
  bool is_in_progress_ = false;
  std::size_t next_ = 0;
  std::size_t depth_ = 0;
  std::size_t word_count_ = 0;

  // Answers by depth, then two temporary ones for a leaf.
  std::vector<std::uint64_t> words_;

  // The columns of each property as linked lists: the first column by property,
  // and the next column of the same property by column.
  std::vector<std::size_t> first_columns_;
  std::vector<std::size_t> next_columns_;

  ExpressionMatcher tests_;

  // The values of a single row, by property.
  std::vector<std::optional<Value>> values_;
};

}  // namespace entitable

#endif  // ENTITABLE_QUERY_PAGE_EVALUATOR_H_
