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

template <typename Io>
void LeafFields(Io& io, Of<Io, PageEntry>& leaf) {
  Fields(io, leaf);
  io.Properties(leaf.zone_map);
}

Bytes DirectoryPage::Encode() const {
  Bytes body;
  FieldWriter io(body);
  for (const PageEntry& leaf : leaves) LeafFields(io, leaf);
  return Seal(kDirectoryKind, body);
}

Result<DirectoryPage> DirectoryPage::Decode(BytesView value) {
  ENTITABLE_TRY(const OpenedEnvelope envelope, Unseal(kDirectoryKind, value));
  DirectoryPage page;
  FieldReader io(envelope.body);
  while (!io.at_end()) LeafFields(io, page.leaves.emplace_back());
  if (io.failed() || page.leaves.empty() || !IsAscending(page.leaves)) {
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
