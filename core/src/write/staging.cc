#include "write/staging.h"

#include <algorithm>
#include <cstdint>
#include <deque>
#include <functional>
#include <map>
#include <utility>
#include <variant>

#include "base/visit.h"
#include "store/range_set.h"
#include "store/sort_key.h"

namespace entitable {
namespace {

// The bytes of the change of a row besides its texts, rounded up.
constexpr std::size_t kRowOverhead = 48;

// The first byte of sort keys in the catalogue, and of no others.
constexpr char kCatalogueMark = '\0';

// Appends the sort key of the row that changes.
struct SortKeyAppender {
  std::string& out;

  void operator()(const TableCreated& change) const { OfTable(change.name); }
  void operator()(const TableDropped& change) const { OfTable(change.name); }
  void operator()(const PutInRecord& change) const {
    AppendSortKey(change.table, change.key, out);
  }
  void operator()(const DeletionInRecord& change) const {
    AppendSortKey(change.table, change.key, out);
  }
  // It does not change a single row.
  void operator()(const RangeLoaded& /*change*/) const {}

 private:
  void OfTable(std::string_view name) const {
    AppendSortKey(kCatalogue, TableRowEntityKey(name).view(), out);
  }
};

}  // namespace

Staging::Staging(const AccountState& state, StoredRows& stored)
    : state_(state),
      stored_(stored),
      next_table_(state.next_table()),
      last_timestamp_(state.last_timestamp()),
      ended_next_table_(next_table_) {}

Poll<const Table*> Staging::FindTable(std::string_view name) const {
  if (IsHiddenTable(name)) return nullptr;
  NoteVisible();
  auto& [found_name, table] = stored_.table();
  if (is_table_known_ && found_name == name) return &*table;
  is_table_known_ = false;
  found_name = name;
  table.reset();
  const std::string_view sort_key =
      SortKeyOf(kCatalogue, TableRowEntityKey(name).view());
  if (const auto change = FindStaged(sort_key)) {
    if (const auto* created = std::get_if<TableCreated>(&*change)) {
      table = {created->table, created->name};
    } else if (const auto* put = std::get_if<PutInRecord>(&*change)) {
      table = ReadTableRow(put->entity);
    }
  } else {
    ENTITABLE_TRY(const auto row, stored_.Find(state_, sort_key,
                                               StoredRows::Part::kProperties));
    if (row) table = ReadTableRow(*row);
    if (row && !table) return Fail(ErrorCode::kStorageDamaged);
  }
  is_table_known_ = table.has_value();
  return table ? &*table : nullptr;
}

Poll<std::optional<EntityView>> Staging::FindEntity(
    TableId table, EntityKeyView key, StoredRows::Part part) const {
  NoteVisible();
  const std::string_view sort_key = SortKeyOf(table, key);
  if (const auto change = FindStaged(sort_key)) {
    const auto* put = std::get_if<PutInRecord>(&*change);
    return put == nullptr ? std::nullopt : std::optional(put->entity);
  }
  return stored_.Find(state_, sort_key, part);
}

// Valid until the next call.
std::string_view Staging::SortKeyOf(TableId table, EntityKeyView key) const {
  std::string& sort_key = stored_.sort_key();
  sort_key.clear();
  AppendSortKey(table, key, sort_key);
  return sort_key;
}

std::optional<ChangeInRecord> Staging::FindStaged(
    std::string_view sort_key) const {
  const std::size_t row = rows_.Find(sort_key);
  if (row == KeyTable::kNone) return std::nullopt;
  return StagedRow(row);
}

ChangeInRecord Staging::StagedRow(std::size_t row) const {
  Decoder bytes(BytesView(record_).substr(newest_[row]));
  return ReadCheckedChange(bytes);
}

Poll<FoundRange> Staging::FindRange(const SortRange& range,
                                    const RangeLimit& limit,
                                    StoredRows::Part part) const {
  NoteVisible();
  std::map<std::string, const PutInRecord*, std::less<>> staged;
  std::deque<PutInRecord> puts;
  for (std::size_t row = 0; row < rows_.size(); ++row) {
    const std::string_view key = rows_[row];
    if (key < range.begin || key >= range.end) continue;
    const ChangeInRecord change = StagedRow(row);
    const auto* put = std::get_if<PutInRecord>(&change);
    staged[std::string(key)] = put ? &puts.emplace_back(*put) : nullptr;
  }
  // Each staged row may be a deletion of one that is stored, so as many more
  // stored rows are asked for.
  const std::size_t most = limit.rows > SIZE_MAX - staged.size()
                               ? SIZE_MAX
                               : limit.rows + staged.size();
  ENTITABLE_TRY(FoundRange found,
                stored_.FindRange(state_, range, {most, limit.bytes}, part));
  FoundRange result{{}, found.is_whole};
  std::vector<FoundRow>& all = result.rows;
  auto next = staged.begin();
  const auto take_staged = [&] {
    const auto& [key, put] = *next++;
    if (put == nullptr) return;
    all.push_back({key, {put->entity.timestamp, {}}});
    if (part == StoredRows::Part::kTimestamp) return;
    all.back().entity.properties =
        *PropertyList::FromBytes(put->entity.properties);
  };
  for (FoundRow& row : found.rows) {
    while (next != staged.end() && next->first < row.sort_key) take_staged();
    const bool is_staged = next != staged.end() && next->first == row.sort_key;
    if (is_staged) {
      take_staged();
    } else {
      all.push_back(std::move(row));
    }
  }
  // Behind the last stored row that is known, there may be others.
  while (found.is_whole && next != staged.end()) take_staged();
  if (all.size() > limit.rows) {
    all.resize(limit.rows);
    result.is_whole = false;
  }
  return result;
}

// A change in the catalogue may have made a table another one.
bool Staging::HaveChanged(std::string_view ranges) const {
  if (ranges.empty() || is_empty()) return false;
  NoteVisible();
  const RangeSet set(ranges);
  for (std::size_t row = 0; row < rows_.size(); ++row) {
    const std::string_view key = rows_[row];
    if (key.starts_with(kCatalogueMark) || set.Has(key)) return true;
  }
  return false;
}

// Each change is decoded once, at the first search after it.  The newest change
// of a row wins.  A change in the catalogue also ends what is known of the last
// table.
void Staging::NoteVisible() const {
  const BytesView record = BytesView(record_).substr(0, visible_);
  std::string& sort_key = stored_.sort_key();
  while (noted_ < record.size()) {
    Decoder rest(record.substr(noted_));
    const ChangeInRecord change = ReadCheckedChange(rest);
    sort_key.clear();
    Visit(SortKeyAppender{sort_key}, change);
    if (sort_key.starts_with(kCatalogueMark)) is_table_known_ = false;
    const std::size_t row = rows_.FindOrAdd(sort_key);
    if (row == newest_.size()) newest_.emplace_back();
    newest_[row] = noted_;
    noted_ = record.size() - rest.rest().size();
  }
}

Result<DateTime> Staging::NextTimestamp(DateTime now) const {
  if (last_timestamp_ >= kMaxDateTime) return Fail(ErrorCode::kStorageDamaged);
  return std::max(now, DateTime{last_timestamp_.ticks + 1});
}

// The head is written last, first behind the changes.  The first change gets
// the room that it needs; with more changes, the room doubles.
void Staging::Begin(std::size_t bytes) {
  if (!record_.empty()) return;
  record_.reserve(kRecordOverhead + bytes + kRecordHeadBytes);
  record_.resize(kRecordHeadBytes);
  ended_ = visible_ = kRecordHeadBytes;
}

void Staging::Put(TableId table, EntityKeyView key, const EntityView& entity,
                  Origin origin) {
  Begin(key.partition_key.size() + key.row_key.size() +
        entity.properties.size() + kRowOverhead);
  AppendPut(table, key, entity, origin, record_);
  ++changes_;
}

void Staging::Delete(TableId table, EntityKeyView key, Origin origin) {
  Begin(key.partition_key.size() + key.row_key.size() + kRowOverhead);
  AppendDeletion(table, key, origin, record_);
  ++changes_;
}

// The first request may be longer than a record usually is, because it could
// never be stored otherwise.  All others then wait for the next group.
void Staging::End(DateTime timestamp) {
  const bool is_first = ended_ <= kRecordHeadBytes;
  is_full_ |= !is_first && record_.size() > kMaxRecordBytes;
  if (is_full_) return Undo();
  last_timestamp_ = std::max(last_timestamp_, timestamp);
  ended_ = visible_ = record_.size();
  ended_changes_ = changes_;
  ended_next_table_ = next_table_;
}

// If a search may have noted changes that are cut off now, the table of rows is
// made again from the beginning of the record.
void Staging::Undo() {
  record_.resize(ended_);
  changes_ = ended_changes_;
  next_table_ = ended_next_table_;
  if (visible_ == ended_) return;
  rows_.Clear();
  newest_.clear();
  is_table_known_ = false;
  noted_ = kRecordHeadBytes;
  visible_ = ended_;
}

void Staging::Stage(const std::vector<Change>& changes, DateTime timestamp) {
  for (const Change& change : changes) Add(change);
  End(timestamp);
}

void Staging::Add(const Change& change) {
  Begin(MaxEncodedSize(change));
  AppendChange(change, record_);
  ++changes_;
  if (const auto* created = std::get_if<TableCreated>(&change)) {
    next_table_ = created->table + 1;
  }
}

}  // namespace entitable
