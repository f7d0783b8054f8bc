#include "load/load_lookup.h"

#include <algorithm>
#include <utility>

namespace entitable {
namespace {

// 4 MiB, regardless of the number of keys.
constexpr std::uint64_t kBits = std::uint64_t{1} << 25;
constexpr int kBitsPerKey = 6;
constexpr int kBitsPerWord = 64;

// The bits of a key: a fixed number of positions with equal distances.
class BitPositions {
 public:
  explicit BitPositions(std::uint64_t hash)
      : at_(hash), step_((at_ >> 32) | 1) {}

  std::uint64_t Next() { return (at_ += step_) & (kBits - 1); }

 private:
  std::uint64_t at_;
  std::uint64_t step_;
};

// Of the properties of stored rows.  If a step finds more, it stores its first
// rows only, and the rest needs another step.
constexpr std::size_t kMaxFoundBytes = std::size_t{4} << 20;

}  // namespace

// ------------------------------------------------------------- earlier steps

void LoadedKeys::Add(std::uint64_t hash) {
  if (bits_.empty()) bits_.resize(kBits / kBitsPerWord);
  BitPositions positions(hash);
  for (int i = 0; i < kBitsPerKey; ++i) {
    const std::uint64_t position = positions.Next();
    bits_[static_cast<std::size_t>(position / kBitsPerWord)] |=
        std::uint64_t{1} << position % kBitsPerWord;
  }
}

bool LoadedKeys::MayHave(std::uint64_t hash) const {
  if (bits_.empty()) return false;
  BitPositions positions(hash);
  for (int i = 0; i < kBitsPerKey; ++i) {
    const std::uint64_t position = positions.Next();
    const std::uint64_t word =
        bits_[static_cast<std::size_t>(position / kBitsPerWord)];
    if ((word >> position % kBitsPerWord & 1) == 0) return false;
  }
  return true;
}

bool LoadedKeys::HasRun(const Run& run) const {
  return !run.directories.empty() &&
         std::find(runs_.begin(), runs_.end(), run.directories.front().page) !=
             runs_.end();
}

// --------------------------------------------------------------- in the pages

// A manifest with the runs that may contain keys of this step and that earlier
// steps did not write.  There are none if the table is new, or if the keys
// follow all existing keys.
Manifest LoadLookup::OthersAmong(const Manifest& manifest) {
  Manifest others;
  const LoadRows& rows = input_.rows;
  const std::string first = target_.SortKeyOf(rows.KeyOf(*rows.begin()));
  const std::string& last =
      target_.SortKeyOf(rows.KeyOf(rows[rows.size() - 1]));
  for (const Run& run : manifest.runs) {
    const bool is_among =
        !run.directories.empty() && first <= run.end &&
        std::max(run.directories.front().first_key, run.begin) <= last;
    if (is_among && !loaded_->HasRun(run)) others.runs.push_back(run);
  }
  return others;
}

// A flush or a compaction may have moved rows, and another tab may have written
// some.  Rows that only the memtable has do not matter here, since the plan
// looks there.
void LoadLookup::BeginAgainAfterChanges(const AccountState& state) {
  if (manifest_changes_ != state.manifest_changes()) {
    for (LoadRow& row : input_.rows) row.stored = Presence::kUnknown;
    found_.clear();
    found_bytes_ = 0;
    looked_up_ = 0;
    manifest_changes_ = state.manifest_changes();
  }
  // Other indexes allow more rows: those were passed over.
  if (cut_.limit > looked_up_limit_) looked_up_ = 0;
  looked_up_limit_ = cut_.limit;
}

Poll<void> LoadLookup::Continue(const AccountState& state, PageWindow& window,
                                WorkBudget& work) {
  BeginAgainAfterChanges(state);
  LoadRows& rows = input_.rows;
  const Manifest others = OthersAmong(state.manifest());
  const std::size_t first = looked_up_;
  for (std::size_t i = first; i < rows.size(); i = rows.EndOfKey(i)) {
    if (!window.is_waiting()) looked_up_ = i;
    // Each call looks up one row at least: pages that no row has used leave the
    // cache.
    if (i > first && work.is_spent()) {
      return window.is_waiting() ? Pending::kPages : Pending::kSlice;
    }
    work.Spend(1);
    LoadRow& row = rows[i];
    if (row.stored != Presence::kUnknown || row.index >= cut_.limit) continue;
    row.hash = loaded_->HashOf(rows.KeyOf(row));
    if (!input_.NeedsStored(row)) continue;
    const Manifest& where =
        loaded_->MayHave(row.hash) ? state.manifest() : others;
    if (where.runs.empty()) continue;
    const std::string& key = target_.SortKeyOf(rows.KeyOf(row));
    if (state.memtable().Find(key) != nullptr) continue;
    if (!window.MakeRoom()) return Pending::kPages;
    EntityPlace place;
    work.Spend(where.runs.size() * kUnitsPerKeySearch);
    row.stored = FindInPages(where, key, window, place);
    if (auto damage = window.TakeDamage()) return *std::move(damage);
    if (row.stored == Presence::kThere && !input_.is_insert()) {
      Keep(row, place.Decode(), work);
    }
  }
  if (window.is_waiting()) return Pending::kPages;
  return {};
}

void LoadLookup::Keep(LoadRow& row, Entity entity, WorkBudget& work) {
  const std::size_t bytes = entity.properties.bytes().size();
  row.found = static_cast<std::uint32_t>(found_.size());
  found_.push_back(std::move(entity));
  work.Spend(bytes / kEntityBytesPerUnit);
  found_bytes_ += bytes;
  while (found_bytes_ > kMaxFoundBytes && cut_.limit > 1) HalveLimit();
}

// Forgets what was found of the rows behind the limit.  Half as many rows are
// likely to fit, since their order in the input says nothing about their size.
void LoadLookup::HalveLimit() {
  most_rows_ = cut_.limit /= 2;
  std::vector<Entity> found;
  found_bytes_ = 0;
  for (LoadRow& row : input_.rows) {
    if (row.stored != Presence::kThere) continue;
    if (row.index >= cut_.limit) {
      row.stored = Presence::kUnknown;
      continue;
    }
    found_bytes_ += found_[row.found].properties.bytes().size();
    found.push_back(std::move(found_[row.found]));
    row.found = static_cast<std::uint32_t>(found.size() - 1);
  }
  found_ = std::move(found);
}

void LoadLookup::KeepRest() {
  manifest_changes_.reset();
  // The next rows may be shorter.
  if (most_rows_ <= input_.rows.size()) most_rows_ *= 2;
}

}  // namespace entitable
