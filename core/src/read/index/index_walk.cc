#include "read/index/index_walk.h"

#include <algorithm>
#include <utility>

#include "base/heap_sort.h"
#include "read/query_support.h"
#include "store/lookup.h"

namespace entitable {
namespace {

// How many entries are read beyond those that are needed, because a filter may
// leave out some.
constexpr std::size_t kSpare = 16;

// How many rows are asked for at once.
constexpr std::size_t kMaxAhead = 64;

// Whether the terms of the order are terms of the index, one behind another,
// and the terms before them have one value each.
bool HasOrder(const IndexTerms& terms, std::size_t fixed,
              std::span<const OrderTerm> order) {
  for (std::size_t first = 0; first <= fixed; ++first) {
    const auto rest = std::span(terms).subspan(std::min(first, terms.size()));
    const bool is_it =
        rest.size() >= order.size() &&
        std::ranges::equal(rest.first(order.size()), order,
                           [](const IndexTerm& a, const OrderTerm& b) {
                             return a.name == b.name &&
                                    a.descends == b.descends;
                           });
    if (is_it) return true;
  }
  return false;
}

}  // namespace

// Entries with the same values of the terms before the order lie together.  So
// if these terms have one value each, what follows them is sorted by the order
// alone.
std::unique_ptr<IndexWalk> IndexWalk::Through(
    TableId table, std::span<const PlannedIndex> planned,
    std::span<const OrderTerm> order, const IndexWorth& other,
    const NeededNames& needed) {
  IndexWorth best = other;
  bool is_covered = false;
  std::unique_ptr<IndexWalk> walk;
  for (const auto& [index, plan] : planned) {
    const IndexWorth worth = WorthOf(plan);
    const bool covers = Covers(index, needed);
    const bool is_same = walk && worth == best && (is_covered || !covers);
    if (worth < best || is_same) continue;
    // Of items, an entity has several entries.
    if (index.has_items() || !HasOrder(index.terms, plan.fixed_terms, order))
      continue;
    best = worth;
    is_covered = covers;
    walk = std::make_unique<IndexWalk>(table, index.id,
                                       EntriesOf(index.id, plan), covers);
  }
  return walk;
}

// Entries are read ahead, some more than are wanted, and then their rows are
// looked up one after another.  Pages of entries are released in between, so a
// walk holds either kind.
Poll<IndexWalk::Found> IndexWalk::Next(const QueryContext& context,
                                       const std::vector<SortRange>& ranges,
                                       std::size_t wanted, PageWindow& window) {
  const AccountState& state = context.state;
  const std::vector<std::string>& keys = entries_.keys();
  for (;;) {
    if (is_reading_ || next_ == keys.size()) {
      if (next_ == kMaxIndexRows) return Found::kTooMany;
      const std::size_t most = std::min(
          next_ + std::min(wanted, kMaxIndexRows) + kSpare, kMaxIndexRows);
      is_reading_ = true;
      ENTITABLE_TRY(const bool has_more,
                    entries_.Read(state, window, most, context.work));
      if (!has_more && next_ == keys.size()) return Found::kEnd;
      is_reading_ = false;
      // Rows may be in any pages, so those of the entries must not be held.
      entries_.Interrupt();
      window.ReleaseAll();
    }
    bool is_there = false;
    if (!Contain(ranges, keys[next_])) {
      context.work.SpendParts(kPartsPerKeyOrder);
    } else if (entries_.has_copies()) {
      copy_ = entries_.copies()[next_];
      place_ = {.in_memory = &copy_};
      is_there = true;
    } else {
      ENTITABLE_TRY(is_there,
                    FindFirst(
                        keys[next_], std::min(keys.size() - next_, kMaxAhead),
                        [&](std::size_t i) -> const std::string& {
                          return keys[next_ + i];
                        },
                        context, window, place_));
    }
    ++next_;
    if (is_there) return Found::kRow;
    if (context.work.is_spent()) return Pending::kSlice;
  }
}

std::vector<CoveredRow> IndexWalk::TakeRows() {
  std::vector<CoveredRow> rows;
  if (!entries_.has_copies()) return rows;
  for (std::size_t i = 0; i < next_; ++i) {
    rows.push_back(
        {std::move(entries_.keys()[i]), std::move(entries_.copies()[i])});
  }
  HeapSort(rows);
  return rows;
}

}  // namespace entitable
