// pull.h - takes the pages of a partition from the remote.

#ifndef ENTITABLE_SYNC_PULL_H_
#define ENTITABLE_SYNC_PULL_H_

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "sync/settle.h"
#include "sync/sync_rows.h"

namespace entitable::sync {

// How far back a usual pull looks, in ticks of 100 ns.
inline constexpr std::int64_t kOverlap = std::int64_t{30} * 10'000'000;

struct PullRequest {
  std::string token;  // Empty: the first page.

  // The least Timestamp to ask for.  Nothing: all rows.
  std::optional<DateTime> from = {};
};

// The page to ask for next.  A wide pull looks back further.
Result<PullRequest> NextPull(SyncRows& rows, std::string_view partition_key,
                             bool is_wide);

struct PulledRow {
  EntityKey key;
  Version version;
};

struct PulledPage {
  std::uint64_t sequence = 0;  // Of the store when the page was requested.
  std::string asked_token = {};
  std::string next_token = {};  // Empty: it is the last page.
  DateTime date = {};           // The header Date, or the greatest Timestamp.
  std::vector<PulledRow> rows = {};
};

struct PullResult {
  std::size_t changed = 0;                // Rows.
  bool is_complete = false;               // It was the last page.
  std::vector<Conflict> unresolved = {};  // For the app to resolve.
  std::vector<EntityKey> older = {};      // Rows that the remote has set back.
};

// Takes the rows of a page and the position behind it.  After the app has
// resolved conflicts, the same page is taken again.  The position does not
// advance over rows that could not be taken.
Result<PullResult> ApplyPage(SyncRows& rows, std::string_view partition_key,
                             const PulledPage& page, Resolver& resolver,
                             DateTime now);

// The remote has refused the token: the pull begins again.
Result<void> RestartPull(SyncRows& rows, std::string_view partition_key);

}  // namespace entitable::sync

#endif  // ENTITABLE_SYNC_PULL_H_
