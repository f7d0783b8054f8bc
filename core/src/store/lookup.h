// lookup.h - finds the newest state of one row.

#ifndef ENTITABLE_STORE_LOOKUP_H_
#define ENTITABLE_STORE_LOOKUP_H_

#include <cstdint>
#include <optional>
#include <string_view>

#include "store/account_state.h"
#include "store/entity_place.h"
#include "store/page_cache.h"

namespace entitable {

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

}  // namespace entitable

#endif  // ENTITABLE_STORE_LOOKUP_H_
