#include "store/keyed_entity.h"

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

}  // namespace entitable
