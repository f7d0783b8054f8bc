#include "engine/stored_rows.h"

#include <utility>

#include "store/lookup.h"

namespace entitable {

Result<const Entity*> StoredRows::Find(const AccountState& state,
                                       std::string_view sort_key) {
  // The memtable is newer than all pages.
  if (const MemRow* row = state.memtable().Find(sort_key)) {
    return row->entity ? &*row->entity : nullptr;
  }
  if (!is_first_ && is_full() && rows_.Find(sort_key) == KeyTable::kNone) {
    is_missing_ = true;
    return nullptr;
  }
  const std::size_t row = rows_.FindOrAdd(sort_key);
  if (row == found_.size()) {
    found_.push_back(std::make_unique<std::optional<Found>>());
    if (window_.MakeRoom()) *found_.back() = LookUp(state, sort_key);
  }
  const std::optional<Found>& found = *found_[row];
  if (!found) {
    is_missing_ = true;
    return nullptr;
  }
  if (!*found) return found->error();
  const std::optional<Entity>& entity = **found;
  return entity ? &*entity : nullptr;
}

bool StoredRows::Resolve(const AccountState& state) {
  for (std::size_t row = 0; row < found_.size(); ++row) {
    if (row >= required_ && is_full()) break;
    std::optional<Found>& found = *found_[row];
    if (found) continue;
    if (!window_.MakeRoom()) return false;
    found = LookUp(state, rows_[row]);
  }
  return !window_.is_waiting();
}

void StoredRows::Clear() {
  rows_.Clear();
  found_.clear();
  found_bytes_ = required_ = 0;
  window_.ReleaseAll();
}

std::optional<StoredRows::Found> StoredRows::LookUp(const AccountState& state,
                                                    std::string_view sort_key) {
  window_.ForgetDamage();
  EntityPlace place;
  switch (FindRow(state, sort_key, window_, place)) {
    case Presence::kThere: {
      // Rows may take far more memory than their page.
      if (!memory_.MakeRoom(kStepBytes)) {
        return Found(Error(ErrorCode::kServerBusy));
      }
      Found found(place.Decode());
      found_bytes_ += (*found)->properties.bytes().size();
      return found;
    }
    case Presence::kNotThere:
      return Found(std::nullopt);
    case Presence::kUnknown:
      break;
  }
  if (window_.damage()) return Found(*window_.damage());
  return std::nullopt;
}

}  // namespace entitable
