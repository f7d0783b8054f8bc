// leaf_rows.h - a range of rows of a leaf page, as a filter sees them.

#ifndef ENTITABLE_STORE_LEAF_ROWS_H_
#define ENTITABLE_STORE_LEAF_ROWS_H_

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "model/column_source.h"
#include "store/directory_page.h"
#include "store/leaf_page.h"

namespace entitable {

// The rows belong to one table.  The results for other rows of the page are
// undefined.
class LeafRows final : public ColumnSource {
 public:
  // The rows from `begin` up to `end`, without `end`.
  LeafRows(const LeafPage& page, PageId id, std::size_t begin, std::size_t end)
      : page_(page), id_(id), begin_(begin), end_(end) {}

  Identity identity() const override { return {id_, begin_, end_}; }
  std::size_t row_count() const override { return page_.row_count(); }
  const char* live_rows() const override { return page_.live_rows(); }
  std::span<const Column> columns() const override { return page_.columns(); }
  void CompareKeys(KeyPart part, std::string_view text,
                   std::span<std::uint64_t> below,
                   std::span<std::uint64_t> equal,
                   WorkBudget& work) const override;
  void FindKeys(KeyPart part, std::span<const Value> texts,
                std::span<std::uint64_t> found,
                WorkBudget& work) const override;
  void ReadKeys(KeyPart part, std::size_t row, std::vector<std::string>& texts,
                WorkBudget& work) const override;

 private:
  // The keys of the range if they all begin with the same bytes (`before`):
  // rows with the same text are then adjacent.  `first` and `last` are the
  // texts of the first and last row.
  struct Sorted {
    std::string before;
    std::string first;
    std::string last;
  };
  std::optional<Sorted> SortedBy(KeyPart part) const;

  // The rows with this text: from the first up to the second, without it.
  std::pair<std::size_t, std::size_t> RowsOf(const Sorted& sorted, KeyPart part,
                                             std::string_view text) const;
  std::size_t FindRow(std::string_view sort_key) const;
  void FindEach(KeyPart part, std::span<const Value> texts,
                std::span<std::uint64_t> found) const;
  void ReadRowKeys() const;

  const LeafPage& page_;
  PageId id_;
  std::size_t begin_;
  std::size_t end_;

  // The sort texts of all RowKeys one after another, with the start of each and
  // the end of the last.  Made on the first comparison of rows from several
  // partitions.
  mutable std::string row_keys_;
  mutable std::vector<std::size_t> row_key_starts_;
};

}  // namespace entitable

#endif  // ENTITABLE_STORE_LEAF_ROWS_H_
