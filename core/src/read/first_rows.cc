#include "read/first_rows.h"

#include <algorithm>
#include <bit>
#include <utility>

namespace entitable {
namespace {

// About what a row takes beside its bytes.
constexpr std::size_t kKeptRowBytes = sizeof(std::string) + 2 * sizeof(void*);

// Of moving a row through a heap, with two comparisons at each level.
std::uint64_t PartsOfRow(std::size_t heap_size) {
  return 2 * kPartsPerKeyOrder *
         static_cast<std::uint64_t>(std::bit_width(heap_size));
}

}  // namespace

void FirstRows::Add(std::string_view row, WorkBudget& work) {
  const std::string* const end = last();
  if (end != nullptr && row >= *end) {
    lacks_rows_ = true;
    work.SpendParts(kPartsPerKeyOrder);
    return;
  }
  bytes_ += row.size() + kKeptRowBytes;
  rows_.emplace_back(row);
  std::push_heap(rows_.begin(), rows_.end());
  while (rows_.size() > most_rows_ ||
         (bytes_ > most_bytes_ && rows_.size() > 1)) {
    std::pop_heap(rows_.begin(), rows_.end());
    bytes_ -= rows_.back().size() + kKeptRowBytes;
    rows_.pop_back();
    lacks_rows_ = true;
  }
  work.SpendParts(PartsOfRow(rows_.size()) +
                  row.size() * kPartsPerUnit / kBytesPerUnit);
}

bool FirstRows::Sort(WorkBudget& work) {
  if (!std::exchange(is_sorting_, true)) heap_size_ = rows_.size();
  while (heap_size_ > 1) {
    if (work.is_spent()) return false;
    work.SpendParts(PartsOfRow(heap_size_));
    const auto end = rows_.begin() + static_cast<std::ptrdiff_t>(heap_size_--);
    std::pop_heap(rows_.begin(), end);
  }
  return true;
}

}  // namespace entitable
