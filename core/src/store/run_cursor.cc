#include "store/run_cursor.h"

namespace entitable {

bool RunCursor::Resolve(PageWindow& window) {
  while (!is_resolved_) {
    if (!pages_.Resolve(window)) return false;
    if (pages_.at_end()) break;
    const PageEntry& entry = pages_.entry();
    if (leaf_ == nullptr && pages_.from() <= entry.first_key) {
      is_resolved_ = true;
      break;
    }
    if (leaf_ == nullptr) {
      leaf_ = pages_.Load(window);
      if (leaf_ == nullptr) return false;
      row_ = leaf_->LowerBound(pages_.from());
    }
    if (row_ >= leaf_->row_count()) {
      SkipPage(window);
      continue;
    }
    is_resolved_ = true;
  }
  return true;
}

bool RunCursor::Load(PageWindow& window, std::size_t ahead_bytes) {
  if (leaf_ != nullptr) return true;
  leaf_ = pages_.Load(window);
  if (leaf_ != nullptr) return true;
  for (const PageEntry& entry : pages_.following()) {
    if (entry.totals.bytes > ahead_bytes) break;
    ahead_bytes -= static_cast<std::size_t>(entry.totals.bytes);
    window.Want(entry.page);
  }
  return false;
}

void RunCursor::Next(PageWindow& window) {
  if (++row_ == leaf_->row_count()) return SkipPage(window);
  is_resolved_ = false;
}

void RunCursor::SkipPage(PageWindow& window) {
  pages_.Next(window);
  leaf_ = nullptr;
  key_.Forget();
  row_ = 0;
  is_resolved_ = false;
}

}  // namespace entitable
