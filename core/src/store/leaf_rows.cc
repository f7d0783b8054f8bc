#include "store/leaf_rows.h"

#include <string>

#include "base/bits.h"
#include "store/sort_key.h"

namespace entitable {
namespace {

std::string_view TextOf(KeyPart part, std::string_view sort_key) {
  const SortTexts texts = TextsOf(sort_key);
  return part == KeyPart::kRowKey ? texts.row_key : texts.partition_key;
}

void SetRow(std::size_t row, std::span<std::uint64_t> words) {
  words[row / kWordBits] |= std::uint64_t{1} << row % kWordBits;
}

}  // namespace

bool LeafRows::IsOnePartition() const {
  std::string first;
  std::string last;
  page_.KeyOf(begin_, first);
  page_.KeyOf(end_ - 1, last);
  return TextsOf(first).partition_key == TextsOf(last).partition_key;
}

// The first row whose part of the key is not below the text; or, if that counts
// as below, not the text either.
std::size_t LeafRows::FindRow(KeyPart part, std::string_view text,
                              bool is_after) const {
  std::size_t low = begin_;
  std::size_t high = end_;
  std::string key;
  while (low < high) {
    const std::size_t middle = (low + high) / 2;
    page_.KeyOf(middle, key);
    const int order = TextOf(part, key).compare(text);
    if (order < 0 || (is_after && order == 0)) {
      low = middle + 1;
    } else {
      high = middle;
    }
  }
  return low;
}

// Within a partition rows are in the order of either key, and else only in that
// of the PartitionKey.
void LeafRows::CompareKeys(KeyPart part, std::string_view text,
                           std::span<std::uint64_t> below,
                           std::span<std::uint64_t> equal) const {
  if (begin_ == end_) return;
  const std::string wanted = MakeSortText(text);
  if (part == KeyPart::kPartitionKey || IsOnePartition()) {
    const std::size_t first = FindRow(part, wanted, false);
    const std::size_t end = FindRow(part, wanted, true);
    for (std::size_t row = begin_; row < first; ++row) SetRow(row, below);
    for (std::size_t row = first; row < end; ++row) SetRow(row, equal);
    return;
  }
  std::string key;
  Decoder rest = page_.keys().Begin();
  for (std::size_t row = 0; KeyBlock::Next(rest, key); ++row) {
    const int order = TextOf(part, key).compare(wanted);
    if (order < 0) SetRow(row, below);
    if (order == 0) SetRow(row, equal);
  }
}

}  // namespace entitable
