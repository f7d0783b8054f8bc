// lookup.h - one row, wherever its newest state stands.

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
  kUnknown,  // Pages lack, and the window knows which.
};

// As far as the pages say.  Says, if it is there, where.
Presence FindInPages(const Manifest& manifest, std::string_view sort_key,
                     PageWindow& window, EntityPlace& place);

// As the log says, or else the pages.
Presence FindRow(const AccountState& state, std::string_view sort_key,
                 PageWindow& window, EntityPlace& place);

}  // namespace entitable

#endif  // ENTITABLE_STORE_LOOKUP_H_
