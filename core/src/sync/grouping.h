// grouping.h - which rows are pushed together, and how they enter and leave
// groups.
//
// A group holds rows that one local transaction wrote, and all open groups that
// shared a row with it.  So the remote never shows a part of a transaction, and
// a row that is written often is pushed once.  The limits are those of the
// service, since a group must fit into one of its transactions.

#ifndef ENTITABLE_SYNC_GROUPING_H_
#define ENTITABLE_SYNC_GROUPING_H_

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "base/poll.h"
#include "model/limits.h"
#include "sync/state.h"
#include "sync/sync_rows.h"

namespace entitable::sync {

// The limits of an entity group transaction.
struct GroupLimits {
  std::size_t rows = kMaxTransactionParts;
  std::size_t bytes = kMaxBodyBytes;
};

// About how many bytes a row takes in a request.
std::size_t RequestBytes(EntityKeyView key, const RowValue& value);

// The keys of both, each once.
std::vector<std::string> UnionOf(std::span<const std::string> a,
                                 std::span<const std::string> b);

// Whether a transaction that has rows of these open groups becomes one group
// with them.  Otherwise the groups are sealed, and the transaction is a group
// of its own that depends on them.
bool FitsTogether(std::span<const Group> open,
                  std::span<const std::string> row_keys, std::size_t bytes,
                  const GroupLimits& limits);

// How many of the groups, from the first on, share a request.  They are of one
// partition and ready to be sent.  At least one if there is any.
std::size_t CountTogether(std::span<const Group> ready,
                          const GroupLimits& limits);

// --------------------------------------------------------------------- entries

// Rows enter and leave groups, and marks end.

// The group has the row, with this value, or has it no more.
void JoinGroup(Group& group, EntityKeyView key, const RowValue& value);
void LeaveGroup(Group& group, EntityKeyView key, const RowValue& value);

// The first group of the row has nothing to write any more.  Does not touch the
// group.
void DropFirstEntry(SyncedRow& row);

// The row leaves its groups.  If `keeps_last` is set, the last one keeps it,
// with the local value.
Poll<void> Collapse(SyncRows& rows, EntityKeyView key, SyncedRow& row,
                    bool keeps_last);

// Drops marks that only remembered what does not count any more: the host does
// this now and then.  Takes a part of the rows that have marks, behind `after`.
// Returns the last of them; nothing if there is no other.
Poll<std::optional<EntityKey>> ExpireMarks(
    SyncRows& rows, const std::optional<EntityKey>& after, DateTime now);

}  // namespace entitable::sync

#endif  // ENTITABLE_SYNC_GROUPING_H_
