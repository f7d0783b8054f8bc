#include "store/lookup.h"

#include <vector>

#include "base/key_table.h"

namespace entitable {

std::size_t KeyedEntity::FindAll(const KeyTable& names,
                                 std::span<std::optional<Value>> values) const {
  const bool wants_key = names.Find("PartitionKey") != KeyTable::kNone ||
                         names.Find("RowKey") != KeyTable::kNone;
  if (wants_key && !place_) place_ = ParseSortKey(sort_key_);
  return EntityRow(place_ ? place_->key.view() : EntityKeyView(), entity_)
      .FindAll(names, values);
}

// ---------------------------------------------------------------------- lookup

namespace {

enum class Trace : std::uint8_t { kNone, kPut, kDeleted, kUnknown };

Trace FindInRun(const Run& run, std::string_view sort_key, PageWindow& window,
                EntityPlace& place) {
  if (!run.MayHold(sort_key)) return Trace::kNone;
  const auto above = FindPageEntry(run.directories, sort_key);
  const DirectoryPage* directory = window.Directory(run.directories[above]);
  if (directory == nullptr) return Trace::kUnknown;
  const std::vector<PageEntry>& leaves = directory->leaves;
  const PageEntry& entry = leaves[FindPageEntry(leaves, sort_key)];
  const LeafPage* leaf = window.Leaf(entry);
  if (leaf == nullptr) return Trace::kUnknown;
  const auto row = leaf->FindRow(sort_key);
  if (!row) return Trace::kNone;
  if (leaf->is_tombstone(*row)) return Trace::kDeleted;
  place = {.leaf = leaf, .page = entry.page, .row = *row};
  return Trace::kPut;
}

}  // namespace

// If pages of a newer run are missing, the search continues in the older runs.
// The pages of all runs are then fetched together instead of one after another.
Presence FindInPages(const Manifest& manifest, std::string_view sort_key,
                     PageWindow& window, EntityPlace& place) {
  bool is_known = true;
  for (const Run& run : manifest.runs) {
    switch (FindInRun(run, sort_key, window, place)) {
      case Trace::kNone:
        break;
      case Trace::kUnknown:
        is_known = false;
        break;
      case Trace::kPut:
        return is_known ? Presence::kThere : Presence::kUnknown;
      case Trace::kDeleted:
        return is_known ? Presence::kNotThere : Presence::kUnknown;
    }
  }
  return is_known ? Presence::kNotThere : Presence::kUnknown;
}

Presence FindRow(const AccountState& state, std::string_view sort_key,
                 PageWindow& window, EntityPlace& place) {
  if (const MemRow* row = state.memtable().Find(sort_key)) {
    if (!row->entity) return Presence::kNotThere;
    place = {.in_memory = &*row->entity};
    return Presence::kThere;
  }
  return FindInPages(state.manifest(), sort_key, window, place);
}

}  // namespace entitable
