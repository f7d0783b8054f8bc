#include "store/leaf_rows.h"

#include <algorithm>
#include <string>

#include "base/bits.h"
#include "store/sort_key.h"

namespace entitable {
namespace {

// From one row up to another, and without that one.
void SetRows(std::size_t row, std::size_t end, std::span<std::uint64_t> words) {
  while (row < end) {
    const std::size_t first = row % kWordBits;
    const std::size_t count = std::min(kWordBits - first, end - row);
    const std::uint64_t bits = ~std::uint64_t{0} >> (kWordBits - count);
    words[row / kWordBits] |= bits << first;
    row += count;
  }
}

void SetRow(std::size_t row, std::span<std::uint64_t> words) {
  SetRows(row, row + 1, words);
}

}  // namespace

// Of rows of several partitions.
void LeafRows::CompareRowKeys(std::string_view wanted,
                              std::span<std::uint64_t> below,
                              std::span<std::uint64_t> equal) const {
  std::string key;
  Decoder rest = page_.keys().Begin();
  for (std::size_t row = 0; KeyBlock::Next(rest, key); ++row) {
    const int order = TextsOf(key).row_key.compare(wanted);
    if (order < 0) SetRow(row, below);
    if (order == 0) SetRow(row, equal);
  }
}

// Rows are in the order of the PartitionKey, and within a partition in that of
// the RowKey.  So those of a text stand together: from what comes before it and
// the text on, up to that with a byte that is more than what follows the text
// (00, or nothing), and no more than what follows in a longer one.
void LeafRows::CompareKeys(KeyPart part, std::string_view text,
                           std::span<std::uint64_t> below,
                           std::span<std::uint64_t> equal) const {
  if (begin_ == end_) return;
  const bool is_row_key = part == KeyPart::kRowKey;
  const std::string wanted = MakeSortText(text);
  std::string place;
  page_.KeyOf(begin_, place);
  const SortTexts texts = TextsOf(place);
  if (is_row_key) {
    place.resize(place.size() - texts.row_key.size());
    std::string last;
    page_.KeyOf(end_ - 1, last);
    if (!last.starts_with(place)) return CompareRowKeys(wanted, below, equal);
  } else {
    place.resize(texts.table.size());
  }
  place += wanted;
  const std::size_t first = FindRow(place);
  place += is_row_key ? '\0' : '\1';
  const std::size_t end = FindRow(place);
  SetRows(begin_, first, below);
  SetRows(first, end, equal);
}

// The first row, of those that count, whose key is not before this one.
std::size_t LeafRows::FindRow(std::string_view sort_key) const {
  return std::clamp(page_.LowerBound(sort_key), begin_, end_);
}

}  // namespace entitable
