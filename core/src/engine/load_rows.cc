#include "engine/load_rows.h"

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

void LoadRows::Add(EntityKeyView key, std::string_view properties,
                   DateTime timestamp) {
  LoadRow row{};
  row.at = static_cast<std::uint32_t>(bytes_.size());
  AppendSortTexts(key, bytes_);
  row.key_size = static_cast<std::uint32_t>(bytes_.size() - row.at);
  bytes_ += properties;
  row.size = static_cast<std::uint32_t>(properties.size());
  row.index = static_cast<std::uint32_t>(rows_.size());
  row.timestamp = timestamp;
  const std::string_view text = KeyOf(row);
  common_ = rows_.empty()
                ? text.size()
                : CommonSize(KeyOf(rows_.front()).substr(0, common_), text);
  rows_.push_back(row);
}

// Uses Shell sort, because usually the rows are already in order, which
// HeapSort() does not make use of.
void LoadRows::Sort() {
  for (LoadRow& row : rows_) row.prefix = PrefixOf(KeyOf(row).substr(common_));
  std::size_t gap = 1;
  while (gap < rows_.size() / 3) gap = 3 * gap + 1;
  for (; gap > 0; gap /= 3) {
    for (std::size_t i = gap; i < rows_.size(); ++i) {
      const LoadRow row = rows_[i];
      std::size_t at = i;
      for (; at >= gap && IsBefore(row, rows_[at - gap]); at -= gap) {
        rows_[at] = rows_[at - gap];
      }
      rows_[at] = row;
    }
  }
}

bool LoadRows::IsBefore(const LoadRow& a, const LoadRow& b) const {
  if (a.prefix != b.prefix) return a.prefix < b.prefix;
  const int order = KeyOf(a).compare(KeyOf(b));
  return order != 0 ? order < 0 : a.index < b.index;
}

std::size_t LoadRows::EndOfKey(std::size_t begin) const {
  const LoadRow& first = rows_[begin];
  std::size_t end = begin + 1;
  while (end < rows_.size() && rows_[end].prefix == first.prefix &&
         rows_[end].key_size == first.key_size &&
         KeyOf(rows_[end]) == KeyOf(first)) {
    ++end;
  }
  return end;
}

void LoadRows::DropBefore(std::size_t index) {
  std::erase_if(rows_, [&](const LoadRow& row) { return row.index < index; });
  for (LoadRow& row : rows_) row.index -= static_cast<std::uint32_t>(index);
}

}  // namespace entitable
