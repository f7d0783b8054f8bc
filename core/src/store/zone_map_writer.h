// zone_map_writer.h - computes the zone map of a leaf page.

#ifndef ENTITABLE_STORE_ZONE_MAP_WRITER_H_
#define ENTITABLE_STORE_ZONE_MAP_WRITER_H_

#include <cstddef>
#include <span>

#include "model/column.h"
#include "model/entity.h"

namespace entitable {

// Limits that leave room for many leaf pages in one directory page.
inline constexpr std::size_t kMaxZoneMapColumns = 16;
inline constexpr std::size_t kMaxZoneMapBytes = 512;

// Texts are cut at the end of the character that contains this byte.
inline constexpr std::size_t kZoneMapTextBytes = 8;

// The zone map of the first columns that fit; see model/zone_map.h.
PropertyList ZoneMapOf(std::span<const Column> columns);

}  // namespace entitable

#endif  // ENTITABLE_STORE_ZONE_MAP_WRITER_H_
