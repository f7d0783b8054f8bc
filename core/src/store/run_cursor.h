// run_cursor.h - a row of a run, and then the next.

#ifndef ENTITABLE_STORE_RUN_CURSOR_H_
#define ENTITABLE_STORE_RUN_CURSOR_H_

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

#include "base/coding.h"
#include "store/leaf_cursor.h"
#include "store/manifest.h"
#include "store/page_cache.h"

namespace entitable {

// It loads as little as it can: at the start of a page the directory tells the
// first key, so that a whole page can be passed over unread.
class RunCursor {
 public:
  // Before the first row.  The run must outlive it and stay as it is.
  explicit RunCursor(const Run& run) : pages_(run, {}) {}

  // Finds out what the next row's key is; false when a page lacks for that,
  // and then the window knows which.
  bool Resolve(PageWindow& window);

  // Below: once resolved.

  bool at_end() const { return pages_.at_end(); }
  const std::string& key() const { return key_; }

  // The page that begins with the next row; null in the middle of one.
  const PageEntry* entry_at_start() const {
    return row_ == 0 ? &pages_.entry() : nullptr;
  }

  // Where that page ends; see LeafCursor.
  std::string_view page_end() const { return pages_.page_end(); }

  // Makes the row itself readable; false when its page lacks.  Then `ahead`
  // pages are asked for.
  bool Load(PageWindow& window, std::size_t ahead);

  // Below: once loaded.

  const LeafPage& leaf() const { return *leaf_; }
  std::size_t row() const { return row_; }
  PageId page() const { return pages_.entry().page; }

  // To the next row; to the next page.  Resolve() comes next.
  void Next(PageWindow& window);
  void SkipPage(PageWindow& window);

 private:
  void TakeKey();

  LeafCursor pages_;
  const LeafPage* leaf_ = nullptr;  // Null until loaded.
  std::size_t row_ = 0;
  std::string key_;

  // Row by row each key comes from the one before: if `key_` is that of a row
  // of this page, of which one, and where the next one stands.
  std::optional<Decoder> next_key_;
  std::size_t key_row_ = 0;

  bool is_resolved_ = false;
};

}  // namespace entitable

#endif  // ENTITABLE_STORE_RUN_CURSOR_H_
