// lookup.h - finds entities by their keys, and what that costs.

#ifndef ENTITABLE_STORE_LOOKUP_H_
#define ENTITABLE_STORE_LOOKUP_H_

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "base/work_budget.h"
#include "model/column_source.h"
#include "model/entity.h"
#include "model/row_filter.h"
#include "store/account_state.h"
#include "store/directory_page.h"
#include "store/leaf_page.h"
#include "store/page_cache.h"
#include "store/sort_key.h"

namespace entitable {

// Where the newest state of an entity is stored.

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

// ---------------------------------------------------------------- keyed entity

// An entity with its sort key, as a filter sees it.

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

// ---------------------------------------------------------------------- lookup

enum class Presence : std::uint8_t {
  kThere,
  kNotThere,
  kUnknown,  // Pages are missing; the window knows which.
};

// Looks only in pages.  Sets `place` if the row is there.
Presence FindInPages(const Manifest& manifest, std::string_view sort_key,
                     PageWindow& window, EntityPlace& place);

// Looks in the memtable, then in pages.
Presence FindRow(const AccountState& state, std::string_view sort_key,
                 PageWindow& window, EntityPlace& place);

// ------------------------------------------------------------------- scan cost

// Compares a scan with lookups of single rows.

// About how many lookups cost as much as a scan of the ranges, but at most
// `most`.  Nothing: a directory page is missing, and the window has asked for
// it.
std::optional<std::size_t> LookupsThatCostAScan(
    const AccountState& state, const std::vector<SortRange>& ranges,
    std::size_t most, PageWindow& window, WorkBudget& work);

}  // namespace entitable

#endif  // ENTITABLE_STORE_LOOKUP_H_
