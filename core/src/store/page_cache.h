// page_cache.h - decoded pages in memory, up to a size limit.

#ifndef ENTITABLE_STORE_PAGE_CACHE_H_
#define ENTITABLE_STORE_PAGE_CACHE_H_

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <utility>
#include <variant>
#include <vector>

#include "entitable/result.h"
#include "entitable/storage.h"
#include "store/directory_page.h"
#include "store/leaf_page.h"

namespace entitable {

using Page = std::variant<DirectoryPage, LeafPage>;
using PagePtr = std::shared_ptr<const Page>;

// Fails with StorageDamaged if the bytes are invalid.  Safe for any bytes.
Result<PagePtr> DecodePage(Bytes value);

class PageCache {
 public:
  explicit PageCache(std::size_t max_bytes) : max_bytes_(max_bytes) {}

  struct Found {
    PagePtr page;  // Null on a cache miss.  A hit marks the page as used.
    std::size_t bytes;
  };
  Found Find(PageId id);

  // Keeps the page at least until the next Trim().
  void Insert(PageId id, PagePtr page);

  // A batch was stored: takes its pages, as far as there is room without
  // dropping others, and drops the pages that it has deleted.  So reads of rows
  // in memory go on from memory after a flush or a compaction.
  void AcceptWritten(const std::vector<Put>& puts,
                     const std::vector<ValueKey>& deletes);

  // For pages that no manifest names any more.
  void Erase(PageId id);
  void Clear();

  // Notes that the page is missing in storage, or is not the page that it
  // should be.
  void MarkDamaged(PageId id, Error reason);
  // Null if the page is not known to be damaged.
  const Error* DamageOf(PageId id) const;

  // Drops the least recently used pages until the rest fits.  Also forgets all
  // damage, so that a later read tries again.
  void Trim();

  // The bytes of the cached pages, and of the pages that windows hold.  A page
  // counts once for each window that holds it.  There are no other pages in
  // memory.
  std::size_t bytes() const { return bytes_; }
  std::size_t held_bytes() const { return held_bytes_; }

 private:
  friend class PageWindow;

  struct Slot {
    PageId id;
    PagePtr page;
    std::size_t bytes;
    std::uint64_t used;  // The value of the use counter at the last use.
  };
  using Slots = std::vector<Slot>;

  Slots::iterator SlotOf(PageId id);

  std::size_t max_bytes_;
  std::size_t bytes_ = 0;
  std::size_t held_bytes_ = 0;
  std::uint64_t uses_ = 0;
  Slots slots_;  // By id.
  std::vector<std::pair<PageId, Error>> damaged_;
};

// The pages that one read holds, and the pages that it misses.  The read asks
// for pages; if some are missing, it stops and continues after they were
// fetched.  A held page stays until the read releases it, whatever the cache
// does.  The cache must outlive the window.
class PageWindow {
 public:
  // kForever: for a user that starts over after every wait, and therefore must
  // not release anything in between.
  enum class Hold : bool { kUntilReleased, kForever };

  explicit PageWindow(PageCache& cache, Hold hold = Hold::kUntilReleased)
      : cache_(cache), hold_(hold) {}
  ~PageWindow() { ReleaseAll(); }
  PageWindow(const PageWindow&) = delete;
  PageWindow& operator=(const PageWindow&) = delete;

  // Null if the page must be fetched first or is damaged.  A page that does not
  // match its entry counts as damaged.
  const DirectoryPage* Directory(const PageEntry& entry);
  const LeafPage* Leaf(const PageEntry& entry);

  // A page that the window holds, for a user that keeps it for itself, too.
  PagePtr Share(PageId id) const;

  // Notes that the keys of a page are out of order with the other pages of its
  // run; the page can be a leaf page or a directory page.
  void NoteDisorder(PageId id);

  // Asks for a page that will be needed.
  void Want(PageId id);

  // Holds a page that was fetched.  If it has left the cache, nothing is asked
  // for: it may not be needed any more.
  void Keep(PageId id);

  // The pages to fetch, each once, that were asked for since the last
  // TakeMissing().
  std::vector<PageId> TakeMissing();
  bool is_waiting() const { return !missing_.empty(); }

  // Releases one page; or all pages that were not asked for since the last
  // Mark().
  void Release(PageId id);
  void Mark() { ++mark_; }
  void ReleaseUnmarked();

  // Call it before the search for an unrelated row.  Releases the pages of
  // earlier rows if there are many.  Returns false if pages are already missing
  // and must be fetched before there is room for more.
  bool MakeRoom();

  // Whether more pages may be asked for and held for unrelated rows.
  bool has_room() const;

  // Releases all pages, regardless of Hold, and asks for none.
  void ReleaseAll();

  std::size_t held_bytes() const { return held_bytes_; }

  // What is wrong with a page that was asked for.  Whoever fails with it takes
  // it, so that it is not taken for the damage of a later search.
  const std::optional<Error>& damage() const { return damage_; }
  std::optional<Error> TakeDamage() { return std::exchange(damage_, {}); }

 private:
  struct Held {
    PageId id;
    PagePtr page;
    std::size_t bytes;
    std::uint32_t mark;  // The mark when the page was last asked for.
  };

  const Page* Find(PageId id);
  template <typename Predicate>
  void ReleaseIf(Predicate is_released);
  void NoteDamage(PageId id, const char* text);

  PageCache& cache_;
  Hold hold_;
  std::vector<Held> held_;
  std::size_t held_bytes_ = 0;
  std::vector<PageId> missing_;
  std::uint32_t mark_ = 0;
  std::optional<Error> damage_;
};

}  // namespace entitable

#endif  // ENTITABLE_STORE_PAGE_CACHE_H_
