#include "verify/index_verifier.h"

#include <algorithm>
#include <utility>

#include "base/heap_sort.h"
#include "base/json_writer.h"
#include "model/index_entry.h"
#include "store/sort_key.h"

namespace entitable {
namespace {

constexpr std::uint64_t kMuchWork = WorkLimits::kSliceUnits.most;

// How many hashes the first list has that the other one has not.  Both are
// sorted.
std::uint64_t CountWithout(const std::vector<std::uint64_t>& hashes,
                           const std::vector<std::uint64_t>& others) {
  std::uint64_t count = 0;
  auto other = others.begin();
  for (const std::uint64_t hash : hashes) {
    while (other != others.end() && *other < hash) ++other;
    if (other != others.end() && *other == hash) {
      ++other;
    } else {
      ++count;
    }
  }
  return count;
}

}  // namespace

// ------------------------------------------------------------------ the scans

IndexVerifier::IndexVerifier() = default;

void IndexVerifier::Begin(const Snapshot& snapshot) {
  window_.reset();
  store_.Close();
  tables_.clear();
  scan_.reset();
  part_ = Part::kTables;
  const auto opened = store_.Open(snapshot);
  if (!opened || !*opened) return;
  window_.emplace(store_.cache());
  Scan(kCatalogue);
}

void IndexVerifier::Scan(TableId table) {
  scan_.emplace(std::vector<SortRange>{WholeTable(table)}, every_row_, tally_);
}

// Does all work that needs no further page.  Nobody waits in the same thread,
// so the budget is as large as it can be and merely refilled when it is spent.
std::vector<PageId> IndexVerifier::Next(std::vector<Finding>& findings) {
  store_.cache().Trim();
  while (scan_) {
    WorkBudget work;
    work.Refill(kMuchWork);
    switch (scan_->Next(store_.state(), *window_, work)) {
      case Scan::Step::kRow:
        if (part_ == Part::kIndex) {
          AddEntry();
        } else {
          AddRow();
        }
        break;
      case Scan::Step::kWaiting:
        return window_->TakeMissing();
      case Scan::Step::kPaused:
        break;
      case Scan::Step::kEnd:
        window_->ReleaseAll();
        EndScan(findings);
        break;
    }
    // A damaged page has a finding of its own.
    if (window_->damage()) scan_.reset();
  }
  return {};
}

void IndexVerifier::Accept(PageId id, std::optional<Bytes> value) {
  if (value) {
    if (auto page = DecodePage(*std::move(value))) {
      return store_.cache().Insert(id, *std::move(page));
    }
  }
  store_.cache().MarkDamaged(id, Error(ErrorCode::kStorageDamaged));
}

void IndexVerifier::AddRow() {
  const Entity row = scan_->place().Decode();
  if (part_ == Part::kTables) {
    auto table = ReadTableRow(row);
    if (!table) return;
    const Checkpoint& checkpoint = store_.state().checkpoint();
    std::erase_if(table->indexes, [&](const TableIndex& index) {
      return index.build || !checkpoint.IsSound(index.id);
    });
    if (!table->indexes.empty()) tables_.push_back(*std::move(table));
    return;
  }
  const auto place = ParseSortKey(scan_->key());
  if (!place) return;
  const std::vector<TableIndex>& indexes = tables_[at_table_].indexes;
  for (std::size_t i = 0; i < indexes.size(); ++i) {
    const Entity copy = CopyOf(indexes[i].terms, indexes[i].copies, row);
    for (const std::string& entry : IndexEntriesOf(
             indexes[i].terms, place->key.view(), row.properties.bytes())) {
      Add(entry, place->key.row_key, indexes[i].is_covering() ? &copy : nullptr,
          compared_[i].expected);
    }
  }
}

void IndexVerifier::AddEntry() {
  const auto place = ParseSortKey(scan_->key());
  if (!place) return;
  const bool is_covering = tables_[at_table_].indexes[at_index_].is_covering();
  const Entity copy = is_covering ? scan_->place().Decode() : Entity{};
  Add(place->key.partition_key, place->key.row_key,
      is_covering ? &copy : nullptr, compared_[at_index_].stored);
}

// An entry is known by its two keys, and by what it has of the entity.  A sum
// of hashes does not depend on the order in which entries come, and so needs no
// sort.
void IndexVerifier::Add(std::string_view entry, std::string_view row_key,
                        const Entity* copy, Entries& entries) {
  std::string text(entry);
  text.append(1, '\0').append(row_key);
  if (copy != nullptr) {
    AppendU64(static_cast<std::uint64_t>(copy->timestamp.ticks), text);
    text += copy->properties.bytes();
  }
  const std::uint64_t hash = hash_.Of(text);
  ++entries.count;
  entries.sum += hash;
  if (collects_) entries.hashes.push_back(hash);
}

// ----------------------------------------------------------------- the tables

// Goes on with the next scan, if there is one: rows, then each index, then
// perhaps the same again with hashes, then the next table.
void IndexVerifier::EndScan(std::vector<Finding>& findings) {
  scan_.reset();
  if (part_ == Part::kTables) {
    at_table_ = 0;
    return BeginTable();
  }
  const std::vector<TableIndex>& indexes = tables_[at_table_].indexes;
  at_index_ = part_ == Part::kRows ? 0 : at_index_ + 1;
  part_ = Part::kIndex;
  if (at_index_ < indexes.size()) return Scan(indexes[at_index_].id);
  const bool is_sound = std::ranges::all_of(compared_, &Compared::is_equal);
  if (!is_sound && !collects_) {
    collects_ = true;
    return BeginTable();
  }
  if (!is_sound) Report(findings);
  collects_ = false;
  ++at_table_;
  BeginTable();
}

void IndexVerifier::BeginTable() {
  if (at_table_ == tables_.size()) return;
  const Table& table = tables_[at_table_];
  compared_.assign(table.indexes.size(), {});
  part_ = Part::kRows;
  Scan(table.id);
}

void IndexVerifier::Report(std::vector<Finding>& findings) {
  const Table& table = tables_[at_table_];
  for (std::size_t i = 0; i < compared_.size(); ++i) {
    auto& [expected, stored] = compared_[i];
    if (compared_[i].is_equal()) continue;
    HeapSort(expected.hashes);
    HeapSort(stored.hashes);
    const std::uint64_t missing = CountWithout(expected.hashes, stored.hashes);
    const std::uint64_t extra = CountWithout(stored.hashes, expected.hashes);
    std::string message = "The index ";
    message.append(TextOfIndex(table.indexes[i].terms))
        .append(" of the table ")
        .append(table.name)
        .append(" lacks ");
    AppendDecimal(static_cast<std::int64_t>(missing), message);
    message += missing == 1 ? " entry, and has " : " entries, and has ";
    AppendDecimal(static_cast<std::int64_t>(extra), message);
    message += extra == 1 ? " that belongs to no entity."
                          : " that belong to no entity.";
    findings.push_back({.key = ValueKey::Manifest(),
                        .kind = ValueKind::kIndex,
                        .flaw = missing > 0 ? Flaw::kMissing : Flaw::kMisplaced,
                        .message = std::move(message),
                        .is_lossy = false});
  }
}

}  // namespace entitable
