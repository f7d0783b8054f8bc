// reconcile.h - finds rows that were deleted or changed remotely, by the keys
// that are there.
//
// A pull cannot see deletions, because a row that is gone has no Timestamp.  So
// a reconcile lists all keys of the remote, and compares each page with the
// keys that are known here between its first and last one, as two sorted lists
// are merged:
//
//   known here   a  b     d  e     b is missing there, c is unknown here
//   page         a     c  d  e
//
// The list takes many requests, and rows come and go meanwhile.  So a missing
// row counts as deleted only if no commit has changed its base since the page
// was requested, if it is older than the time for which the remote may hide a
// new row, and if it is not dirty.  All others are read one by one before
// anything is decided.  The host deletes nothing before the list has ended.

#ifndef ENTITABLE_SYNC_RECONCILE_H_
#define ENTITABLE_SYNC_RECONCILE_H_

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/poll.h"
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
Poll<Findings> Compare(SyncRows& rows, const Scope& scope,
                       const Listing& listing);

// The listed rows that are to be fetched: their ETags are not known.  Proves
// nothing about other rows.
Poll<std::vector<EntityKey>> FindChanged(SyncRows& rows,
                                         const Listing& listing);

// A whole list of a remote that does not sort, for Compare().  A row that moved
// meanwhile may have been listed twice.
Listing InOrder(Listing listing);

// Whether so many missing rows are to be made sure of.
bool IsSuspicious(std::uint64_t missing, std::uint64_t known);

}  // namespace entitable::sync

#endif  // ENTITABLE_SYNC_RECONCILE_H_
