// page_evaluator.h - a filter over all rows of a page at once.

#ifndef ENTITABLE_QUERY_PAGE_EVALUATOR_H_
#define ENTITABLE_QUERY_PAGE_EVALUATOR_H_

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "model/column_source.h"
#include "model/row_filter.h"
#include "query/evaluator.h"
#include "query/filter.h"

namespace entitable {

// Goes through columns, leaf by leaf of the filter, and joins the answers as
// words of 64 rows.  It says of each row what Matches() says of its entity.
class PageEvaluator final : public RowFilter {
 public:
  // The filter must outlive it.
  explicit PageEvaluator(const Filter& filter);

  Forecast Foresee(const PropertyList& zones, WorkBudget& work) override;
  std::optional<std::span<const std::uint64_t>> MatchPage(
      const ColumnSource& page, WorkBudget& work) override;
  bool MatchRow(const PropertySource& row, WorkBudget& work) override;

 private:
  using Words = std::span<std::uint64_t>;

  // The answer at a depth of the tree that is being worked out.
  Words At(std::size_t depth);

  void MatchLeaf(const FilterNode& leaf, const ColumnSource& page, Words rows);
  void MatchKeys(const Comparison& asked, KeyPart part,
                 const ColumnSource& page, Words rows);

  const Filter& filter_;
  std::size_t max_depth_ = 0;
  std::size_t word_count_ = 0;

  // Answers by depth; then one for what a leaf needs on the way.
  std::vector<std::uint64_t> words_;
};

}  // namespace entitable

#endif  // ENTITABLE_QUERY_PAGE_EVALUATOR_H_
