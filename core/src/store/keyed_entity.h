// keyed_entity.h - an entity with its sort key, as a filter sees it.

#ifndef ENTITABLE_STORE_KEYED_ENTITY_H_
#define ENTITABLE_STORE_KEYED_ENTITY_H_

#include <cstddef>
#include <optional>
#include <span>
#include <string_view>

#include "model/entity.h"
#include "model/row_filter.h"
#include "store/sort_key.h"

namespace entitable {

// The key is parsed only on demand.  Both arguments must outlive it.
class KeyedEntity final : public PropertySource {
 public:
  KeyedEntity(std::string_view sort_key, const EntityView& entity)
      : sort_key_(sort_key), entity_(entity) {}

  std::size_t FindAll(const KeyTable& names,
                      std::span<std::optional<Value>> values) const override;

 private:
  std::string_view sort_key_;
  const EntityView& entity_;
  mutable std::optional<TableKey> place_;
};

}  // namespace entitable

#endif  // ENTITABLE_STORE_KEYED_ENTITY_H_
