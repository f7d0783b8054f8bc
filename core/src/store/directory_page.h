// directory_page.h - lists the leaf pages of a part of a sorted run.

#ifndef ENTITABLE_STORE_DIRECTORY_PAGE_H_
#define ENTITABLE_STORE_DIRECTORY_PAGE_H_

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/fields.h"
#include "entitable/result.h"
#include "entitable/storage.h"
#include "model/entity.h"
#include "store/envelope.h"

namespace entitable {

using PageId = std::uint64_t;

// The contents of a page and of all pages below it.
struct PageTotals {
  std::uint64_t rows = 0;
  std::uint64_t deleted = 0;  // How many of the rows are tombstones.
  std::uint64_t bytes = 0;    // Of the leaf pages.

  PageTotals& operator+=(const PageTotals& other);
  PageTotals& operator-=(const PageTotals& other);
  bool operator==(const PageTotals&) const = default;
};

// A reference to a page.  `first_key` is at or before the first row of the page
// and after the last row of the preceding page.
struct PageEntry {
  std::string first_key;
  PageId page = 0;
  PageTotals totals = {};
  PropertyList zone_map = {};  // Of a leaf page; see model/row_filter.h.

  bool operator==(const PageEntry&) const = default;
};

// Without the zone map.
//   entry  = first_key:text page:varint rows:varint deleted:varint bytes:varint
template <typename Io>
void Fields(Io& io, Of<Io, PageEntry>& entry) {
  io.Text(entry.first_key);
  io.Varint(entry.page);
  io.Varint(entry.totals.rows);
  io.Varint(entry.totals.deleted);
  io.Varint(entry.totals.bytes);
}

// The last entry whose page may hold the key; 0 if the key precedes all.
std::size_t FindPageEntry(const std::vector<PageEntry>& entries,
                          std::string_view sort_key);

// Whether each entry begins after the one before it.
bool IsAscending(const std::vector<PageEntry>& entries);

inline constexpr EnvelopeKind kDirectoryKind{"ETDP", 1};

//   directory page = envelope of kind "ETDP", version 1, around { leaf }
//   leaf           = entry zone_map:text
struct DirectoryPage {
  std::vector<PageEntry> leaves;  // In key order; at least one.

  Bytes Encode() const;

  // Fails with StorageDamaged if the bytes are invalid.  Safe for any bytes.
  static Result<DirectoryPage> Decode(BytesView value);

  std::size_t memory_bytes() const;
};

// Whether the value has the magic of a directory page.  It may still be
// damaged.
bool IsDirectoryPage(BytesView value);

}  // namespace entitable

#endif  // ENTITABLE_STORE_DIRECTORY_PAGE_H_
