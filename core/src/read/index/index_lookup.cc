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

}  // namespace

void IndexLookup::Begin(std::vector<SortRange> ranges) {
  ranges_ = std::move(ranges);
  worth_ = {};
  entries_.reset();
  most_.reset();
  is_used_ = false;
  reading_.End();
}

std::vector<PlannedIndex> IndexLookup::Choose(
    const AccountState& state, const Table& table, const Filter& filter,
    const std::vector<KeyRange>& ranges) {
  const bool may_help = ClassifyAccess(ranges) >= AccessPath::kPartitionScan &&
                        reading_.may_begin();
  if (table.indexes.empty() || !may_help) return {};
  std::vector<PlannedIndex> planned;
  planned.reserve(table.indexes.size());
  TableId chosen = kNoTable;
  for (const TableIndex& index : table.indexes) {
    if (!index.has_values()) continue;
    planned.push_back({index, PlanIndex(filter, index.terms)});
    const IndexPlan& plan = planned.back().plan;
    const IndexWorth worth = WorthOf(plan);
    if (worth <= worth_) continue;
    worth_ = worth;
    chosen = index.id;
    name_ = TextOfIndex(index.terms);
    entries_.emplace(table.id, EntriesOf(index.id, plan));
  }
  if (!planned.empty()) reading_.Begin(state, table.id);
  if (entries_) reading_.Use(chosen);
  return planned;
}

Poll<std::vector<SortRange>> IndexLookup::Find(const QueryContext& context,
                                               PageWindow& window) {
  if (entries_) {
    ENTITABLE_TRY(is_used_, ReadEntries(context, window));
    window.ReleaseAll();
  }
  if (!is_used_) reading_.End();
  std::vector<SortRange> found = is_used_ ? RangesOfRows() : std::move(ranges_);
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
  if (*most_ <= kFewRows) return false;
  return ReadUpTo(*most_, context, window);
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

void IndexLookup::Interrupt() {
  if (entries_) entries_->Interrupt();
}

}  // namespace entitable
