// reconcile.h - finds rows that were deleted or changed remotely, by the keys
// that are there.

#ifndef ENTITABLE_SYNC_RECONCILE_H_
#define ENTITABLE_SYNC_RECONCILE_H_

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "sync/sync_rows.h"

namespace entitable::sync {

struct ListedRow {
  EntityKey key;
  std::string etag;
};

// A page of keys and ETags of a scope.
struct Listing {
  std::uint64_t sequence = 0;  // Of the store when the page was requested.
  DateTime asked_at = {};      // The same moment, by the replica's clock.
  DateTime date = {};          // The header Date; zero: there is none.

  // The last key of the page before; nothing: it is the first page.
  std::optional<EntityKey> after = {};
  std::vector<ListedRow> rows = {};

  // Nothing comes behind it: a query for greater keys has found none.
  bool is_end = false;
};

struct Findings {
  // The keys do not ascend, so nothing is known.
  bool is_unsorted = false;

  std::vector<EntityKey> missing = {};   // Deleted remotely.
  std::vector<EntityKey> doubtful = {};  // To be read one by one.
  std::vector<EntityKey> unknown = {};   // To be fetched.
  std::size_t known = 0;                 // Rows that were compared.
};

// Compares the rows between the keys of the page with it.
Result<Findings> Compare(SyncRows& rows, const Scope& scope,
                         const Listing& listing);

// The listed rows that are to be fetched: their ETags are not known.  Proves
// nothing about other rows.
Result<std::vector<EntityKey>> FindChanged(SyncRows& rows,
                                           const Listing& listing);

// Whether so many missing rows are to be made sure of.
bool IsSuspicious(std::uint64_t missing, std::uint64_t known);

// One pass over all keys of a scope.  It is not stored: a pass that is
// interrupted begins again.
class ReconcilePass {
 public:
  // `is_sorted`: the remote is believed to list keys in their order.
  ReconcilePass(Scope scope, bool is_sorted)
      : scope_(std::move(scope)), is_sorted_(is_sorted) {}

  struct Step {
    // The remote does not sort: begin a pass that knows it.
    bool is_unsorted = false;
    std::vector<EntityKey> unknown = {};  // To be fetched.
  };

  // Takes the next page.  Its `after` is set here.
  Result<Step> Take(SyncRows& rows, Listing page);

  struct MissingRow {
    EntityKey key;
    std::uint64_t sequence = 0;  // As in the listing without it.
    DateTime asked_at = {};
  };
  struct End {
    std::vector<MissingRow> missing = {};  // Deleted remotely: TakeRow().
    std::vector<EntityKey> doubtful = {};  // To be read one by one.

    // Of many missing rows, three that are read first.  If one is there, the
    // listing was wrong, and nothing is deleted.
    std::vector<EntityKey> samples = {};
  };

  // After the page that ends the scope.
  Result<End> Finish(SyncRows& rows);

 private:
  void Note(const Findings& found, const Listing& listing);

  Scope scope_;
  bool is_sorted_;
  std::optional<EntityKey> last_key_;
  Listing whole_;  // Of a remote that does not sort.
  bool has_page_ = false;
  End end_;
};

}  // namespace entitable::sync

#endif  // ENTITABLE_SYNC_RECONCILE_H_
