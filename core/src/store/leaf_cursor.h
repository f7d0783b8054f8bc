// leaf_cursor.h - visits the leaf pages of a sorted run in key order.

#ifndef ENTITABLE_STORE_LEAF_CURSOR_H_
#define ENTITABLE_STORE_LEAF_CURSOR_H_

#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "store/manifest.h"
#include "store/page_cache.h"

namespace entitable {

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

#endif  // ENTITABLE_STORE_LEAF_CURSOR_H_
