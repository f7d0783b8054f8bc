// run_cursor.h - a place in a run of pages, moving forward.

#ifndef ENTITABLE_STORE_RUN_CURSOR_H_
#define ENTITABLE_STORE_RUN_CURSOR_H_

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

#include "base/coding.h"
#include "model/entity.h"
#include "store/page_cache.h"
#include "store/root.h"

namespace entitable {

// It loads as little as it can: at the start of a page the directory tells the
// first key, so that a whole page can be passed over unread.
class RunCursor {
 public:
  // Before the first row that is not before `from`.  The run must outlive it
  // and stay as it is.
  RunCursor(const Run& run, std::string_view from);

  // Finds out what the next row's key is; false when a page lacks for that,
  // and then the window knows which.
  bool Settle(PageWindow& window);

  // Below: once settled.

  bool at_end() const { return at_end_; }
  const std::string& key() const { return key_; }

  // The page that begins with the next row; null in the middle of one.
  const PageEntry* entry_at_start() const;

  // Where that page ends: no row of it is at or behind this key.  Empty when
  // nobody knows, because it is the last.
  std::string_view page_end() const;

  // Makes the row itself readable; false when its page lacks.  Then `ahead`
  // pages are asked for, as far as they begin before `end`, if that is not
  // empty.
  bool Load(PageWindow& window, std::size_t ahead, std::string_view end);

  // Below: once loaded.

  const LeafPage& leaf() const { return *leaf_; }
  std::size_t row() const { return row_; }
  PageId page() const { return (*leaves_)[at_leaf_].page; }

  // To the next row; to a row of this page, or to its end; to the next page.
  // Settle() comes next.
  void Next(PageWindow& window) { Skip(row_ + 1, window); }
  void Skip(std::size_t row, PageWindow& window);
  void SkipPage(PageWindow& window);

 private:
  bool EnterDirectory(PageWindow& window);
  void TakeKey();

  const Run* run_;
  std::string from_;  // Rows before it are passed over.
  std::size_t at_directory_ = 0;
  const std::vector<PageEntry>* leaves_ = nullptr;  // Of that directory page.
  std::size_t at_leaf_ = 0;
  const LeafPage* leaf_ = nullptr;  // Null until loaded.
  std::size_t row_ = 0;
  std::string key_;

  // Row by row each key comes from the one before: if `key_` is that of a row
  // of this page, of which one, and where the next one stands.
  std::optional<Decoder> next_key_;
  std::size_t key_row_ = 0;

  bool is_settled_ = false;
  bool at_end_ = false;
};

}  // namespace entitable

#endif  // ENTITABLE_STORE_RUN_CURSOR_H_
