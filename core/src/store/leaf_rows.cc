// How a filter tests keys, which are no column.  A leaf page has the sort keys
// of its rows in ascending order, and the keys of a table begin alike:
//
//   PartitionKey   always sorted within a table, so the rows with one text are
//                  adjacent: two binary searches find where they begin and end
//   RowKey         sorted if all rows are of one partition, which the first and
//                  the last key tell; the same two searches then
//                  otherwise each row is compared, with keys decoded once
//
// For a set of texts, rows are searched for each text, or a text for each row,
// whichever is less work.  In the second case the keys ascend within a
// partition, so the search goes on from the text that was found last.

#include "store/leaf_rows.h"

#include <algorithm>
#include <cstddef>
#include <string>

#include "base/bits.h"
#include "base/utf.h"
#include "store/sort_key.h"

namespace entitable {
namespace {

// Reading this many keys in a row takes as long as one search.
constexpr std::size_t kRowsPerKeySearch = 8;

// Sets the bits from `row` up to `end`, without `end`.
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

using TextIterator = std::span<const Value>::iterator;

// The first text that is not less than `text`.  A galloping search: the time
// grows with the logarithm of the distance.
TextIterator FirstFrom(TextIterator from, TextIterator end,
                       std::string_view text) {
  const auto is_before = [text](const Value& one) {
    return CompareUtf16(one.string(), text) < 0;
  };
  std::ptrdiff_t step = 1;
  while (end - from >= step && is_before(from[step - 1])) {
    from += step;
    step *= 2;
  }
  return std::partition_point(from, from + std::min(step - 1, end - from),
                              is_before);
}

}  // namespace

// Rows are in the order of the PartitionKey; within a partition, in the order
// of the RowKey.
std::optional<LeafRows::Sorted> LeafRows::SortedBy(KeyPart part) const {
  std::string first;
  std::string last;
  page_.KeyOf(begin_, first);
  page_.KeyOf(end_ - 1, last);
  const SortTexts of_first = TextsOf(first);
  const SortTexts of_last = TextsOf(last);
  if (part == KeyPart::kPartitionKey) {
    return Sorted{std::string(of_first.table),
                  std::string(of_first.partition_key),
                  std::string(of_last.partition_key)};
  }
  Sorted sorted{first.substr(0, first.size() - of_first.row_key.size()),
                std::string(of_first.row_key), std::string(of_last.row_key)};
  if (!last.starts_with(sorted.before)) return std::nullopt;
  return sorted;
}

// The range of sort keys that begin with `before` and the text.  After the text
// follows 00 or nothing; in a longer text follows a greater byte.
std::pair<std::size_t, std::size_t> LeafRows::RowsOf(
    const Sorted& sorted, KeyPart part, std::string_view text) const {
  std::string place = sorted.before;
  place += text;
  const std::size_t first = FindRow(place);
  place += part == KeyPart::kRowKey ? '\0' : '\1';
  return {first, FindRow(place)};
}

void LeafRows::ReadRowKeys() const {
  std::string key;
  for (std::string_view rest = page_.keys().Begin();
       KeyBlock::Next(rest, key);) {
    row_key_starts_.push_back(row_keys_.size());
    row_keys_ += TextsOf(key).row_key;
  }
  row_key_starts_.push_back(row_keys_.size());
}

void LeafRows::CompareKeys(KeyPart part, std::string_view text,
                           std::span<std::uint64_t> below,
                           std::span<std::uint64_t> equal,
                           WorkBudget& work) const {
  if (begin_ == end_) return;
  const std::string wanted = MakeSortText(text);
  if (const auto sorted = SortedBy(part)) {
    work.Spend(2 * kUnitsPerKeySearch);
    const auto [first, end] = RowsOf(*sorted, part, wanted);
    SetRows(begin_, first, below);
    SetRows(first, end, equal);
    return;
  }
  if (row_key_starts_.empty()) {
    work.SpendParts(page_.row_count() * kPartsPerKey);
    ReadRowKeys();
  }
  work.SpendParts((end_ - begin_) * kPartsPerKeyOrder);
  const std::string_view keys = row_keys_;
  for (std::size_t row = begin_; row < end_; ++row) {
    const std::size_t start = row_key_starts_[row];
    const int order =
        keys.substr(start, row_key_starts_[row + 1] - start).compare(wanted);
    if (order < 0) SetRow(row, below);
    if (order == 0) SetRow(row, equal);
  }
}

// If rows with equal texts are adjacent, only texts between those of the first
// and last row are searched for.
void LeafRows::FindKeys(KeyPart part, std::span<const Value> texts,
                        std::span<std::uint64_t> found,
                        WorkBudget& work) const {
  if (begin_ == end_) return;
  const auto sorted = SortedBy(part);
  if (sorted) {
    const auto from = [&texts](const auto& is_before) {
      return std::partition_point(
          texts.begin(), texts.end(), [&](const Value& text) {
            return is_before(MakeSortText(text.string()));
          });
    };
    const auto first =
        from([&](const std::string& text) { return text < sorted->first; });
    const auto end =
        from([&](const std::string& text) { return text <= sorted->last; });
    texts = {first, end};
    work.Spend(2 * kUnitsPerKeySearch);
  }
  const std::size_t rows = end_ - begin_;
  if (!sorted || texts.size() * kRowsPerKeySearch > rows) {
    work.SpendParts(rows * (kPartsPerKey + kPartsPerSetSearch));
    return FindEach(part, texts, found);
  }
  for (const Value& text : texts) {
    work.Spend(2 * kUnitsPerKeySearch);
    const auto [first, end] =
        RowsOf(*sorted, part, MakeSortText(text.string()));
    SetRows(first, end, found);
  }
}

// Up to the next restart: so a page is decoded once, however often a read of it
// begins again.
void LeafRows::ReadKeys(KeyPart part, std::size_t row,
                        std::vector<std::string>& texts,
                        WorkBudget& work) const {
  texts.resize(std::min(kKeysPerRestart - row % kKeysPerRestart,
                        page_.row_count() - row));
  work.SpendParts(texts.size() * kPartsPerKey);
  std::string room;
  std::string key;
  std::string_view rest = page_.KeyOf(row, key);
  for (std::string& text : texts) {
    const SortTexts of_row = TextsOf(key);
    const auto found = ReadSortText(
        part == KeyPart::kRowKey ? of_row.row_key : of_row.partition_key, room);
    text.assign(found.value_or(std::string_view()));
    KeyBlock::Next(rest, key);
  }
}

// Looks up the key of each row among the texts.
void LeafRows::FindEach(KeyPart part, std::span<const Value> texts,
                        std::span<std::uint64_t> found) const {
  std::string room;
  std::string last;  // The text of the previous row.
  auto place = texts.begin();
  std::string key;
  std::string_view rest = page_.KeyOf(begin_, key);
  for (std::size_t row = begin_; row < end_; ++row) {
    if (row > begin_) KeyBlock::Next(rest, key);
    const SortTexts of_row = TextsOf(key);
    const std::string_view sort_text =
        part == KeyPart::kRowKey ? of_row.row_key : of_row.partition_key;
    const auto text = ReadSortText(sort_text, room);
    if (!text) continue;
    // Within a partition keys ascend, and so do their positions among the
    // texts.
    if (sort_text < last) place = texts.begin();
    place = FirstFrom(place, texts.end(), *text);
    last = sort_text;
    if (place != texts.end() && place->string() == *text) SetRow(row, found);
  }
}

// The first row of the range whose key is not less than this one.
std::size_t LeafRows::FindRow(std::string_view sort_key) const {
  return std::clamp(page_.LowerBound(sort_key), begin_, end_);
}

// ----------------------------------------------------------------- leaf cursor

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
  Skip();
}

void LeafCursor::Skip() {
  leaf_page_ = nullptr;
  ++at_leaf_;
}

}  // namespace entitable
