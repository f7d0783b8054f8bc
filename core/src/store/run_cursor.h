// run_cursor.h - visits the rows of a sorted run in key order.

#ifndef ENTITABLE_STORE_RUN_CURSOR_H_
#define ENTITABLE_STORE_RUN_CURSOR_H_

#include <cstddef>
#include <string>
#include <string_view>

#include "store/leaf_cursor.h"
#include "store/manifest.h"
#include "store/page_cache.h"
#include "store/page_key.h"

namespace entitable {

// The cursor loads as little as it can.  At the start of a page the directory
// page tells the first key, so a whole page can be skipped without reading it.
class RunCursor {
 public:
  // Starts at the first row.  The run must outlive the cursor and must not
  // change.
  explicit RunCursor(const Run& run) : pages_(run, {}) {}

  // Finds the key of the current row.  Returns false if a page is missing; the
  // window then knows which.
  bool Resolve(PageWindow& window);

  // The functions below need Resolve() to have succeeded.

  bool at_end() const { return pages_.at_end(); }
  const std::string& key() const {
    return leaf_ == nullptr ? pages_.entry().first_key
                            : key_.Read(*leaf_, row_);
  }

  // The page, if the current row is its first row; otherwise null.
  const PageEntry* entry_at_start() const {
    return row_ == 0 ? &pages_.entry() : nullptr;
  }

  // The end of the page; see LeafCursor.
  std::string_view page_end() const { return pages_.page_end(); }

  // Loads the current row.  Returns false if its page is missing; then asks for
  // it, and for as many of the next pages as have `ahead_bytes` together.
  bool Load(PageWindow& window, std::size_t ahead_bytes);

  // The functions below need Load() to have succeeded.

  const LeafPage& leaf() const { return *leaf_; }
  std::size_t row() const { return row_; }
  PageId page() const { return pages_.entry().page; }
  std::size_t page_bytes() const {
    return static_cast<std::size_t>(pages_.entry().totals.bytes);
  }

  // Move to the next row, or to the next page.  Call Resolve() next.
  void Next(PageWindow& window);
  void SkipPage(PageWindow& window);

 private:
  LeafCursor pages_;
  const LeafPage* leaf_ = nullptr;  // Null until loaded.
  std::size_t row_ = 0;
  mutable PageKey key_;  // Decoded when it is asked for.
  bool is_resolved_ = false;
};

}  // namespace entitable

#endif  // ENTITABLE_STORE_RUN_CURSOR_H_
