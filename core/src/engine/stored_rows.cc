#include "engine/stored_rows.h"

#include <utility>

#include "store/lookup.h"

namespace entitable {

Result<const Entity*> StoredRows::Find(const AccountState& state,
                                       std::string_view sort_key) {
  // The log is newer than whatever was found in pages.
  if (const MemRow* row = state.memtable().Find(sort_key)) {
    return row->entity ? &*row->entity : nullptr;
  }
  auto known = rows_.find(sort_key);
  if (known == rows_.end()) {
    known = rows_.emplace(sort_key, Look(state, sort_key)).first;
    if (!known->second) ++lacking_;
  }
  const std::optional<Found>& found = known->second;
  if (!found) return nullptr;
  if (!*found) return found->error();
  const std::optional<Entity>& entity = **found;
  return entity ? &*entity : nullptr;
}

bool StoredRows::Resolve(const AccountState& state) {
  window_.Mark();
  for (auto& [sort_key, found] : rows_) {
    if (found) continue;
    found = Look(state, sort_key);
    if (found) --lacking_;
  }
  window_.ReleaseUnmarked();
  return lacking_ == 0;
}

void StoredRows::Clear() {
  rows_.clear();
  lacking_ = 0;
}

std::optional<StoredRows::Found> StoredRows::Look(const AccountState& state,
                                                  std::string_view sort_key) {
  window_.ForgetDamage();
  Entity entity;
  switch (FindRow(state, sort_key, window_, entity)) {
    case Presence::kThere:
      return Found(std::move(entity));
    case Presence::kNotThere:
      return Found(std::nullopt);
    case Presence::kUnknown:
      break;
  }
  if (window_.damage()) return Found(*window_.damage());
  return std::nullopt;
}

}  // namespace entitable
