#include "store/leaf_cursor.h"

#include <algorithm>

namespace entitable {

LeafCursor::LeafCursor(const Run& run, std::string_view from)
    : run_(&run), from_(std::max(from, std::string_view(run.begin))) {
  const bool is_past_end = run.directories.empty() || from_ > run.end;
  at_directory_ = is_past_end ? run.directories.size()
                              : FindPageEntry(run.directories, from_);
}

bool LeafCursor::Resolve(PageWindow& window) {
  while (!at_end()) {
    const PageEntry& above = run_->directories[at_directory_];
    if (leaves_ == nullptr) {
      const DirectoryPage* directory = window.Directory(above);
      if (directory == nullptr) return false;
      if (!IsInPlace(directory->leaves.back().first_key, directory_end())) {
        window.NoteDisorder(above.page);
        return false;
      }
      directory_page_ = window.Share(above.page);
      leaves_ = &directory->leaves;
      at_leaf_ = FindPageEntry(*leaves_, from_);
    }
    if (at_leaf_ < leaves_->size()) return true;
    window.Release(above.page);
    directory_page_ = nullptr;
    leaves_ = nullptr;
    ++at_directory_;
  }
  return true;
}

std::string_view LeafCursor::page_end() const {
  if (at_leaf_ + 1 < leaves_->size()) {
    return (*leaves_)[at_leaf_ + 1].first_key;
  }
  return directory_end();
}

std::string_view LeafCursor::directory_end() const {
  if (at_directory_ + 1 == run_->directories.size()) return {};
  return run_->directories[at_directory_ + 1].first_key;
}

const LeafPage* LeafCursor::Load(PageWindow& window) {
  const LeafPage* leaf = window.Leaf(entry());
  if (leaf == nullptr) return nullptr;
  if (!IsInPlace(leaf->last_key(), page_end())) {
    window.NoteDisorder(entry().page);
    return nullptr;
  }
  leaf_page_ = window.Share(entry().page);
  return leaf;
}

void LeafCursor::Next(PageWindow& window) {
  window.Release(entry().page);
  leaf_page_ = nullptr;
  ++at_leaf_;
}

}  // namespace entitable
