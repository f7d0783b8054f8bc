#include "store/run_cursor.h"

#include <algorithm>
#include <utility>

namespace entitable {

RunCursor::RunCursor(const Run& run, std::string_view from)
    : run_(&run), from_(std::max(from, std::string_view(run.begin))) {
  at_directory_ =
      run.directories.empty() ? 0 : FindPageEntry(run.directories, from_);
}

bool RunCursor::Settle(PageWindow& window) {
  while (!is_settled_) {
    if (at_directory_ == run_->directories.size()) {
      is_settled_ = at_end_ = true;
      break;
    }
    if (!EnterDirectory(window)) return false;
    if (at_leaf_ == leaves_->size()) {
      window.Release(run_->directories[at_directory_].page);
      leaves_ = nullptr;
      ++at_directory_;
      continue;
    }
    const PageEntry& entry = (*leaves_)[at_leaf_];
    if (leaf_ == nullptr && from_ <= entry.first_key) {
      key_ = entry.first_key;
      is_settled_ = true;
      break;
    }
    if (leaf_ == nullptr) {
      leaf_ = window.Leaf(entry.page);
      if (leaf_ == nullptr) return false;
      row_ = leaf_->LowerBound(from_);
    }
    if (row_ >= leaf_->row_count()) {
      SkipPage(window);
      continue;
    }
    TakeKey();
    is_settled_ = true;
  }
  return true;
}

void RunCursor::TakeKey() {
  if (next_key_ && row_ == key_row_ + 1) {
    KeyBlock::Next(*next_key_, key_);
  } else {
    next_key_ = leaf_->KeyOf(row_, key_);
  }
  key_row_ = row_;
}

bool RunCursor::EnterDirectory(PageWindow& window) {
  if (leaves_ != nullptr) return true;
  const PageId page = run_->directories[at_directory_].page;
  const DirectoryPage* directory = window.Directory(page);
  if (directory == nullptr) return false;
  leaves_ = &directory->leaves;
  at_leaf_ = FindPageEntry(*leaves_, from_);
  return true;
}

const PageEntry* RunCursor::entry_at_start() const {
  return row_ == 0 ? &(*leaves_)[at_leaf_] : nullptr;
}

std::string_view RunCursor::page_end() const {
  if (at_leaf_ + 1 < leaves_->size()) {
    return (*leaves_)[at_leaf_ + 1].first_key;
  }
  if (at_directory_ + 1 < run_->directories.size()) {
    return run_->directories[at_directory_ + 1].first_key;
  }
  return {};
}

bool RunCursor::Load(PageWindow& window, std::size_t ahead,
                     std::string_view end) {
  if (leaf_ != nullptr) return true;
  leaf_ = window.Leaf((*leaves_)[at_leaf_].page);
  if (leaf_ != nullptr) {
    row_ = 0;
    return true;
  }
  const std::size_t last = std::min(leaves_->size(), at_leaf_ + ahead);
  for (std::size_t i = at_leaf_ + 1; i < last; ++i) {
    if (!end.empty() && (*leaves_)[i].first_key >= end) break;
    window.Want((*leaves_)[i].page);
  }
  return false;
}

void RunCursor::Skip(std::size_t row, PageWindow& window) {
  if (row >= leaf_->row_count()) return SkipPage(window);
  row_ = row;
  is_settled_ = false;
}

void RunCursor::SkipPage(PageWindow& window) {
  window.Release((*leaves_)[at_leaf_].page);
  ++at_leaf_;
  leaf_ = nullptr;
  next_key_.reset();
  row_ = 0;
  is_settled_ = false;
}

}  // namespace entitable
