// leaf_rows.h - the rows of a leaf page as a filter sees them, and a cursor
// over the leaf pages of a run.

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
#include "store/manifest.h"
#include "store/page_cache.h"

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

// ----------------------------------------------------------------- leaf cursor

// Visits the leaf pages of a sorted run in key order.

// The cursor knows what the directory says about each page, and loads a leaf
// page only on request.
//
// Readers rely on ascending keys throughout the run.  If a page has a key out
// of order, the cursor treats the page as missing and marks it as damaged in
// the window.
class LeafCursor {
 public:
  // Starts at the first page that may have a row at or after `from`, or at or
  // after the beginning of the run if that is greater.  The run must outlive
  // the cursor and must not change.
  LeafCursor(const Run& run, std::string_view from);

  const std::string& from() const { return from_; }

  // Finds the current page.  Returns false if a directory page is missing; the
  // window then knows which.
  bool Resolve(PageWindow& window);

  // The functions below need Resolve() to have succeeded.

  bool at_end() const { return at_directory_ == run_->directories.size(); }

  // The functions below must not be called at the end.

  const PageEntry& entry() const { return (*leaves_)[at_leaf_]; }

  // An upper bound of the page: all its rows precede this key.  Empty if
  // unknown, for the last page.
  std::string_view page_end() const;

  // The page; null if it is missing.  It stays until Next().
  const LeafPage* Load(PageWindow& window);

  // The pages behind it in the same directory page.
  std::span<const PageEntry> following() const {
    return std::span(*leaves_).subspan(at_leaf_ + 1);
  }

  // Moves to the next page.  Call Resolve() next.
  void Next(PageWindow& window);

  // The same from a page that was not loaded: if the window holds it, it does
  // so for another part of the read, as for the row of the table.
  void Skip();

 private:
  // Like page_end(), for the directory page.
  std::string_view directory_end() const;

  // Whether the last key of a page that ends at `end` lies within the page's
  // bounds.
  bool IsInPlace(std::string_view last_key, std::string_view end) const {
    return end.empty() ? last_key <= run_->end : last_key < end;
  }

  const Run* run_;
  std::string from_;
  std::size_t at_directory_ = 0;
  // Of the current directory page.
  const std::vector<PageEntry>* leaves_ = nullptr;
  std::size_t at_leaf_ = 0;

  // The current pages.  The cursor keeps them itself: in a damaged store,
  // another run may name the same page, and its cursor may release it earlier.
  PagePtr directory_page_;
  PagePtr leaf_page_;
};

}  // namespace entitable

#endif  // ENTITABLE_STORE_LEAF_ROWS_H_
