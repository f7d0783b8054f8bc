// opening_pages.h - copies of the pages that the first reads need.
//
// The manifest has the numbers of directory pages, and these have the numbers
// of leaf pages.  A read of a row also needs its table, which is a row of the
// catalogue.  So an engine that knows nothing yet would read the storage four
// times, one after another, before it has its first row:
//
//   manifest --> directory pages --> catalogue --> leaf page of the row
//
// A value under a key of its own has copies of the directory pages and of the
// leaf pages of the catalogue.  Opening reads it together with the manifest, so
// the second read is that of the row.
//
// The value is only a hint.  A page never changes and its number is never used
// again, so a copy is never wrong.  An old value lacks pages, which are then
// read as always.  It is stored when the store comes to rest: with a flush
// after which no other is due, and with the last step of a compaction.
//
//   value = envelope of kind "ETOP", version 1, around
//   body  = store_id:16 bytes { page:varint copy:text }

#ifndef ENTITABLE_STORE_OPENING_PAGES_H_
#define ENTITABLE_STORE_OPENING_PAGES_H_

#include <optional>

#include "entitable/storage.h"
#include "store/flush.h"
#include "store/page_cache.h"

namespace entitable {

// Pages are numbered from 1.
inline constexpr ValueKey kOpeningPagesKey = ValueKey::Page(0);

// Adds the value to a step after which the store is at rest.  It has the pages
// that are in the step or in the cache, and are short enough together.
void AddOpeningPages(const AccountState& state, const StoreLimits& limits,
                     PageCache& cache, BackgroundStep& step);

// Puts the pages into the cache.  Takes nothing from a value that is invalid or
// of another store.  Safe for any bytes.
void AcceptOpeningPages(const std::optional<Bytes>& value,
                        const Random128& store_id, PageCache& cache);

}  // namespace entitable

#endif  // ENTITABLE_STORE_OPENING_PAGES_H_
