// numbered_pages.h - a dozen pages, each with a number and a size of its own.

#ifndef ENTITABLE_TESTS_SUPPORT_NUMBERED_PAGES_H_
#define ENTITABLE_TESTS_SUPPORT_NUMBERED_PAGES_H_

#include <cstddef>
#include <string>
#include <variant>
#include <vector>

#include "store/leaf_builder.h"
#include "store/page_cache.h"

namespace entitable {

inline constexpr PageId kPages = 12;

// A leaf page with `rows` rows.
inline Bytes LeafValue(std::size_t rows) {
  LeafBuilder builder;
  for (std::size_t i = 0; i < rows; ++i) {
    builder.AddTombstone("key" + std::to_string(1000 + i));
  }
  return builder.Finish();
}

// Every third page is a directory page.
inline Bytes ValueOf(PageId id) {
  const std::string key = "key1000";
  if (id % 3 != 0) return LeafValue(10 * static_cast<std::size_t>(id));
  DirectoryPage page;
  for (PageId leaf = 0; leaf < id; ++leaf) {
    page.leaves.push_back({key + std::string(leaf, 'x'), 100 + leaf});
  }
  return page.Encode();
}

inline PageEntry EntryOf(PageId id) {
  PageEntry entry{.first_key = "key1000", .page = id};
  if (id % 3 != 0) entry.totals.rows = 10 * id;
  return entry;
}

inline PagePtr PageOf(PageId id) {
  static const std::vector<PagePtr> kDecoded = [] {
    std::vector<PagePtr> pages;
    for (PageId n = 1; n <= kPages; ++n) {
      pages.push_back(*DecodePage(ValueOf(n)));
    }
    return pages;
  }();
  return kDecoded[static_cast<std::size_t>(id) - 1];
}

inline std::size_t BytesOf(const PagePtr& page) {
  return std::visit([](const auto& one) { return one.memory_bytes(); }, *page);
}

}  // namespace entitable

#endif  // ENTITABLE_TESTS_SUPPORT_NUMBERED_PAGES_H_
