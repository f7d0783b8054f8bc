// leaf_rows.h - some rows of a leaf page, as a filter sees them.

#ifndef ENTITABLE_STORE_LEAF_ROWS_H_
#define ENTITABLE_STORE_LEAF_ROWS_H_

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

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
                   std::span<std::uint64_t> equal) const override;

 private:
  void CompareRowKeys(std::string_view wanted, std::span<std::uint64_t> below,
                      std::span<std::uint64_t> equal) const;
  std::size_t FindRow(std::string_view sort_key) const;

  const LeafPage& page_;
  PageId id_;
  std::size_t begin_;
  std::size_t end_;
};

}  // namespace entitable

#endif  // ENTITABLE_STORE_LEAF_ROWS_H_
