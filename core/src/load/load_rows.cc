#include "load/load_rows.h"

#include <utility>

#include "store/sort_key.h"

namespace entitable {
namespace {

// The first eight bytes as a number with the same order.
std::uint64_t PrefixOf(std::string_view bytes) {
  std::uint64_t prefix = 0;
  for (std::size_t i = 0; i < sizeof prefix; ++i) {
    prefix = prefix << 8 |
             (i < bytes.size() ? static_cast<unsigned char>(bytes[i]) : 0);
  }
  return prefix;
}

std::size_t CommonSize(std::string_view a, std::string_view b) {
  std::size_t size = 0;
  while (size < a.size() && size < b.size() && a[size] == b[size]) ++size;
  return size;
}

}  // namespace

void LoadRows::Add(const NewEntity& entity, std::string_view properties,
                   bool keeps_doubles) {
  LoadRow row{};
  row.at = static_cast<std::uint32_t>(bytes_.size());
  AppendSortTexts(entity.key.view(), bytes_);
  row.key_size = static_cast<std::uint32_t>(bytes_.size() - row.at);
  bytes_ += properties;
  row.size = static_cast<std::uint32_t>(properties.size());
  row.index = static_cast<std::uint32_t>(rows_.size());
  row.timestamp = entity.timestamp;
  row.keeps_doubles = keeps_doubles;
  if (keeps_doubles) {
    bytes_ += entity.typed;
    row.typed_size = static_cast<std::uint32_t>(entity.typed.size());
  }
  bytes_ += entity.removed;
  row.removed_size = static_cast<std::uint32_t>(entity.removed.size());
  const std::string_view text = KeyOf(row);
  common_ = rows_.empty()
                ? text.size()
                : CommonSize(KeyOf(rows_.front()).substr(0, common_), text);
  rows_.push_back(row);
}

void LoadRows::BeginSort() {
  order_.reserve(rows_.size());
  for (const LoadRow& row : rows_) {
    order_.push_back({PrefixOf(KeyOf(row).substr(common_)), row.index});
  }
  gap_ = 1;
  while (gap_ < rows_.size() / 3) gap_ = 3 * gap_ + 1;
  next_ = gap_;
}

// Uses Shell sort, because usually the rows are already in order, which
// HeapSort() does not make use of, and because it can stop between any two
// rows.  It moves eight bytes of the key behind what all keys have in common,
// so most comparisons need no key.
bool LoadRows::Sort(WorkBudget& work) {
  if (is_sorted_) return true;
  if (order_.empty()) BeginSort();
  for (; gap_ > 0; gap_ /= 3, next_ = gap_) {
    for (; next_ < order_.size(); ++next_) {
      if (work.is_spent()) return false;
      const Order row = order_[next_];
      std::size_t at = next_;
      for (; at >= gap_ && IsBefore(row, order_[at - gap_]); at -= gap_) {
        order_[at] = order_[at - gap_];
      }
      order_[at] = row;
      work.SpendParts(kPartsPerKeyOrder * (1 + (next_ - at) / gap_));
    }
  }
  FinishSort();
  return true;
}

void LoadRows::FinishSort() {
  std::vector<LoadRow> sorted;
  sorted.reserve(rows_.size());
  for (const Order& row : order_) sorted.push_back(rows_[row.index]);
  rows_ = std::move(sorted);
  order_ = {};
  is_sorted_ = true;
}

// Until they are sorted, rows are at their index.
bool LoadRows::IsBefore(const Order& a, const Order& b) const {
  if (a.prefix != b.prefix) return a.prefix < b.prefix;
  const int order = KeyOf(rows_[a.index]).compare(KeyOf(rows_[b.index]));
  return order != 0 ? order < 0 : a.index < b.index;
}

std::size_t LoadRows::EndOfKey(std::size_t begin) const {
  const LoadRow& first = rows_[begin];
  std::size_t end = begin + 1;
  while (end < rows_.size() && KeyOf(rows_[end]) == KeyOf(first)) {
    ++end;
  }
  return end;
}

void LoadRows::DropBefore(std::size_t index) {
  std::erase_if(rows_, [&](const LoadRow& row) { return row.index < index; });
  for (LoadRow& row : rows_) row.index -= static_cast<std::uint32_t>(index);
}

}  // namespace entitable
