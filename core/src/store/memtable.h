// memtable.h - entities in memory, in key order.

#ifndef ENTITABLE_STORE_MEMTABLE_H_
#define ENTITABLE_STORE_MEMTABLE_H_

#include <map>

#include "model/entity.h"
#include "model/entity_key.h"
#include "model/key_range.h"
#include "store/change.h"

namespace entitable {

// Lets a map with owned keys be searched by a view of one.
struct EntityKeyLess {
  using is_transparent = void;

  bool operator()(const EntityKey& a, const EntityKey& b) const {
    return a.view() < b.view();
  }
  bool operator()(const EntityKey& a, EntityKeyView b) const {
    return a.view() < b;
  }
  bool operator()(EntityKeyView a, const EntityKey& b) const {
    return a < b.view();
  }
};

class Memtable {
 public:
  using Entities = std::map<EntityKey, Entity, EntityKeyLess>;

  // A run of entities in one table.
  struct Run {
    Entities::const_iterator begin;
    Entities::const_iterator end;
  };

  // Null when there is none.
  const Entity* Find(TableId table, EntityKeyView key) const;

  void Put(TableId table, EntityKey key, Entity entity);
  void Erase(TableId table, EntityKeyView key);
  void EraseTable(TableId table);

  // The entities within the range, valid until the next change.
  Run Range(TableId table, const KeyRange& range) const;

 private:
  std::map<TableId, Entities> tables_;
};

}  // namespace entitable

#endif  // ENTITABLE_STORE_MEMTABLE_H_
