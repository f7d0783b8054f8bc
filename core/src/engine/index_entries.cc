#include "engine/index_entries.h"

#include <algorithm>
#include <optional>
#include <utility>

#include "model/every_row.h"
#include "model/index_entry.h"
#include "store/scan.h"

namespace entitable {
namespace {

// Behind all keys that begin with the bytes before it.
constexpr char kBehind = '\xFF';

}  // namespace

IndexWorth WorthOf(const IndexPlan& plan) {
  return {plan.equal_terms, plan.has_range};
}

std::vector<SortRange> EntriesOf(TableId index, const IndexPlan& plan) {
  const std::string table = WholeTable(index).begin;
  std::vector<SortRange> ranges;
  ranges.reserve(plan.ranges.size());
  for (const auto& [first, last] : plan.ranges) {
    ranges.push_back({table + first, table + last + kBehind});
  }
  return ranges;
}

bool HasIndex(const Table& table, TableId index) {
  return std::ranges::find(table.indexes, index, &TableIndex::id) !=
         table.indexes.end();
}

bool Contain(const std::vector<SortRange>& ranges, std::string_view key) {
  const auto next =
      std::ranges::upper_bound(ranges, key, {}, &SortRange::begin);
  return next != ranges.begin() && key < std::prev(next)->end;
}

struct IndexEntries::Progress {
  Progress(std::uint64_t of, const std::vector<SortRange>& ranges)
      : version(of), scan(ranges, every_row, tally) {}

  std::uint64_t version;
  EveryRow every_row;
  ScanTally tally;
  Scan scan;
};

IndexEntries::IndexEntries(TableId table, std::vector<SortRange> ranges)
    : table_(table), ranges_(std::move(ranges)) {}
IndexEntries::~IndexEntries() = default;

void IndexEntries::Begin(const AccountState& state) {
  progress_ = std::make_unique<Progress>(state.version(), ranges_);
  keys_.clear();
}

bool IndexEntries::IsIn(const AccountState& state) const {
  return progress_ && progress_->version == state.version();
}

IndexEntries::Reading IndexEntries::Read(const AccountState& state,
                                         PageWindow& window, std::size_t most,
                                         WorkBudget& work) {
  WorkBudget unlimited;
  unlimited.Refill(WorkLimits::kSliceUnits.most);
  Reading reading = Reading::kMore;
  while (keys_.size() < most && reading == Reading::kMore) {
    switch (progress_->scan.Next(state, window, unlimited)) {
      case Scan::Step::kRow: {
        const auto entry = ParseSortKey(progress_->scan.key());
        const auto key = entry ? IndexedKey(entry->key.view()) : std::nullopt;
        if (!key) return Reading::kDamaged;
        keys_.push_back(MakeSortKey(table_, *key));
        break;
      }
      case Scan::Step::kEnd:
        reading = Reading::kEnd;
        break;
      case Scan::Step::kWaiting:
        reading = Reading::kWaiting;
        break;
      case Scan::Step::kPaused:
        break;
    }
  }
  work.Spend(unlimited.spent());
  return reading;
}

void IndexEntries::Interrupt() {
  if (progress_) progress_->scan.Interrupt();
}

}  // namespace entitable
