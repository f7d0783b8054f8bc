#include "replica/synced_table.h"

#include <algorithm>
#include <iterator>
#include <utility>

#include "base/coding.h"
#include "base/heap_sort.h"
#include "base/keyed_hash.h"
#include "model/etag.h"
#include "store/recent_changes.h"
#include "store/sort_key.h"
#include "sync/records.h"
#include "write/indexed_rows.h"

namespace entitable {
namespace {

// The forms of a note.
constexpr std::uint8_t kEtagNote = 0;
constexpr std::uint8_t kMarkNote = 1;

// Notes have the order of their rows, so both can be walked side by side.
EntityKey NoteKey(EntityKeyView key) {
  return HiddenKey(HiddenKind::kNote, key.partition_key,
                   std::string(key.row_key));
}

std::string EncodeNote(std::uint64_t base_changed_at,
                       const sync::SyncedRow& row) {
  std::string bytes;
  AppendVarint(base_changed_at, bytes);
  AppendU8(row.mark ? kMarkNote : kEtagNote, bytes);
  return bytes += row.mark ? sync::EncodeMark(*row.mark)
                           : sync::EncodeEtag(row.remote_etag);
}

Result<RowNote> NoteIn(std::string_view bytes) {
  Decoder rest(bytes);
  RowNote note{.base_changed_at = rest.ReadVarint()};
  const std::uint8_t form = rest.ReadU8();
  if (rest.failed() || form > kMarkNote) return DamagedSyncState();
  if (form == kMarkNote) {
    note.mark = sync::DecodeMark(rest.rest());
    if (!note.mark) return DamagedSyncState();
  } else {
    auto etag = sync::DecodeEtag(rest.rest());
    if (!etag) return DamagedSyncState();
    note.etag = *std::move(etag);
  }
  return note;
}

// The rows of a range with these keys: behind `after`, up to `last` inclusive.
SortRange Between(TableId table, SortRange range,
                  const std::optional<EntityKey>& after,
                  const std::optional<EntityKey>& last) {
  const auto behind = [table](const EntityKey& key) {
    return Behind(MakeSortKey(table, key.view()));
  };
  if (after) range.begin = std::max(range.begin, behind(*after));
  if (last) range.end = std::min(range.end, behind(*last));
  return range;
}

std::optional<EntityKey> NoteKeyOf(const std::optional<EntityKey>& key) {
  if (!key) return std::nullopt;
  return NoteKey(key->view());
}

}  // namespace

// ------------------------------------------------------------------------ rows

Poll<const MarkedRow*> SyncedTable::FindMarked(EntityKeyView key) {
  EntityKey owned{std::string(key.partition_key), std::string(key.row_key)};
  const auto found = found_.find(owned);
  if (found != found_.end()) return &found->second;
  ENTITABLE_TRY(MarkedRow marked, ReadMarked(key));
  return &found_.emplace(std::move(owned), std::move(marked)).first->second;
}

// The row of the table has the local value, and the note everything else.  What
// has neither is a row that nobody knows.
Poll<MarkedRow> SyncedTable::ReadMarked(EntityKeyView key) {
  MarkedRow marked;
  // Both are looked up before the first is handed up, so that their pages are
  // asked for together.
  auto looked_up = hidden().Find(NoteKey(key));
  ENTITABLE_TRY(
      const auto found,
      staging().FindEntity(table_.id, key, StoredRows::Part::kProperties));
  ENTITABLE_TRY(const auto note, std::move(looked_up));
  if (found) {
    marked.entity =
        Entity{found->timestamp, *PropertyList::FromBytes(found->properties)};
    marked.row.local = marked.entity->properties;
  }
  if (note) {
    ENTITABLE_TRY(marked.note, NoteIn(*note));
    marked.row.mark = marked.note->mark;
    marked.row.remote_etag = marked.note->etag;
  } else if (marked.entity) {
    ENTITABLE_TRY(const Adoption adoption, FindAdoption());
    if (adoption.Has(key)) {
      marked.row.remote_etag = FormatEtag(marked.entity->timestamp);
    }
  }
  return marked;
}

Poll<MarkedRow> SyncedTable::TakeBefore(EntityKeyView key) {
  ENTITABLE_TRY(const MarkedRow* found, FindMarked(key));
  MarkedRow before = *found;
  found_.erase({std::string(key.partition_key), std::string(key.row_key)});
  return before;
}

Poll<sync::SyncedRow> SyncedTable::Find(EntityKeyView key) {
  ENTITABLE_TRY(const MarkedRow* marked, FindMarked(key));
  return marked->row;
}

// The ETag of a clean row is that of its timestamp, wherever that is possible:
// then the row needs no note.  Otherwise the row gets the time of this write.
DateTime SyncedTable::TimestampFor(const sync::SyncedRow& row,
                                   const std::optional<Entity>& before) const {
  const auto time = row.mark ? std::nullopt : sync::TimeOfEtag(row.remote_etag);
  const bool is_later = time && *time < timestamp_ && *time >= kMinDateTime &&
                        (!before || before->timestamp < *time);
  return is_later ? *time : timestamp_;
}

// A row whose value stays the same keeps its Timestamp, also if its mark
// changes.  Its ETag is what the app has read, and must not change under the
// app.
Poll<void> SyncedTable::Put(EntityKeyView key, const sync::SyncedRow& row) {
  ENTITABLE_TRY(const MarkedRow before, TakeBefore(key));
  std::optional<DateTime> timestamp;
  if (!row.local) {
    if (before.entity) {
      ENTITABLE_TRY(DeleteRow(staging(), table_, key, origin_));
    }
  } else if (before.entity && sync::SameValue(row.local, before.row.local)) {
    timestamp = before.entity->timestamp;
  } else {
    timestamp = TimestampFor(row, before.entity);
    ENTITABLE_TRY(PutRow(staging(), table_, key,
                         {*timestamp, row.local->bytes()}, RowBefore::kAny,
                         origin_));
  }
  staging().Publish();
  return PutNote(key, before, row, timestamp);
}

Poll<void> SyncedTable::PutNote(EntityKeyView key, const MarkedRow& before,
                                const sync::SyncedRow& row,
                                std::optional<DateTime> timestamp) {
  const bool is_plain =
      !row.mark && (!timestamp || FormatEtag(*timestamp) == row.remote_etag);
  if (is_plain) {
    if (before.note) hidden().Remove(NoteKey(key));
    return {};
  }
  std::uint64_t changed_at = staging().state().head() + 1;
  if (before.row.base() == row.base()) {
    changed_at = before.note ? before.note->base_changed_at
                             : ChangedAt(MakeSortKey(table_.id, key));
  }
  hidden().Put(NoteKey(key), EncodeNote(changed_at, row));
  return {};
}

// ---------------------------------------------------------------- what changed

// This is the fence.  An answer of the remote is older than the base if the
// base has changed after the answer was requested, so the two must not be
// compared.  A note has the number; other rows are looked up among the recent
// changes.
Poll<std::uint64_t> SyncedTable::BaseChangedAt(EntityKeyView key) {
  ENTITABLE_TRY(const MarkedRow* marked, FindMarked(key));
  if (marked->note) return marked->note->base_changed_at;
  return ChangedAt(MakeSortKey(table_.id, key));
}

std::uint64_t SyncedTable::ChangedAt(const std::string& sort_key) {
  ReadRecentChanges();
  const auto found = recent_->find(sort_key);
  if (found != recent_->end()) return found->second;
  // The changes of this row may be among those that were forgotten.  It counts
  // as just changed then, which fences all answers but those of the present
  // state.
  return has_forgotten_ ? staging().state().head() : std::uint64_t{0};
}

// Goes from the newest change back to the fence, so the first number of a key
// is that of its last change.  A change of the table as a whole hides single
// rows.
void SyncedTable::ReadRecentChanges() {
  if (recent_) return;
  recent_.emplace();
  const AccountState& state = staging().state();
  const RecentChanges& recent = state.recent();
  const std::string whole = WholeTable(table_.id).begin;
  has_forgotten_ = !recent.IsKnownSince(table_.id, fence_);
  std::string_view rest =
      recent.ChangesBefore(table_.id, recent.EndOf(table_.id));
  while (!rest.empty()) {
    const RecentChanges::Change change = RecentChanges::TakeLast(rest);
    const std::string_view sort_key = change.sort_key;
    if (change.number <= fence_) return;
    has_forgotten_ |= sort_key == whole;
    recent_->emplace(sort_key, change.number);
  }
}

// ------------------------------------------------------------------------ keys

// A scope is one range of keys, of the rows and of their notes alike.
SortRange SyncedTable::RowsOf(const sync::Scope& scope) const {
  if (!scope.partition_key) return WholeTable(table_.id);
  return MakeSortRange(table_.id, {StartOfPartition(*scope.partition_key),
                                   EndOfPartition(*scope.partition_key)});
}

SortRange SyncedTable::NotesOf(const sync::Scope& scope) {
  return scope.partition_key
             ? hidden().RangeOf(HiddenKind::kNote, *scope.partition_key)
             : hidden().RangeOf(HiddenKind::kNote);
}

// The rows of the table, without those that the remote never had, and with
// those that were deleted here: only notes tell which these are.  So two ranges
// are read, the rows and the notes, and no row is decoded that has no note.
Poll<std::vector<EntityKey>> SyncedTable::KnownKeys(
    const sync::Scope& scope, const std::optional<EntityKey>& after,
    const std::optional<EntityKey>& last) {
  ENTITABLE_TRY(
      std::vector<EntityKey> known,
      FindKeys(staging(), Between(table_.id, RowsOf(scope), after, last),
               SIZE_MAX, KeyOf));
  ENTITABLE_TRY(std::vector<EntityKey> with_note,
                FindKeys(staging(),
                         Between(hidden().id(), NotesOf(scope),
                                 NoteKeyOf(after), NoteKeyOf(last)),
                         SIZE_MAX, SyncedKeyOf));
  std::vector<EntityKey> without_base;
  std::vector<EntityKey> deleted_here;
  for (EntityKey& key : with_note) {
    ENTITABLE_TRY(const sync::SyncedRow row, Find(key.view()));
    const bool has_base = row.base().has_value();
    if (row.local && !has_base) {
      without_base.push_back(std::move(key));
    } else if (!row.local && has_base) {
      deleted_here.push_back(std::move(key));
    }
  }
  std::erase_if(known, [&without_base](const EntityKey& key) {
    return std::ranges::binary_search(without_base, key);
  });
  std::ranges::move(deleted_here, std::back_inserter(known));
  HeapSort(known);
  return known;
}

// A note may have an ETag and no mark, so not every row that is found has one.
Poll<std::vector<EntityKey>> SyncedTable::MarkedKeys(
    const std::optional<EntityKey>& after, std::size_t limit) {
  return FindKeys(
      staging(),
      Between(hidden().id(), NotesOf({}), NoteKeyOf(after), std::nullopt),
      limit, SyncedKeyOf);
}

Poll<std::vector<EntityKey>> SyncedTable::RowsAfter(
    const std::optional<EntityKey>& after, std::size_t limit) {
  return FindKeys(staging(),
                  Between(table_.id, RowsOf({}), after, std::nullopt), limit,
                  KeyOf);
}

// ---------------------------------------------------------------------- schema

// A deletion keeps every schema.  The schema is read once for all rows of a
// step.
Result<void> SyncedTable::Check(EntityKeyView key,
                                const sync::RowValue& value) {
  if (!value || table_.schema.empty()) return {};
  if (!schemas_) schemas_.emplace(std::nullopt, table_.schema);
  return schemas_->Check(key, value->bytes());
}

std::uint64_t SyncedTable::SchemaMark() {
  if (table_.schema.empty()) return 0;
  // With this key, the same in every tab and at every start.
  return KeyedHash(0, 0).Of(table_.schema) | 1;
}

}  // namespace entitable
