// page_reader.h - fetches missing pages for reads, a few at a time.

#ifndef ENTITABLE_HOST_PAGE_READER_H_
#define ENTITABLE_HOST_PAGE_READER_H_

#include <cstddef>
#include <vector>

#include "entitable/result.h"
#include "entitable/storage.h"
#include "store/store.h"

namespace entitable {

// Each fetch also reads the manifest.  Every page that the manifest names is in
// storage.  So if the manifest is unchanged and a page is missing, the store is
// damaged.
class PageReader {
 public:
  // Asks for pages.  Some may have been asked for already.
  void Want(const std::vector<PageId>& pages);

  // Whether pages should be fetched now.
  bool is_due() const { return in_flight_.empty() && !wanted_.empty(); }

  // The keys of the next fetch.
  std::vector<ValueKey> Begin(const Store& store);

  // Puts the pages into the cache and the manifest into the state.  Forgets all
  // other wanted pages: reads that still need them ask again.  Fails with
  // StorageEvicted or StorageDamaged if the manifest does not belong to the
  // open store.
  Result<void> Finish(Snapshot snapshot, Store& store);

  // The fetch failed.
  void Abandon();

  // The fetch failed because it was too large.  The next fetches have half as
  // many pages, for a while.  Returns false if it was a single page.
  bool Narrow();

 private:
  static constexpr std::size_t kMaxWindow = 64;

  std::vector<PageId> wanted_;
  std::vector<PageId> in_flight_;
  Store::Progress asked_at_{};
  std::size_t window_ = kMaxWindow;  // How many pages to fetch at once.
};

}  // namespace entitable

#endif  // ENTITABLE_HOST_PAGE_READER_H_
