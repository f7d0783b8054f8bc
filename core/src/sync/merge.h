// merge.h - the three-way merge of a row.

#ifndef ENTITABLE_SYNC_MERGE_H_
#define ENTITABLE_SYNC_MERGE_H_

#include <cstdint>
#include <span>

#include "model/entity_key.h"
#include "sync/state.h"

namespace entitable::sync {

// Who wins where both sides changed one property to different values.
enum class Prefer : std::uint8_t { kRemote, kLocal };

// The values of a row that changed on both sides since they were equal.
struct Sides {
  EntityKeyView key;
  const RowValue& base;
  const RowValue& local;
  const RowValue& remote;

  // What this replica has sent: a property that equals it has not changed
  // there.
  std::span<const SentValue> sent = {};
};

// The base as an app may compare with it: what the remote has as this replica
// sent it is known to both.
RowValue KnownBase(const Sides& sides);

// What only one side changed is taken from that side.  An edit beats a
// deletion.  If the result breaks a limit of the service, it is the preferred
// side's value.
RowValue Merge(const Sides& sides, Prefer prefer);

}  // namespace entitable::sync

#endif  // ENTITABLE_SYNC_MERGE_H_
