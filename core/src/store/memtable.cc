#include "store/memtable.h"

#include <utility>

namespace entitable {
namespace {

// The first entity behind the place.
Memtable::Entities::const_iterator Seek(const Memtable::Entities& entities,
                                        const KeyBound& bound) {
  return bound.after ? entities.upper_bound(bound.key.view())
                     : entities.lower_bound(bound.key.view());
}

}  // namespace

const Entity* Memtable::Find(TableId table, EntityKeyView key) const {
  const auto entities = tables_.find(table);
  if (entities == tables_.end()) return nullptr;
  const auto found = entities->second.find(key);
  return found == entities->second.end() ? nullptr : &found->second;
}

void Memtable::Put(TableId table, EntityKey key, Entity entity) {
  tables_[table].insert_or_assign(std::move(key), std::move(entity));
}

void Memtable::Erase(TableId table, EntityKeyView key) {
  const auto entities = tables_.find(table);
  if (entities == tables_.end()) return;
  const auto found = entities->second.find(key);
  if (found != entities->second.end()) entities->second.erase(found);
}

void Memtable::EraseTable(TableId table) { tables_.erase(table); }

Memtable::Run Memtable::Range(TableId table, const KeyRange& range) const {
  static const Entities kNone;
  const auto found = tables_.find(table);
  const Entities& entities = found == tables_.end() ? kNone : found->second;
  return {range.lower ? Seek(entities, *range.lower) : entities.begin(),
          range.upper ? Seek(entities, *range.upper) : entities.end()};
}

}  // namespace entitable
