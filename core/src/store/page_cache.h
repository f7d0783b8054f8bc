// page_cache.h - pages in memory, up to a limit.

#ifndef ENTITABLE_STORE_PAGE_CACHE_H_
#define ENTITABLE_STORE_PAGE_CACHE_H_

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <utility>
#include <variant>
#include <vector>

#include "entitable/page.h"
#include "entitable/result.h"
#include "store/directory_page.h"
#include "store/leaf_page.h"

namespace entitable {

using Page = std::variant<DirectoryPage, LeafPage>;
using PagePtr = std::shared_ptr<const Page>;

// Fails with StorageDamaged; survives any bytes.
Result<PagePtr> DecodePage(Bytes value);

class PageCache {
 public:
  explicit PageCache(std::size_t max_bytes) : max_bytes_(max_bytes) {}

  struct Found {
    PagePtr page;  // Null when it is not there; else it counts as used now.
    std::size_t bytes;
  };
  Found Find(PageId id);

  // Keeps the page at least until the next Trim().
  void Insert(PageId id, PagePtr page);

  // For pages that no root names any more.
  void Erase(PageId id);
  void Clear();

  // Notes that the page is not there, or not what it should be.
  void MarkDamaged(PageId id, Error reason);
  const Error* DamageOf(PageId id) const;  // Null when it is not known of any.

  // Drops the pages that were not used for longest, until the rest fits; and
  // all marks, so that a later read looks again.
  void Trim();

  // Of the pages in it; of those that windows hold, where one that several hold
  // counts as often.  Memory has no other pages.
  std::size_t bytes() const { return bytes_; }
  std::size_t held_bytes() const { return held_bytes_; }

 private:
  friend class PageWindow;

  struct Slot {
    PageId id;
    PagePtr page;
    std::size_t bytes;
    std::uint64_t used;  // When, by the count of uses.
  };
  using Slots = std::vector<Slot>;

  Slots::iterator Place(PageId id);

  std::size_t max_bytes_;
  std::size_t bytes_ = 0;
  std::size_t held_bytes_ = 0;
  std::uint64_t uses_ = 0;
  Slots slots_;  // By id.
  std::vector<std::pair<PageId, Error>> damaged_;
};

// What one read has in hand of the pages, and what it lacks: it says which
// pages it needs, stops, and goes on when they were fetched.  What it was given
// stays with it until it lets go, whatever the cache does meanwhile.  The cache
// must outlive it.
class PageWindow {
 public:
  // Of one that begins anew after each wait, and so lets go of nothing.
  enum class Hold : bool { kUntilReleased, kForever };

  explicit PageWindow(PageCache& cache, Hold hold = Hold::kUntilReleased)
      : cache_(cache), hold_(hold) {}
  ~PageWindow() { ReleaseAll(); }
  PageWindow(const PageWindow&) = delete;
  PageWindow& operator=(const PageWindow&) = delete;

  // Null when the page has to be fetched first, or is damaged: also when it is
  // another than the entry tells of.
  const DirectoryPage* Directory(const PageEntry& entry);
  const LeafPage* Leaf(const PageEntry& entry);

  // Notes that rows of a page are not in order with those of its run's other
  // pages, or a directory page not with the others.
  void NoteDisorder(PageId id);

  // Asks for a page that is going to be needed.
  void Want(PageId id);

  // The pages to fetch, none twice, as of the calls since the last Take().
  std::vector<PageId> TakeMissing();
  bool is_waiting() const { return !missing_.empty(); }
  std::size_t missing_count() const { return missing_.size(); }

  // Lets go of one page; of those that nobody asked for since the last Mark().
  void Release(PageId id);
  void Mark() { ++mark_; }
  void ReleaseUnmarked();

  // Before another row is looked for that has nothing to do with those before:
  // the pages that only those needed go, if they are many.  False if pages are
  // missing already, and must be fetched before there is room for more.
  bool MakeRoom();

  // Lets go of all, whatever it was made for, and asks for nothing any more.
  void ReleaseAll();

  std::size_t held_bytes() const { return held_bytes_; }

  // What is wrong with a page that was asked for.
  const std::optional<Error>& damage() const { return damage_; }
  void ForgetDamage() { damage_.reset(); }

 private:
  struct Held {
    PageId id;
    PagePtr page;
    std::size_t bytes;
    std::uint32_t mark;  // When it was last asked for.
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
