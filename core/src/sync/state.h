// state.h - what a replica knows of the rows of a synced table.
//
// docs/internals/sync.md has the terms and says where all of this is stored.
//
// A replica has to know three values of a row: the local one, the base (what it
// last knew of the remote), and the remote one, which is unknown until somebody
// asks for it.  While local and base are equal, the row is clean and nothing
// else is kept.  Otherwise a mark keeps the base, and which groups are to write
// the row:
//
//   clean ----------- a local write -----------> dirty
//     ^                                          |   ^
//     |        pushed, or found at the remote    |   | a local write
//     |  <-----------------------------------+---+   |
//     |                                      v       |
//     +--- Tidy(), once its time is over --- clean with a memory
//
// The memory is of attempts whose outcome is unknown, or of the ETag of a row
// that this replica has deleted, because late answers may still show either of
// them.
//
// A group moves through these states.  Each change is stored by the commit that
// causes it, so a crash leaves the replica in one of them:
//
//   from          to        when
//   new           open      an app writes a row, or a row is adopted
//   open          sealed    a transaction with rows of it does not fit into it
//   open, sealed  sent      BeginPush() chooses it, before the request leaves
//   sent          removed   CompletePush() hears that the request took effect
//   sent          sealed    it did not: Settle(), Postpone(), or a refusal of
//                           several groups, which are then sent one by one
//   sent          open      nothing of the request has left, for certain
//   sent          rejected  the remote has refused it alone, for good
//   rejected      open      the app writes a row of it, or asks for a retry
//
// A group that goes back to open is sealed instead if a later group has rows of
// it.  So the open group of a row is always its last entry, the groups of a row
// are written in their order, and no two groups can wait for one another.
//
// The verbs of sync:
//
//   Learn     the remote is known to have a version, which becomes the base
//   Prove     a read that was requested late enough tells of all attempts
//   Tidy      a mark goes that says nothing any more
//   Settle    a refused request is compared with what the remote has
//   Postpone  a request that cannot be settled now waits, and is sent again
//   Revive    a group that was rejected, or has not left, may be sent again
//   Adopt     a row from before the sync becomes dirty, as if just written
//   Withdraw  a row gives up what was written to it and was not sent

#ifndef ENTITABLE_SYNC_STATE_H_
#define ENTITABLE_SYNC_STATE_H_

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/date_time.h"
#include "model/entity.h"
#include "model/entity_key.h"

namespace entitable::sync {

// How long a request may still take effect after it was stored as sent, in
// ticks of 100 ns.  The host gives up a request earlier than that.
inline constexpr std::int64_t kLateEffect = std::int64_t{120} * 10'000'000;

// How far back the wide pull looks: how long a row may stay invisible.
inline constexpr std::int64_t kWideOverlap = std::int64_t{600} * 10'000'000;

// Nothing: the row does not exist.
using RowValue = std::optional<PropertyList>;

// Whether both have the same properties with the same values, in any order.
bool SameValue(const RowValue& a, const RowValue& b);

// A row as the remote has it, or had it.
struct Version {
  std::string etag;
  PropertyList properties;

  bool operator==(const Version&) const = default;
};

// Nothing: the row is absent there.
using RemoteRow = std::optional<Version>;

inline RowValue ValueOf(const RemoteRow& row) {
  if (!row) return std::nullopt;
  return row->properties;
}

// The time in an ETag of the service.  Nothing for any other ETag.
std::optional<DateTime> TimeOfEtag(std::string_view etag);

// Grows with each new group, and is never used again.
using GroupId = std::uint64_t;

// What a group is to write to a row.
struct Entry {
  GroupId group = 0;

  // Nothing: the local value.  A later write keeps the value here.
  std::optional<RowValue> frozen = {};

  bool operator==(const Entry&) const = default;
};

// A value that was sent.  It may take effect until a time, and whether it has
// is not known before the row is read after that time.
struct SentValue {
  RowValue value;
  bool is_insert = false;
  DateTime until;

  bool operator==(const SentValue&) const = default;
};

// What makes a row differ from a clean one.
struct Mark {
  RemoteRow base;

  // The groups that are to write the row, the oldest first.  None: the row is
  // clean, and only the rest of the mark still counts.
  std::vector<Entry> entries = {};

  // Values of attempts whose outcome is unknown.
  //
  // A value stays here until a read that was requested after its time, since
  // only such a read tells whether the attempt took effect.
  std::vector<SentValue> sent = {};

  // The ETag that the row had when our deletion was stored there.  Late answers
  // may still have it, until the time.
  std::string deleted_etag = {};
  DateTime deleted_until = {};

  bool is_dirty() const { return !entries.empty(); }

  // Whether a request from the past may still insert the row.
  bool MayBeInserted(DateTime now) const;

  // Whether a remote value was once sent by this replica.
  bool WasSent(const RowValue& value) const;

  // The remote is known to have this: it becomes the base.  A new version
  // excludes attempts on the condition of an earlier one.  Only an insert may
  // still take effect, after a deletion.
  void Learn(RemoteRow remote);

  // The row was read, or written, by a request of this time, so what it has
  // found proves what became of all attempts that could take no effect any more
  // by then: the mark need not remember them.
  void Prove(DateTime asked_at);

  // Drops what does not count any more, by the time alone.
  void Expire(DateTime now);

  // After the clock was set back, times of before lie too far ahead.  They
  // become what they would be for a request of now.
  void Bound(DateTime now);

  // Whether all sent values have had their time, so that a read proves them.
  bool MayBeProven(DateTime now) const;

  bool operator==(const Mark&) const = default;
};

// All that a replica has of a row.
struct SyncedRow {
  RowValue local;                // What the app sees.
  std::string remote_etag = {};  // Of a row without a mark.
  std::optional<Mark> mark = {};

  bool is_dirty() const { return mark && mark->is_dirty(); }

  // The last remote version that the replica knows.
  RemoteRow base() const;

  // What the first group of the row is to write.
  const RowValue& first_value() const;

  // Sets the base, of a row in any state.
  void SetBase(RemoteRow base);

  // Makes sure that there is a mark.
  Mark& Marked();

  // Becomes a clean row if its mark says nothing any more: after every change
  // of a mark.
  void Tidy();

  bool operator==(const SyncedRow&) const = default;
};

// Rows that are to be written to the remote in one transaction.
struct Group {
  enum class State : std::uint8_t {
    kOpen = 0,      // Later writes may join.
    kSealed = 1,    // No row joins any more.
    kSent = 2,      // The outcome is unknown.
    kRejected = 3,  // The remote has refused it for good.
  };

  GroupId id = 0;
  State state = State::kOpen;
  std::string partition_key = {};
  std::vector<std::string> row_keys = {};
  std::size_t bytes = 0;  // Of the rows in a request, about.

  // The request that has the group.  Groups of one request share it.
  std::uint64_t request = 0;
  DateTime sent_at = {};  // The last attempt.

  // An attempt of unknown outcome may take effect until this time.  Zero: there
  // was none.
  DateTime doubt_until = {};

  bool is_alone = false;  // It shares no request.

  // After conflicts: how many in a row, and when to try again.
  std::uint32_t conflicts = 0;
  DateTime not_before = {};

  std::string error = {};  // Why the group is rejected: the service's error.

  bool operator==(const Group&) const = default;
};

// For a sort: by their ids.
inline bool IsOlder(const Group& a, const Group& b) { return a.id < b.id; }

// What one query pulls: a partition, or the whole table.
struct Scope {
  std::optional<std::string> partition_key = {};  // Nothing: the whole table.

  bool operator==(const Scope&) const = default;
};

// Up to where a scope has been pulled.
struct PullState {
  bool is_complete = false;  // The first pull has ended.
  std::string token = {};    // Of the page that comes next; empty: of none.

  // The Date of the first answer of the last completed pull, and of the one
  // under way.
  //
  // The dates are those of the remote's clock, so a wrong clock here loses no
  // row.
  DateTime from = {};
  DateTime next_from = {};

  // A page had a row that could not be taken, so the same time is asked again.
  bool is_held_back = false;

  // The Date of the first answer of the last completed wide pull.
  DateTime wide_from = {};

  // The mark of the schema that has refused rows since the scope was last
  // pulled as a whole.  Zero: there was none.
  std::uint64_t refused_by = 0;

  // The schema has refused a row.
  void NoteRefusal(std::uint64_t schema_mark) {
    const bool is_other = refused_by != 0 && refused_by != schema_mark;
    refused_by = is_other ? kSeveralSchemas : schema_mark;
  }

  // No schema has this mark: theirs are odd.
  static constexpr std::uint64_t kSeveralSchemas = 2;

  // How often the position has moved.  An answer to an older request does not
  // move it.
  std::uint64_t step = 0;

  // Whether a page was ever stored.
  bool has_begun() const { return is_complete || !token.empty(); }

  bool operator==(const PullState&) const = default;
};

// A conflict that the app has not confirmed.
struct ConflictRecord {
  EntityKey key;
  RowValue base;
  RowValue local;
  RowValue remote;
  RowValue result;
  GroupId group = 0;  // Its atomicity has ended.

  bool operator==(const ConflictRecord&) const = default;
};

// What an app writes.
struct LocalChange {
  EntityKey key;
  RowValue value;  // What the row becomes.
};

}  // namespace entitable::sync

#endif  // ENTITABLE_SYNC_STATE_H_
