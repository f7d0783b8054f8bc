// page_reader.h - fetches the pages that reads lack, a window at a time.

#ifndef ENTITABLE_ENGINE_PAGE_READER_H_
#define ENTITABLE_ENGINE_PAGE_READER_H_

#include <cstddef>
#include <vector>

#include "entitable/engine.h"
#include "entitable/result.h"
#include "store/account_state.h"
#include "store/page_cache.h"

namespace entitable {

// Each window begins with the root: a page that it names is always there, so
// that one which is not, under a root that is still ours, is damage.
class PageReader {
 public:
  // Asks for pages, of which some may have been asked for already.
  void Want(const std::vector<PageId>& pages);

  // Whether a window should be fetched now.
  bool is_due() const { return in_flight_.empty() && !wanted_.empty(); }

  // The keys of the next window.
  std::vector<ValueKey> Begin(const AccountState& state);

  // Takes what was fetched into the cache, and the root into the state.  What
  // else was wanted is forgotten: whoever wants it still says so again.  Fails
  // with StorageDamaged when it is not the store that was opened.
  Result<void> Finish(Snapshot snapshot, AccountState& state, PageCache& cache);

  // Nothing was fetched.
  void Abandon();

  // Nothing was fetched, because it was too much at once: half as many will be,
  // for a while.  False if it was one page.
  bool Narrow();

 private:
  static constexpr std::size_t kMaxWindow = 32;

  std::vector<PageId> wanted_;
  std::vector<PageId> in_flight_;
  AccountState::Progress asked_at_{};
  std::size_t window_ = kMaxWindow;  // Pages to fetch at once.
};

}  // namespace entitable

#endif  // ENTITABLE_ENGINE_PAGE_READER_H_
