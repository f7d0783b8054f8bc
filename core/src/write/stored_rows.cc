#include "write/stored_rows.h"

#include <algorithm>
#include <iterator>
#include <utility>

#include "base/work_budget.h"
#include "entitable/limits.h"
#include "entitable/result.h"
#include "entitable/steps.h"
#include "store/lookup.h"

namespace entitable {
namespace {

// Room for the rows of most groups stays between groups.
constexpr std::size_t kMaxKeptRows = 128;

}  // namespace

Poll<std::optional<EntityView>> StoredRows::Find(const AccountState& state,
                                                 std::string_view sort_key,
                                                 Part part) {
  // The memtable is newer than all pages.
  if (const MemRow* row = state.memtable().Find(sort_key)) {
    return row->entity;
  }
  // This wait ends without a fetch: Resolve() stops at the limit, and the group
  // begins without this write.
  if (!is_first_ && is_full() && rows_.Find(sort_key) == KeyTable::kNone) {
    return Pending::kPages;
  }
  const std::size_t at = rows_.FindOrAdd(sort_key);
  const bool is_new = at == found_.size();
  if (is_new) found_.emplace_back();
  Row& row = found_[at];
  if (is_new || part > row.part) {
    row.part = part;
    row.found = Pending::kPages;
    if (window_.MakeRoom()) LookUp(state, sort_key, row);
  }
  if (row.found.is_pending()) return Pending::kPages;
  if (!row.found) return *row.found.error().error;
  return std::optional<EntityView>(*row.found);
}

Poll<FoundRange> StoredRows::FindRange(const AccountState& state,
                                       const SortRange& range,
                                       const RangeLimit& limit, Part part) {
  auto search = std::ranges::find_if(ranges_, [&](const RangeSearch& one) {
    return one.IsFor(state, range, limit, part);
  });
  if (search == ranges_.end()) {
    if (!is_first_ && is_full()) return Pending::kPages;
    ForgetOlder(state.version());
    search = ranges_.emplace(ranges_.end(), state, range, limit, part);
  }
  if (!search->is_done) {
    auto done = Continue(state, *search);
    // It has a row without its properties, and would go on behind it.
    if (done.has_failed()) Forget(search);
    if (!done) return HandedUp{done.error()};
    search->is_done = true;
  }
  return search->found;
}

// The rows of a search that is forgotten do not count towards the limit any
// more.
StoredRows::Searches::iterator StoredRows::Forget(Searches::iterator search) {
  found_bytes_ -= search->bytes;
  return ranges_.erase(search);
}

void StoredRows::ForgetOlder(std::uint64_t version) {
  for (auto search = ranges_.begin(); search != ranges_.end();) {
    search = search->version == version ? std::next(search) : Forget(search);
  }
}

// Writes are not sliced, so the budget has no end here.  The pages that the
// scan held are gone since the last call, but its position is a key, so it goes
// on.
Poll<void> StoredRows::Continue(const AccountState& state,
                                RangeSearch& search) {
  WorkBudget unlimited;
  unlimited.Refill(WorkLimits::kSliceUnits.most);
  search.scan.Interrupt();
  auto& [rows, is_whole] = search.found;
  while (rows.size() < search.limit.rows && search.bytes < search.limit.bytes) {
    const Scan::Step step = search.scan.Next(state, window_, unlimited);
    if (auto damage = window_.TakeDamage()) return *std::move(damage);
    if (step == Scan::Step::kWaiting) return Pending::kPages;
    if (step == Scan::Step::kEnd) {
      is_whole = true;
      break;
    }
    if (step == Scan::Step::kPaused) continue;
    const EntityPlace& place = search.scan.place();
    rows.push_back({std::string(search.scan.key()), {}});
    ENTITABLE_TRY(Entity entity, Decode(place, search.part));
    search.bytes += entity.properties.bytes().size();
    rows.back().entity = std::move(entity);
  }
  return {};
}

// Rows come in the order in which they were asked for, so those of the first
// write are found first.
bool StoredRows::Resolve(const AccountState& state) {
  for (std::size_t at = 0; at < found_.size(); ++at) {
    if (at >= required_ && is_full()) break;
    Row& row = found_[at];
    if (!row.found.is_pending()) continue;
    if (!window_.MakeRoom()) return false;
    LookUp(state, rows_[at], row);
  }
  return !window_.is_waiting();
}

void StoredRows::Clear() {
  rows_.Clear();
  if (found_.size() > kMaxKeptRows) found_ = std::vector<Row>();
  found_.clear();
  ranges_.clear();
  found_bytes_ = required_ = 0;
  window_.ReleaseAll();
}

void StoredRows::LookUp(const AccountState& state, std::string_view sort_key,
                        Row& row) {
  EntityPlace place;
  // Find() searches the memtable, which is newer than all pages.
  switch (FindInPages(state.manifest(), sort_key, window_, place)) {
    case Presence::kThere:
      row.found = Decode(place, row.part);
      return;
    case Presence::kNotThere:
      row.found = std::optional<Entity>();
      return;
    case Presence::kUnknown:
      if (auto damage = window_.TakeDamage()) row.found = *std::move(damage);
      return;
  }
}

Result<Entity> StoredRows::Decode(const EntityPlace& place, Part part) {
  if (part == Part::kTimestamp) return Entity{place.timestamp(), {}};
  // Rows may take far more memory than their page.
  if (!memory_.CanFit(found_bytes_)) return TooLarge();
  if (!memory_.MakeRoom(kStepBytes)) return Fail(ErrorCode::kServerBusy);
  Entity entity = place.Decode();
  found_bytes_ += entity.properties.bytes().size();
  return entity;
}

}  // namespace entitable
