// directory_page.h - which leaf pages a stretch of a run consists of.

#ifndef ENTITABLE_STORE_DIRECTORY_PAGE_H_
#define ENTITABLE_STORE_DIRECTORY_PAGE_H_

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/coding.h"
#include "entitable/page.h"
#include "entitable/result.h"
#include "model/entity.h"
#include "store/envelope.h"

namespace entitable {

using PageId = std::uint64_t;

// What a page and all under it hold.
struct PageTotals {
  std::uint64_t rows = 0;
  std::uint64_t deleted = 0;  // Of these: marks of deletion.
  std::uint64_t bytes = 0;    // Of leaf pages.

  PageTotals& operator+=(const PageTotals& other);
  PageTotals& operator-=(const PageTotals& other);
  bool operator==(const PageTotals&) const = default;
};

// A page under another.  No row of it comes before `first_key`, and none of
// the page before it comes after.
struct PageEntry {
  std::string first_key;
  PageId page = 0;
  PageTotals totals = {};
  PropertyList zone_map = {};  // Of a leaf page; see model/zone.h.

  bool operator==(const PageEntry&) const = default;
};

// Without zones.
//   entry  = first_key:text page:varint rows:varint deleted:varint bytes:varint
void AppendPageEntry(const PageEntry& entry, std::string& out);

// Marks the decoder as failed where the bytes do not follow the grammar.
PageEntry TakePageEntry(Decoder& bytes);

// The last entry whose page may hold the key; 0 when the key comes before all.
std::size_t FindPageEntry(const std::vector<PageEntry>& entries,
                          std::string_view sort_key);

// True when each begins after the one before it.
bool IsAscending(const std::vector<PageEntry>& entries);

inline constexpr EnvelopeKind kDirectoryKind{"ETDP", 1};

//   directory page = envelope of kind "ETDP", version 1, around { leaf }
//   leaf           = entry zones:text
struct DirectoryPage {
  std::vector<PageEntry> leaves;  // In key order; at least one.

  Bytes Encode() const;

  // Fails with StorageDamaged; survives any bytes.
  static Result<DirectoryPage> Decode(BytesView value);

  std::size_t memory_bytes() const;
};

// Whether the value calls itself one; it may yet be damaged.
bool IsDirectoryPage(BytesView value);

}  // namespace entitable

#endif  // ENTITABLE_STORE_DIRECTORY_PAGE_H_
