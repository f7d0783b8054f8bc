#include "read/index/index_lookup.h"

#include <algorithm>
#include <string>
#include <utility>

#include "base/heap_sort.h"
#include "query/index_plan.h"
#include "read/query_support.h"
#include "store/lookup.h"

namespace entitable {
namespace {

// Bounds are keys, so what a range covers shows by comparing them with those of
// its partition.
AccessPath Classify(const KeyRange& range) {
  if (!range.upper) {
    return range.lower ? AccessPath::kPartitionRange : AccessPath::kTableScan;
  }
  // The first entity of a table can only be in partition "".
  const KeyBound lower = range.lower.value_or(StartOfPartition({}));
  const KeyBound& upper = *range.upper;
  if (lower.key == upper.key) return AccessPath::kPoint;

  const std::string& partition = lower.key.partition_key;
  const KeyBound end = EndOfPartition(partition);
  if (upper > end) return AccessPath::kPartitionRange;
  const bool is_whole = upper == end && lower == StartOfPartition(partition);
  return is_whole ? AccessPath::kPartitionScan : AccessPath::kRowRange;
}

}  // namespace

AccessPath ClassifyAccess(const std::vector<KeyRange>& ranges) {
  AccessPath costliest = AccessPath::kNothing;
  for (const KeyRange& range : ranges) {
    costliest = std::max(costliest, Classify(range));
  }
  return costliest;
}

std::string_view AccessPathName(AccessPath path) {
  switch (path) {
    case AccessPath::kNothing:
      return "nothing";
    case AccessPath::kPoint:
      return "point";
    case AccessPath::kRowRange:
      return "row range";
    case AccessPath::kPartitionScan:
      return "partition scan";
    case AccessPath::kPartitionRange:
      return "partition range";
    case AccessPath::kTableScan:
      return "table scan";
  }
  return {};
}

// ---------------------------------------------------------------- index lookup

namespace {

// So few rows are looked up, whatever a scan costs.
constexpr std::size_t kFewRows = 16;

// Rows that a covering index has cost as much as one that is looked up: their
// entries lie together, and are read anyway.
constexpr std::size_t kCoveredRowsPerLookup = 5;

}  // namespace

void IndexLookup::Begin(std::vector<SortRange> ranges) {
  ranges_ = std::move(ranges);
  worth_ = {};
  entries_.reset();
  most_.reset();
  is_used_ = is_covered_ = false;
  rows_.clear();
  reading_.End();
}

std::vector<PlannedIndex> IndexLookup::Choose(
    const AccountState& state, const Table& table, const Filter& filter,
    const std::vector<KeyRange>& ranges, const NeededNames* needed) {
  const bool may_help = ClassifyAccess(ranges) >= AccessPath::kPartitionScan &&
                        reading_.may_begin();
  if (table.indexes.empty() || !may_help) return {};
  std::vector<PlannedIndex> planned;
  planned.reserve(table.indexes.size());
  const TableIndex* chosen = nullptr;
  bool is_covered = false;
  for (const TableIndex& index : table.indexes) {
    if (!index.has_values()) continue;
    planned.push_back({index, PlanIndex(filter, index.terms)});
    const IndexPlan& plan = planned.back().plan;
    const IndexWorth worth = WorthOf(plan);
    const bool covers = needed != nullptr && Covers(index, *needed);
    const bool is_better =
        worth > worth_ ||
        (worth == worth_ && chosen != nullptr && covers && !is_covered);
    if (!is_better) continue;
    worth_ = worth;
    chosen = &index;
    is_covered = covers;
    entries_.emplace(table.id, EntriesOf(index.id, plan), covers);
  }
  if (!planned.empty()) reading_.Begin(state, table.id);
  if (chosen != nullptr) {
    reading_.Use(chosen->id);
    chosen_ = *chosen;
  }
  return planned;
}

Poll<std::vector<SortRange>> IndexLookup::Find(const QueryContext& context,
                                               PageWindow& window) {
  if (entries_) {
    ENTITABLE_TRY(is_used_, ReadEntries(context, window));
    window.ReleaseAll();
  }
  if (!is_used_) reading_.End();
  is_covered_ = is_used_ && entries_->has_copies();
  if (is_covered_) KeepRows();
  std::vector<SortRange> found = is_covered_ ? std::vector<SortRange>()
                                 : is_used_  ? RangesOfRows()
                                             : std::move(ranges_);
  entries_.reset();
  return found;
}

// Reads all entries, and returns true.  Returns false if there are too many for
// lookups.
Poll<bool> IndexLookup::ReadEntries(const QueryContext& context,
                                    PageWindow& window) {
  ENTITABLE_TRY(const bool are_few, ReadUpTo(kFewRows, context, window));
  if (are_few) return true;
  if (!most_) {
    most_ = LookupsThatCostAScan(context.state, ranges_, kMaxIndexRows, window,
                                 context.work);
  }
  if (!most_) return Pending::kPages;
  const std::size_t most =
      entries_->has_copies()
          ? std::min(kMaxIndexRows, *most_ * kCoveredRowsPerLookup)
          : *most_;
  if (most <= kFewRows) return false;
  ENTITABLE_TRY(const bool are_all, ReadUpTo(most, context, window));
  return are_all &&
         (entries_->has_copies() || entries_->keys().size() <= *most_);
}

// Returns whether there are no more entries.
Poll<bool> IndexLookup::ReadUpTo(std::size_t most, const QueryContext& context,
                                 PageWindow& window) {
  ENTITABLE_TRY(const bool has_more,
                entries_->Read(context.state, window, most + 1, context.work));
  return !has_more && entries_->keys().size() <= most;
}

// Entries come in the order of the index, but a scan needs that of the keys.
// The ranges of the request still count: entries do not know them.
std::vector<SortRange> IndexLookup::RangesOfRows() {
  std::vector<std::string>& keys = entries_->keys();
  HeapSort(keys);
  std::vector<SortRange> rows;
  for (std::string& key : keys) {
    const bool is_new = rows.empty() || rows.back().begin != key;
    if (!is_new || !Contain(ranges_, key)) continue;
    std::string end = key + '\0';
    rows.push_back({std::move(key), std::move(end)});
  }
  return rows;
}

// Such an index has one entry for each row.
void IndexLookup::KeepRows() {
  std::vector<std::string>& keys = entries_->keys();
  for (std::size_t i = 0; i < keys.size(); ++i) {
    if (!Contain(ranges_, keys[i])) continue;
    rows_.push_back({std::move(keys[i]), std::move(entries_->copies()[i])});
  }
  HeapSort(rows_);
}

void IndexLookup::Interrupt() {
  if (entries_) entries_->Interrupt();
}

}  // namespace entitable
