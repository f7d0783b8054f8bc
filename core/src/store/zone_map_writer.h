// zone_map_writer.h - the zones of the columns of a page.

#ifndef ENTITABLE_STORE_ZONE_MAP_WRITER_H_
#define ENTITABLE_STORE_ZONE_MAP_WRITER_H_

#include <cstddef>
#include <span>

#include "model/column.h"
#include "model/entity.h"

namespace entitable {

// A directory page should have room for many pages.
inline constexpr std::size_t kMaxZoneMapColumns = 16;
inline constexpr std::size_t kMaxZoneMapBytes = 512;

// A text is cut where the character ends that its so many bytes end in.
inline constexpr std::size_t kZoneMapTextBytes = 8;

// Those of the first columns, as far as there is room; see model/zone.h.
PropertyList ZoneMapOf(std::span<const Column> columns);

}  // namespace entitable

#endif  // ENTITABLE_STORE_ZONE_MAP_WRITER_H_
