// reconcile.h - finds rows that were deleted remotely, by the keys that are
// there.

#ifndef ENTITABLE_SYNC_RECONCILE_H_
#define ENTITABLE_SYNC_RECONCILE_H_

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "sync/sync_rows.h"

namespace entitable::sync {

struct ListedRow {
  std::string row_key;
  std::string etag;
};

// A page of keys and ETags of a partition.
struct Listing {
  std::uint64_t sequence = 0;  // Of the store when the page was requested.
  DateTime date = {};          // The header Date.

  // The last key of the page before; nothing: it is the first page.
  std::optional<std::string> after = {};
  std::vector<ListedRow> rows = {};

  // Nothing comes behind it: a query for greater keys has found none.
  bool is_end = false;
};

struct Findings {
  // The keys do not ascend.  Nothing is known before the whole partition is
  // listed: the host sorts it and compares it at the end of the pass.
  bool is_unsorted = false;

  std::vector<std::string> missing = {};   // Deleted remotely.
  std::vector<std::string> doubtful = {};  // To be read one by one.
  std::vector<std::string> unknown = {};   // To be fetched.
};

// Compares the rows between the keys of the page with it.
Result<Findings> Compare(SyncRows& rows, std::string_view partition_key,
                         const Listing& listing);

// Puts the rows into the order of their keys, for a remote that does not.
void SortListing(Listing& listing);

// Whether so many missing rows are to be made sure of: some of them are read
// before any is deleted.
bool IsSuspicious(std::size_t missing, std::size_t known);

}  // namespace entitable::sync

#endif  // ENTITABLE_SYNC_RECONCILE_H_
