#include "support/stored_pages.h"

#include <set>

#include "store/directory_page.h"
#include "store/leaf_page.h"
#include "store/manifest.h"
#include "store/opening_pages.h"

namespace entitable {
namespace {

class Walk {
 public:
  explicit Walk(const MemoryStorage& storage) : values_(storage.values()) {}

  StoredPages Go() {
    for (const auto& [key, value] : values_) found_.bytes += value.size();
    if (const auto manifest = values_.find(ValueKey::Manifest());
        manifest != values_.end()) {
      GoThrough(DecodeManifest(manifest->second));
    }
    for (const auto& [key, value] : values_) {
      const bool is_page =
          key.kind == ValueKey::Kind::kPage && key != kOpeningPagesKey;
      if (!is_page || seen_.contains(key.number)) {
        continue;
      }
      Note(key.number, "has no entry");
    }
    return std::move(found_);
  }

 private:
  void GoThrough(const Result<Manifest>& manifest) {
    if (!manifest) return found_.flaws.push_back("the manifest is damaged");
    found_.runs = manifest->runs.size();
    for (const Run& run : manifest->runs) {
      for (const PageEntry& entry : run.directories) {
        if (const Bytes* value = See(entry.page)) {
          GoThrough(entry, DirectoryPage::Decode(*value), run.begin);
        }
      }
    }
  }

  void GoThrough(const PageEntry& entry, const Result<DirectoryPage>& page,
                 const std::string& begin) {
    ++found_.directories;
    if (!page) return Note(entry.page, "is no directory page");
    PageTotals totals;
    for (const PageEntry& leaf : page->leaves) totals += leaf.totals;
    if (totals != entry.totals) Note(entry.page, "has other totals");
    if (page->leaves.front().first_key != entry.first_key) {
      Note(entry.page, "begins elsewhere");
    }
    for (std::size_t i = FindPageEntry(page->leaves, begin);
         i < page->leaves.size(); ++i) {
      if (const Bytes* value = See(page->leaves[i].page)) {
        GoThrough(page->leaves[i], value->size(), LeafPage::Decode(*value));
      }
    }
  }

  void GoThrough(const PageEntry& entry, std::size_t bytes,
                 const Result<LeafPage>& leaf) {
    ++found_.leaves;
    if (!leaf) return Note(entry.page, "is no leaf page");
    found_.rows += leaf->row_count();
    std::uint64_t deleted = 0;
    for (std::size_t row = 0; row < leaf->row_count(); ++row) {
      deleted += leaf->is_tombstone(row) ? 1 : 0;
    }
    if (entry.totals != PageTotals{leaf->row_count(), deleted, bytes}) {
      Note(entry.page, "has other totals");
    }
    if (bytes > kMaxLeafBytes && leaf->row_count() > 1) {
      Note(entry.page, "is too long");
    }
    std::string first_key;
    leaf->KeyOf(0, first_key);
    if (first_key != entry.first_key) Note(entry.page, "begins elsewhere");
  }

  // Null when it is missing.
  const Bytes* See(PageId id) {
    if (!seen_.insert(id).second) Note(id, "is named twice");
    const auto page = values_.find(ValueKey::Page(id));
    if (page != values_.end()) return &page->second;
    Note(id, "is missing");
    return nullptr;
  }

  void Note(PageId id, const std::string& flaw) {
    found_.flaws.push_back("page " + std::to_string(id) + " " + flaw);
  }

  const MemoryStorage::Values& values_;
  std::set<PageId> seen_;
  StoredPages found_;
};

}  // namespace

StoredPages ReadStoredPages(const MemoryStorage& storage) {
  return Walk(storage).Go();
}

}  // namespace entitable
