#include "replica/synced_table.h"

#include <algorithm>
#include <utility>

#include "base/coding.h"
#include "base/heap_sort.h"
#include "base/hex.h"
#include "base/keyed_hash.h"
#include "model/etag.h"
#include "store/recent_changes.h"
#include "store/sort_key.h"
#include "sync/records.h"
#include "write/indexed_rows.h"

namespace entitable {
namespace {

using sync::Group;
using sync::GroupId;
using Part = StoredRows::Part;

// The first character of a PartitionKey of the hidden table says what the row
// is; most kinds have the PartitionKey of the synced table behind it.
constexpr char kAdoption = 'a';
constexpr char kConflict = 'c';
constexpr char kGroup = 'g';
constexpr char kNote = 'm';
constexpr char kPosition = 'p';
constexpr char kRemote = 'r';
constexpr char kSentGroup = 's';
constexpr char kWholePosition = 't';

// The name of the only property of a row; and of rows that an earlier version
// has stored, whose values have no version byte.
constexpr std::string_view kValue = "S";
constexpr std::string_view kValueWithoutVersion = "V";

constexpr std::uint8_t kEtagNote = 0;
constexpr std::uint8_t kMarkNote = 1;

std::string Kind(char kind, std::string_view partition_key = {}) {
  return std::string(1, kind).append(partition_key);
}

// Texts have the order of their numbers.
std::string TextOfNumber(std::uint64_t number) {
  std::string bytes;
  for (int shift = 56; shift >= 0; shift -= 8) {
    bytes += static_cast<char>(number >> shift & 0xFF);
  }
  return HexOf(bytes);
}

std::uint64_t NumberIn(std::string_view text) {
  std::uint64_t number = 0;
  for (const char byte : BytesOfHex(text)) {
    number = number << 8 | static_cast<unsigned char>(byte);
  }
  return number;
}

Failure Damaged() {
  return Fail(ErrorCode::kStorageDamaged,
              "A record of the state of sync has an invalid format.");
}

// The bytes of a row of the hidden table.
Result<std::string> ValueIn(const EntityView& row) {
  auto value = FindProperty(row.properties, kValue);
  const bool has_version = value.has_value();
  if (!value) value = FindProperty(row.properties, kValueWithoutVersion);
  if (!value || value->type() != EdmType::kBinary) return Damaged();
  if (!has_version) return std::string(value->binary());
  return sync::WithoutVersion(value->binary());
}

Result<EntityKey> KeyOf(const FoundRow& row) {
  auto parsed = ParseSortKey(row.sort_key);
  if (!parsed) return Damaged();
  return std::move(parsed->key);
}

// The key of the synced table's row that a row of the hidden table is about.
Result<EntityKey> NotedKey(const FoundRow& row) {
  ENTITABLE_TRY(EntityKey key, KeyOf(row));
  if (key.partition_key.empty()) return Damaged();
  key.partition_key.erase(0, 1);
  return key;
}

Result<Group> GroupIn(std::string_view bytes) {
  auto group = sync::DecodeGroup(bytes);
  if (!group) return Damaged();
  return *std::move(group);
}

// All rows of the kind; or those of one partition.
SortRange RangeOf(TableId table, char kind) {
  return {MakeSortKey(table, {Kind(kind), {}}),
          MakeSortKey(table, {Kind(static_cast<char>(kind + 1)), {}})};
}
SortRange RangeOf(TableId table, char kind, std::string_view partition_key) {
  const std::string partition = Kind(kind, partition_key);
  return MakeSortRange(
      table, {StartOfPartition(partition), EndOfPartition(partition)});
}

// Directly behind the key.
std::string Behind(std::string sort_key) { return sort_key += '\0'; }

std::string EncodeAdoption(const Adoption& adoption) {
  std::string out;
  AppendU8(adoption.is_complete ? 1 : 0, out);
  if (!adoption.last) return out;
  AppendText(adoption.last->partition_key, out);
  AppendText(adoption.last->row_key, out);
  return out;
}

}  // namespace

// Operations of sync take what they find for granted.  So none goes on with a
// row whose pages are missing: it is evaluated again when they are there.
Result<void> SyncedTable::CheckFound() const {
  if (staging_.stored().is_missing()) return Fail(ErrorCode::kServerBusy);
  return {};
}

Result<std::vector<FoundRow>> SyncedTable::FindRange(const SortRange& range,
                                                     std::size_t limit,
                                                     Part part) const {
  ENTITABLE_TRY(auto found, staging_.FindRange(range, {limit}, part));
  ENTITABLE_TRY(CheckFound());
  return std::move(found.rows);
}

Result<std::vector<EntityKey>> SyncedTable::KeysIn(
    const SortRange& range, std::size_t limit,
    Result<EntityKey> (*key_of)(const FoundRow&)) const {
  ENTITABLE_TRY(const auto found, FindRange(range, limit, Part::kTimestamp));
  std::vector<EntityKey> keys;
  keys.reserve(found.size());
  for (const FoundRow& row : found) {
    ENTITABLE_TRY(EntityKey key, key_of(row));
    keys.push_back(std::move(key));
  }
  return keys;
}

void SyncedTable::Expect(EntityKeyView key) {
  static_cast<void>(FindWhole(key));
}

// --------------------------------------------------------------- hidden values

Result<std::optional<std::string>> SyncedTable::FindValue(EntityKeyView key) {
  ENTITABLE_TRY(const auto row,
                staging_.FindEntity(table_.sync, key, Part::kProperties));
  ENTITABLE_TRY(CheckFound());
  if (!row) return std::optional<std::string>();
  ENTITABLE_TRY(std::string value, ValueIn(*row));
  return std::optional(std::move(value));
}

void SyncedTable::PutValue(EntityKeyView key, std::string_view bytes) {
  PropertyList properties;
  const std::string stored = sync::WithVersion(bytes);
  properties.Append(kValue, Value::Binary(stored));
  staging_.Put(table_.sync, key, {timestamp_, properties.bytes()});
  staging_.Publish();
}

void SyncedTable::RemoveValue(EntityKeyView key) {
  staging_.Delete(table_.sync, key);
  staging_.Publish();
}

// ------------------------------------------------------------------------ rows

// Valid until the row is changed.
Result<const NotedRow*> SyncedTable::FindWhole(EntityKeyView key) {
  EntityKey owned{std::string(key.partition_key), std::string(key.row_key)};
  const auto found = found_.find(owned);
  if (found != found_.end()) return &found->second;
  ENTITABLE_TRY(NotedRow whole, ReadWhole(key));
  return &found_.emplace(std::move(owned), std::move(whole)).first->second;
}

Result<NotedRow> SyncedTable::ReadWhole(EntityKeyView key) {
  NotedRow whole;
  const std::string noted = Kind(kNote, key.partition_key);
  // Both are looked up before the check, so that all missing pages are asked
  // for together.
  ENTITABLE_TRY(const auto noted_row,
                staging_.FindEntity(table_.sync, {noted, key.row_key},
                                    Part::kProperties));
  std::string bytes;
  if (noted_row) {
    ENTITABLE_TRY(bytes, ValueIn(*noted_row));
  }
  ENTITABLE_TRY(const auto found,
                staging_.FindEntity(table_.id, key, Part::kProperties));
  ENTITABLE_TRY(CheckFound());
  if (noted_row) {
    Decoder rest(bytes);
    SyncNote& note = whole.note.emplace();
    note.base_changed_at = rest.TakeVarint();
    const std::uint8_t form = rest.TakeU8();
    if (rest.failed() || form > kMarkNote) return Damaged();
    if (form == kMarkNote) {
      note.mark = sync::DecodeMark(rest.rest());
      if (!note.mark) return Damaged();
    } else {
      auto etag = sync::DecodeEtag(rest.rest());
      if (!etag) return Damaged();
      note.etag = *std::move(etag);
    }
  }
  if (found) {
    whole.entity =
        Entity{found->timestamp, *PropertyList::FromBytes(found->properties)};
    whole.row.local = whole.entity->properties;
  }
  if (whole.note) {
    whole.row.mark = whole.note->mark;
    whole.row.remote_etag = whole.note->etag;
  } else if (whole.entity) {
    ENTITABLE_TRY(const bool is_adopted, IsAdopted(key));
    if (is_adopted) {
      whole.row.remote_etag = FormatEtag(whole.entity->timestamp);
    }
  }
  return whole;
}

Result<sync::SyncedRow> SyncedTable::Find(EntityKeyView key) {
  ENTITABLE_TRY(const NotedRow* whole, FindWhole(key));
  return whole->row;
}

// The ETag of a clean row is that of its timestamp, wherever that is possible:
// then the row needs no note.
DateTime SyncedTable::TimestampFor(const sync::SyncedRow& row,
                                   const std::optional<Entity>& before) const {
  const auto time = row.mark ? std::nullopt : sync::TimeOfEtag(row.remote_etag);
  const bool is_later = time && *time < timestamp_ && *time >= kMinDateTime &&
                        (!before || before->timestamp < *time);
  return is_later ? *time : timestamp_;
}

Result<void> SyncedTable::Put(EntityKeyView key, const sync::SyncedRow& row) {
  ENTITABLE_TRY(const NotedRow* found, FindWhole(key));
  const NotedRow before = *found;
  found_.erase({std::string(key.partition_key), std::string(key.row_key)});
  if (writes_locally_) {
    ++changed_rows_;
    return PutNote(key, before, row,
                   row.local ? std::optional(timestamp_) : std::nullopt);
  }
  std::optional<DateTime> timestamp;
  if (!row.local) {
    if (before.entity) {
      ENTITABLE_TRY(DeleteRow(staging_, table_, key, origin_));
    }
  } else if (before.entity && sync::SameValue(row.local, before.row.local)) {
    timestamp = before.entity->timestamp;
  } else {
    timestamp = TimestampFor(row, before.entity);
    ENTITABLE_TRY(PutRow(staging_, table_, key,
                         {*timestamp, row.local->bytes()}, RowBefore::kAny,
                         origin_));
  }
  staging_.Publish();
  return PutNote(key, before, row, timestamp);
}

// `timestamp` is that of the row in the table; nothing: it is absent there.
Result<void> SyncedTable::PutNote(EntityKeyView key, const NotedRow& before,
                                  const sync::SyncedRow& row,
                                  std::optional<DateTime> timestamp) {
  const std::string noted = Kind(kNote, key.partition_key);
  const EntityKeyView place{noted, key.row_key};
  const bool is_plain =
      !row.mark && (!timestamp || FormatEtag(*timestamp) == row.remote_etag);
  if (is_plain) {
    if (before.note) RemoveValue(place);
    return {};
  }
  std::uint64_t changed_at = staging_.state().head() + 1;
  if (before.row.base() == row.base()) {
    changed_at = before.note ? before.note->base_changed_at
                             : ChangedAt(MakeSortKey(table_.id, key));
  }
  std::string bytes;
  AppendVarint(changed_at, bytes);
  AppendU8(row.mark ? kMarkNote : kEtagNote, bytes);
  bytes += row.mark ? sync::EncodeMark(*row.mark)
                    : sync::EncodeEtag(row.remote_etag);
  PutValue(place, bytes);
  return {};
}

Result<void> SyncedTable::WriteLocally(
    std::span<const sync::LocalChange> changes) {
  writes_locally_ = true;
  for (const sync::LocalChange& change : changes) Expect(change.key.view());
  ENTITABLE_TRY(sync::WriteLocally(*this, changes, {}));
  // Usually, all rows have changed.
  const bool is_all = changes.size() == 1 && changed_rows_ > 0;
  if (!is_all) ENTITABLE_TRY(KeepEtags(changes));
  writes_locally_ = false;
  return {};
}

// A row that stays clean gets a new timestamp, which is not the remote's.
Result<void> SyncedTable::KeepEtags(
    std::span<const sync::LocalChange> changes) {
  for (const sync::LocalChange& change : changes) {
    if (!change.value) continue;
    const EntityKeyView key = change.key.view();
    ENTITABLE_TRY(const NotedRow* whole, FindWhole(key));
    if (whole->note || !whole->row.base()) continue;
    const sync::SyncedRow row = whole->row;
    ENTITABLE_TRY(PutNote(key, *whole, row, timestamp_));
  }
  return {};
}

void SyncedTable::NoteRecentChanges() {
  if (recent_) return;
  recent_.emplace();
  const AccountState& state = staging_.state();
  const SortRange whole = WholeTable(table_.id);
  has_forgotten_ = !state.recent().IsKnownSince(fence_);
  std::string_view rest = state.recent().ChangesBefore(state.recent().end());
  while (!rest.empty()) {
    const RecentChanges::Change change = RecentChanges::TakeLast(rest);
    const std::string_view sort_key = change.sort_key;
    if (change.number <= fence_) return;
    has_forgotten_ |= sort_key == whole.begin;
    if (sort_key >= whole.begin && sort_key < whole.end) {
      recent_->emplace(sort_key, change.number);
    }
  }
}

Result<std::uint64_t> SyncedTable::BaseChangedAt(EntityKeyView key) {
  ENTITABLE_TRY(const NotedRow* whole, FindWhole(key));
  if (whole->note) return whole->note->base_changed_at;
  return ChangedAt(MakeSortKey(table_.id, key));
}

// Of a row without a note.
std::uint64_t SyncedTable::ChangedAt(const std::string& sort_key) {
  if (writes_locally_) {
    const AccountState& state = staging_.state();
    const MemRow* row = state.memtable().Find(sort_key);
    return row != nullptr ? row->number : state.manifest().number;
  }
  NoteRecentChanges();
  const auto found = recent_->find(sort_key);
  if (found != recent_->end()) return found->second;
  return has_forgotten_ ? staging_.state().head() : std::uint64_t{0};
}

Result<std::vector<EntityKey>> SyncedTable::KnownKeys(
    const sync::Scope& scope, const std::optional<EntityKey>& after,
    const std::optional<EntityKey>& last) {
  const auto within = [&](TableId table, const SortRange& all, char kind) {
    SortRange range = all;
    const auto place = [&](const EntityKey& key) {
      const std::string partition_key =
          kind == 0 ? key.partition_key : Kind(kind, key.partition_key);
      return Behind(MakeSortKey(table, {partition_key, key.row_key}));
    };
    if (after) range.begin = std::max(range.begin, place(*after));
    if (last) range.end = std::min(range.end, place(*last));
    return range;
  };
  const SortRange rows =
      scope.partition_key
          ? MakeSortRange(table_.id, {StartOfPartition(*scope.partition_key),
                                      EndOfPartition(*scope.partition_key)})
          : WholeTable(table_.id);
  const SortRange notes =
      scope.partition_key ? RangeOf(table_.sync, kNote, *scope.partition_key)
                          : RangeOf(table_.sync, kNote);
  ENTITABLE_TRY(std::vector<EntityKey> known,
                KeysIn(within(table_.id, rows, 0), SIZE_MAX, KeyOf));
  ENTITABLE_TRY(std::vector<EntityKey> noted,
                KeysIn(within(table_.sync, notes, kNote), SIZE_MAX, NotedKey));
  std::vector<EntityKey> without_base;
  std::vector<EntityKey> deleted_here;
  for (EntityKey& key : noted) {
    ENTITABLE_TRY(const sync::SyncedRow of_key, Find(key.view()));
    const bool has_base = of_key.base().has_value();
    if (of_key.local && !has_base) {
      without_base.push_back(std::move(key));
    } else if (!of_key.local && has_base) {
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

Result<std::vector<EntityKey>> SyncedTable::MarkedKeys(
    const std::optional<EntityKey>& after, std::size_t limit) {
  SortRange range = RangeOf(table_.sync, kNote);
  if (after) {
    range.begin = Behind(MakeSortKey(
        table_.sync, {Kind(kNote, after->partition_key), after->row_key}));
  }
  return KeysIn(range, limit, NotedKey);
}

Result<std::vector<EntityKey>> SyncedTable::RowsAfter(
    const std::optional<EntityKey>& after, std::size_t limit) {
  SortRange range = WholeTable(table_.id);
  if (after) range.begin = Behind(MakeSortKey(table_.id, after->view()));
  return KeysIn(range, limit, KeyOf);
}

// ---------------------------------------------------------------------- schema

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

// -------------------------------------------------------------------- adoption

Result<Adoption> SyncedTable::FindAdoption() {
  if (!adoption_) {
    ENTITABLE_TRY(const auto bytes, FindValue({Kind(kAdoption), {}}));
    Adoption& adoption = adoption_.emplace();
    if (!bytes) return adoption;
    Decoder rest(*bytes);
    adoption.is_complete = rest.TakeU8() == 1;
    if (!rest.at_end()) {
      EntityKey& last = adoption.last.emplace();
      last.partition_key = rest.TakeText();
      last.row_key = rest.TakeText();
    }
    if (rest.failed()) return Damaged();
  }
  return *adoption_;
}

void SyncedTable::PutAdoption(const Adoption& adoption) {
  adoption_ = adoption;
  PutValue({Kind(kAdoption), {}}, EncodeAdoption(adoption));
}

Result<std::optional<std::string>> SyncedTable::FindRemote() {
  return FindValue({Kind(kRemote), {}});
}

void SyncedTable::PutRemote(std::string_view address) {
  PutValue({Kind(kRemote), {}}, address);
}

Result<bool> SyncedTable::IsAdopted(EntityKeyView key) {
  ENTITABLE_TRY(const Adoption adoption, FindAdoption());
  return adoption.is_complete ||
         (adoption.last && key <= adoption.last->view());
}

// ---------------------------------------------------------------------- groups

// A group that was sent is among those of its state, where pushes look first.
Result<std::vector<Group>> SyncedTable::GroupsIn(char kind,
                                                 std::string_view partition_key,
                                                 GroupId after,
                                                 std::size_t limit) {
  SortRange range = RangeOf(table_.sync, kind, partition_key);
  if (after > 0) {
    range.begin = Behind(MakeSortKey(
        table_.sync, {Kind(kind, partition_key), TextOfNumber(after)}));
  }
  ENTITABLE_TRY(const auto found, FindRange(range, limit, Part::kProperties));
  std::vector<Group> groups;
  for (const FoundRow& row : found) {
    ENTITABLE_TRY(const std::string bytes, ValueIn(row.entity));
    ENTITABLE_TRY(Group group, GroupIn(bytes));
    groups.push_back(std::move(group));
  }
  return groups;
}

Result<std::vector<Group>> SyncedTable::GroupsOf(std::string_view partition_key,
                                                 GroupId after,
                                                 std::size_t limit) {
  ENTITABLE_TRY(std::vector<Group> groups,
                GroupsIn(kGroup, partition_key, after, limit));
  ENTITABLE_TRY(std::vector<Group> sent,
                GroupsIn(kSentGroup, partition_key, after, limit));
  std::ranges::move(sent, std::back_inserter(groups));
  HeapSort(groups, sync::IsOlder);
  if (groups.size() > limit) groups.resize(limit);
  return groups;
}

Result<std::vector<Group>> SyncedTable::SentGroups(
    std::string_view partition_key) {
  return GroupsIn(kSentGroup, partition_key, 0, SIZE_MAX);
}

Result<std::optional<Group>> SyncedTable::FindGroup(
    std::string_view partition_key, GroupId id) {
  const std::string number = TextOfNumber(id);
  for (const char kind : {kGroup, kSentGroup}) {
    ENTITABLE_TRY(const auto bytes,
                  FindValue({Kind(kind, partition_key), number}));
    if (!bytes) continue;
    ENTITABLE_TRY(Group group, GroupIn(*bytes));
    return std::optional(std::move(group));
  }
  return std::optional<Group>();
}

void SyncedTable::PutGroup(const Group& group) {
  if (group.row_keys.empty()) return RemoveGroup(group.partition_key, group.id);
  const bool is_sent = group.state == Group::State::kSent;
  const std::string number = TextOfNumber(group.id);
  PutValue({Kind(is_sent ? kSentGroup : kGroup, group.partition_key), number},
           sync::EncodeGroup(group));
  if (group.request == 0 && group.state == Group::State::kOpen) return;
  RemoveValue(
      {Kind(is_sent ? kGroup : kSentGroup, group.partition_key), number});
}

void SyncedTable::RemoveGroup(std::string_view partition_key, GroupId id) {
  const std::string number = TextOfNumber(id);
  for (const char kind : {kGroup, kSentGroup}) {
    RemoveValue({Kind(kind, partition_key), number});
  }
}

Result<std::vector<std::string>> SyncedTable::PartitionsWithGroups() {
  std::map<std::string, std::string> oldest;  // By partition: a number.
  for (const char kind : {kGroup, kSentGroup}) {
    ENTITABLE_TRY(std::vector<EntityKey> keys,
                  KeysIn(RangeOf(table_.sync, kind), SIZE_MAX, NotedKey));
    for (EntityKey& key : keys) {
      std::string& number =
          oldest.try_emplace(std::move(key.partition_key), key.row_key)
              .first->second;
      number = std::min(number, key.row_key);
    }
  }
  std::vector<std::pair<std::string, std::string>> in_order;
  in_order.reserve(oldest.size());
  for (auto& [partition_key, number] : oldest) {
    in_order.emplace_back(std::move(number), partition_key);
  }
  HeapSort(in_order);
  std::vector<std::string> partitions;
  partitions.reserve(in_order.size());
  for (auto& [number, partition_key] : in_order) {
    partitions.push_back(std::move(partition_key));
  }
  return partitions;
}

Result<std::vector<SyncedTable::PlacedGroup>> SyncedTable::AllGroups(
    const std::string& after, std::size_t limit) {
  std::vector<PlacedGroup> groups;
  for (const char kind : {kGroup, kSentGroup}) {
    SortRange range = RangeOf(table_.sync, kind);
    if (after >= range.end) continue;
    if (after >= range.begin) range.begin = Behind(after);
    ENTITABLE_TRY(const auto found,
                  FindRange(range, limit - groups.size(), Part::kProperties));
    for (const FoundRow& row : found) {
      ENTITABLE_TRY(const std::string bytes, ValueIn(row.entity));
      ENTITABLE_TRY(Group group, GroupIn(bytes));
      groups.push_back({row.sort_key, std::move(group)});
    }
  }
  return groups;
}

// ----------------------------------------------------- positions and conflicts

namespace {

EntityKey PositionKey(const sync::Scope& scope) {
  if (!scope.partition_key) return {Kind(kWholePosition), {}};
  return {Kind(kPosition), *scope.partition_key};
}

}  // namespace

Result<sync::PullState> SyncedTable::FindPull(const sync::Scope& scope) {
  ENTITABLE_TRY(const auto bytes, FindValue(PositionKey(scope).view()));
  if (!bytes) return sync::PullState();
  const auto state = sync::DecodePull(*bytes);
  if (!state) return Damaged();
  return *state;
}

void SyncedTable::PutPull(const sync::Scope& scope,
                          const sync::PullState& state) {
  PutValue(PositionKey(scope).view(), sync::EncodePull(state));
}

Result<bool> SyncedTable::HasPulled() {
  for (const char kind : {kPosition, kWholePosition}) {
    ENTITABLE_TRY(const auto found, FindRange(RangeOf(table_.sync, kind),
                                              SIZE_MAX, Part::kProperties));
    for (const FoundRow& row : found) {
      ENTITABLE_TRY(const std::string bytes, ValueIn(row.entity));
      const auto state = sync::DecodePull(bytes);
      if (!state) return Damaged();
      if (state->has_begun()) return true;
    }
  }
  return false;
}

void SyncedTable::AddConflict(const sync::ConflictRecord& conflict) {
  PutValue({Kind(kConflict), TextOfNumber(TakeNumber())},
           sync::EncodeConflict(conflict));
}

Result<std::vector<SyncedTable::StoredConflict>> SyncedTable::ConflictsAfter(
    std::uint64_t id, std::size_t limit) {
  SortRange range = RangeOf(table_.sync, kConflict);
  if (id > 0) {
    range.begin =
        Behind(MakeSortKey(table_.sync, {Kind(kConflict), TextOfNumber(id)}));
  }
  ENTITABLE_TRY(const auto found, FindRange(range, limit, Part::kProperties));
  std::vector<StoredConflict> conflicts;
  for (const FoundRow& row : found) {
    ENTITABLE_TRY(const EntityKey key, KeyOf(row));
    ENTITABLE_TRY(const std::string bytes, ValueIn(row.entity));
    auto record = sync::DecodeConflict(bytes);
    if (!record) return Damaged();
    conflicts.push_back({NumberIn(key.row_key), *std::move(record)});
  }
  return conflicts;
}

void SyncedTable::RemoveConflict(std::uint64_t id) {
  RemoveValue({Kind(kConflict), TextOfNumber(id)});
}

}  // namespace entitable
