#include "store/directory_page.h"

#include <algorithm>
#include <utility>

namespace entitable {

PageTotals& PageTotals::operator+=(const PageTotals& other) {
  rows += other.rows;
  deleted += other.deleted;
  bytes += other.bytes;
  return *this;
}

PageTotals& PageTotals::operator-=(const PageTotals& other) {
  rows -= other.rows;
  deleted -= other.deleted;
  bytes -= other.bytes;
  return *this;
}

void AppendPageEntry(const PageEntry& entry, std::string& out) {
  AppendText(entry.first_key, out);
  AppendVarint(entry.page, out);
  AppendVarint(entry.totals.rows, out);
  AppendVarint(entry.totals.deleted, out);
  AppendVarint(entry.totals.bytes, out);
}

PageEntry ReadPageEntry(Decoder& bytes) {
  PageEntry entry;
  entry.first_key = bytes.ReadText();
  entry.page = bytes.ReadVarint();
  entry.totals.rows = bytes.ReadVarint();
  entry.totals.deleted = bytes.ReadVarint();
  entry.totals.bytes = bytes.ReadVarint();
  return entry;
}

std::size_t FindPageEntry(const std::vector<PageEntry>& entries,
                          std::string_view sort_key) {
  const auto after =
      std::upper_bound(entries.begin(), entries.end(), sort_key,
                       [](std::string_view key, const PageEntry& entry) {
                         return key < entry.first_key;
                       });
  return after == entries.begin()
             ? 0
             : static_cast<std::size_t>(after - entries.begin()) - 1;
}

bool IsAscending(const std::vector<PageEntry>& entries) {
  const auto is_misplaced = [](const PageEntry& a, const PageEntry& b) {
    return a.first_key >= b.first_key;
  };
  return std::adjacent_find(entries.begin(), entries.end(), is_misplaced) ==
         entries.end();
}

Bytes DirectoryPage::Encode() const {
  Bytes body;
  for (const PageEntry& leaf : leaves) {
    AppendPageEntry(leaf, body);
    AppendText(leaf.zone_map.bytes(), body);
  }
  return Seal(kDirectoryKind, body);
}

Result<DirectoryPage> DirectoryPage::Decode(BytesView value) {
  ENTITABLE_TRY(const OpenedEnvelope envelope, Unseal(kDirectoryKind, value));
  DirectoryPage page;
  Decoder body(envelope.body);
  while (!body.failed() && !body.at_end()) {
    page.leaves.push_back(ReadPageEntry(body));
    auto zone_map = PropertyList::FromBytes(body.ReadText());
    if (!zone_map) {
      body.Fail();
      break;
    }
    page.leaves.back().zone_map = *std::move(zone_map);
  }
  if (body.failed() || page.leaves.empty() || !IsAscending(page.leaves)) {
    return Fail(ErrorCode::kStorageDamaged,
                "The directory page has an invalid format.");
  }
  return page;
}

std::size_t DirectoryPage::memory_bytes() const {
  std::size_t bytes = sizeof(*this) + leaves.capacity() * sizeof(PageEntry);
  for (const PageEntry& leaf : leaves) {
    bytes += leaf.first_key.capacity() + leaf.zone_map.bytes().size();
  }
  return bytes;
}

bool IsDirectoryPage(BytesView value) {
  return value.starts_with(kDirectoryKind.magic);
}

}  // namespace entitable
