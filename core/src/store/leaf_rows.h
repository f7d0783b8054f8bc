// leaf_rows.h - some rows of a leaf page, as a filter sees them.

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

// Rows of one table; of the others of the page it may tell anything.
class LeafRows final : public ColumnSource {
 public:
  // From row `begin` up to `end`, and without that one.
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

 private:
  // Where rows whose keys have one text stand together: what all these keys
  // begin with, and the text of the first and the last row.
  struct Sorted {
    std::string before;
    std::string first;
    std::string last;
  };
  std::optional<Sorted> SortedBy(KeyPart part) const;

  // The rows of a text: from the first up to the second and without that one.
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

  // The sort texts of the RowKeys one after another, and where each begins, and
  // the last ends; made when rows of several partitions are compared first.
  mutable std::string row_keys_;
  mutable std::vector<std::size_t> row_key_starts_;
};

}  // namespace entitable

#endif  // ENTITABLE_STORE_LEAF_ROWS_H_
