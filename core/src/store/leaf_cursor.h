// leaf_cursor.h - a leaf page of a run, and then the next.

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

// It knows of pages what the directory says, and loads none by itself.
//
// Readers rely on keys that ascend through the whole run.  So a page with a key
// out of order counts as missing, and the window knows that it is damaged.
class LeafCursor {
 public:
  // At the first page that may have a row that is not before `from`, which it
  // keeps, or the beginning of the run if that is later.  The run must outlive
  // it and stay as it is.
  LeafCursor(const Run& run, std::string_view from);

  const std::string& from() const { return from_; }

  // Finds out which page it is; false when a directory page lacks for that, and
  // then the window knows which.
  bool Resolve(PageWindow& window);

  // Below: once resolved.

  bool at_end() const { return at_directory_ == run_->directories.size(); }

  // Below: not at the end.

  const PageEntry& entry() const { return (*leaves_)[at_leaf_]; }

  // Where the page ends: no row of it is at or behind this key.  Empty when
  // nobody knows, because it is the last.
  std::string_view page_end() const;

  // The page; null when it lacks.
  const LeafPage* Load(PageWindow& window) const;

  // The pages that the same directory page names behind it.
  std::span<const PageEntry> following() const {
    return std::span(*leaves_).subspan(at_leaf_ + 1);
  }

  // To the next page; Resolve() comes next.
  void Next(PageWindow& window);

 private:
  // Where the directory page ends, as page_end().
  std::string_view directory_end() const;

  // Whether the last key of a page that ends there is in it.
  bool IsInPlace(std::string_view last_key, std::string_view end) const {
    return end.empty() ? last_key <= run_->end : last_key < end;
  }

  const Run* run_;
  std::string from_;
  std::size_t at_directory_ = 0;
  const std::vector<PageEntry>* leaves_ = nullptr;  // Of that directory page.
  std::size_t at_leaf_ = 0;
};

}  // namespace entitable

#endif  // ENTITABLE_STORE_LEAF_CURSOR_H_
