// entity_place.h - where the newest state of an entity is stored.

#ifndef ENTITABLE_STORE_ENTITY_PLACE_H_
#define ENTITABLE_STORE_ENTITY_PLACE_H_

#include <cstddef>

#include "model/column_source.h"
#include "model/entity.h"
#include "store/directory_page.h"
#include "store/leaf_page.h"

namespace entitable {

// A view.  It is valid as long as the log does not change and the window keeps
// the page.
struct EntityPlace {
  const EntityView* in_memory = nullptr;  // Null: the entity is in the page.
  const LeafPage* leaf = nullptr;
  PageId page = 0;
  std::size_t row = 0;

  Entity Decode() const {
    if (in_memory == nullptr) return leaf->EntityOf(row);
    return {in_memory->timestamp,
            *PropertyList::FromBytes(in_memory->properties)};
  }

  // For an entity in a page.
  PageRow page_row() const {
    PageRow place = leaf->RowAt(row);
    place.page = page;
    return place;
  }

  DateTime timestamp() const {
    return in_memory != nullptr ? in_memory->timestamp : page_row().timestamp();
  }
};

}  // namespace entitable

#endif  // ENTITABLE_STORE_ENTITY_PLACE_H_
