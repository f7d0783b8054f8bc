// sync_request.h - a step of sync as the host asks for it.
//
// docs/internals/frames.md has the arguments of each step.
//
// A request is read before it waits for its turn, so all that is wrong with its
// form fails at once, and a step that is tried again parses nothing twice.

#ifndef ENTITABLE_REPLICA_SYNC_REQUEST_H_
#define ENTITABLE_REPLICA_SYNC_REQUEST_H_

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/date_time.h"
#include "base/json_reader.h"
#include "entitable/operation.h"
#include "entitable/result.h"
#include "model/entity_key.h"
#include "sync/remote_messages.h"
#include "sync/resolver.h"

namespace entitable {

// X(name, text, needs).  The function steps::name runs the step
// (replica/sync_step.h), the text is what the host sends, and a step may need
// a table that is synced.
//
// Nothing stores their numbers, so their order is free.  A new step is a line
// here, a function in replica/sync_step.h, and a row of the table in frames.md.
#define ENTITABLE_SYNC_STEPS(X)                        \
  X(Start, "start", AnyTable)                          \
  X(Stop, "stop", AnyTable)                            \
  X(Adopt, "adopt", SyncedTable)                       \
  X(Ask, "ask", AnyTable)                              \
  X(Status, "status", SyncedTable)                     \
  X(NextPull, "nextPull", SyncedTable)                 \
  X(ApplyPage, "applyPage", SyncedTable)               \
  X(RestartPull, "restartPull", SyncedTable)           \
  X(WidePull, "widePull", SyncedTable)                 \
  X(FindChanged, "findChanged", SyncedTable)           \
  X(CompleteWidePull, "completeWidePull", SyncedTable) \
  X(Compare, "compare", SyncedTable)                   \
  X(TakeRow, "takeRow", SyncedTable)                   \
  X(RowsToRead, "rowsToRead", SyncedTable)             \
  X(BeginPush, "beginPush", SyncedTable)               \
  X(CompletePush, "completePush", SyncedTable)         \
  X(Settle, "settle", SyncedTable)                     \
  X(Postpone, "postpone", SyncedTable)                 \
  X(Expire, "expire", SyncedTable)                     \
  X(Pending, "pending", SyncedTable)                   \
  X(Retry, "retry", SyncedTable)                       \
  X(Discard, "discard", SyncedTable)                   \
  X(Conflicts, "conflicts", SyncedTable)               \
  X(Confirm, "confirm", SyncedTable)

enum class SyncStep : std::uint8_t {
#define ENTITABLE_X(name, text, needs) k##name,
  ENTITABLE_SYNC_STEPS(ENTITABLE_X)
#undef ENTITABLE_X
};

// A step that needs a synced table fails with InvalidInput for any other.
enum class StepNeeds : std::uint8_t { kAnyTable, kSyncedTable };

// What the app has decided for a group in conflict.
struct DecidedRow {
  sync::RowValue value;
  std::string typed = {};  // As in model/entity.h.
};
// It counts only for the conflicts that it names, all rows of a group at once.
// They come in the order in which the answer of the step has listed them.
struct Decision {
  std::string of;  // Names the conflicts.
  std::vector<DecidedRow> rows = {};
};

// One struct serves all steps: the host sends arguments by name, and a step
// reads those that it knows.  Which these are is a table in
// docs/internals/frames.md.
struct SyncRequest {
  std::string table;
  SyncStep step{};

  // The arguments; those of other steps are empty.
  sync::Scope scope = {};
  EntityKey key = {};
  std::optional<EntityKey> after = {};
  std::string place = {};         // Of the last group that was listed.
  std::string url = {};           // Of the remote.
  std::string remote_table = {};  // The table's name there.
  std::string token = {};         // Behind the page; empty: it is the last.
  std::uint64_t sequence = 0;     // As in the answer before the request.
  DateTime asked_at = {};         // The same.
  DateTime date = {};             // The header Date.
  std::uint64_t position = 0;     // The step of a position.
  std::uint64_t number = 0;       // Of a push, or of a conflict.
  DateTime sent_at = {};          // Of a push.
  int status = 0;
  std::uint64_t missing = 0;  // Of a reconcile, before this page.
  std::uint64_t known = 0;
  bool is_forbidden = false;
  bool is_unsent = false;
  bool is_absent = false;  // The remote does not have the row.
  bool is_end = false;     // Nothing comes behind the page.
  bool is_read_only = false;
  bool keeps_rows = false;
  bool discards = false;  // Rows and conflicts that would be lost.
  bool is_check = false;  // Changes nothing.
  bool asks_app = false;  // Conflicts are for the app to resolve.
  sync::ConflictPolicy policy = sync::ConflictPolicy::kMerge;
  sync::Prefer prefer = sync::Prefer::kRemote;
  std::vector<Decision> decisions = {};

  // What the remote has answered.
  //
  // A step without an answer of the remote has neither.
  sync::EntityPage page = {};  // Several pages are read as one.
  sync::BatchAnswer answer = {};
};

// Fails with InvalidInput if the arguments or the texts cannot be read.
Result<SyncRequest> ReadSyncRequest(const SyncTable& operation,
                                    JsonReader& json);

}  // namespace entitable

#endif  // ENTITABLE_REPLICA_SYNC_REQUEST_H_
