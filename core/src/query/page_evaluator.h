// page_evaluator.h - tests a filter on all rows of a page at once.

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

// Tests one condition after another, each on a whole column, and combines the
// answers as words of 64 rows.  The result for each row is the same as that of
// Matches().
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
