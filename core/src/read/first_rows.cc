#include "read/first_rows.h"

#include <algorithm>
#include <bit>
#include <utility>

namespace entitable {
namespace {

// While rows are merged, the place of each one is there twice.
constexpr std::size_t kKeptRowBytes =
    2 * (sizeof(std::uint64_t) + 2 * sizeof(std::size_t));

// So many rows are merged before the work budget is asked.
constexpr std::size_t kRowsOfStep = 128;

// The bytes of rows that were left out are freed when there are more of them
// than this, and than half of those of the kept rows.
constexpr std::size_t kMostLeftOver = std::size_t{64} << 10;

// A row is compared and moved, and its bytes may be far away.
constexpr std::uint64_t kPartsPerMerge = 3 * kPartsPerKeyOrder;

constexpr int kBitsPerByte = 8;

std::uint64_t HeadOf(std::string_view row) {
  std::uint64_t head = 0;
  for (std::size_t i = 0; i < sizeof head; ++i) {
    const auto byte = i < row.size() ? static_cast<unsigned char>(row[i]) : 0U;
    head = head << kBitsPerByte | byte;
  }
  return head;
}

// Of moving a row through a heap, with two comparisons at each level.
std::uint64_t PartsOfRow(std::size_t heap_size) {
  return 2 * kPartsPerKeyOrder *
         static_cast<std::uint64_t>(std::bit_width(heap_size));
}

}  // namespace

void FirstRows::Add(std::string_view row, WorkBudget& work) {
  const auto end = last();
  if (end && row >= *end) {
    lacks_rows_ = true;
    work.SpendParts(kPartsPerKeyOrder);
    return;
  }
  bytes_ += row.size() + kKeptRowBytes;
  rows_.push_back({HeadOf(row), text_.size(), row.size()});
  text_ += row;
  std::ranges::push_heap(rows_, Before());
  while (rows_.size() > most_rows_ ||
         (bytes_ > most_bytes_ && rows_.size() > 1)) {
    DropLast();
  }
  work.SpendParts(PartsOfRow(rows_.size()) +
                  row.size() * kPartsPerUnit / kBytesPerUnit);
}

void FirstRows::DropLast() {
  std::ranges::pop_heap(rows_, Before());
  bytes_ -= rows_.back().size + kKeptRowBytes;
  rows_.pop_back();
  lacks_rows_ = true;
  const std::size_t kept = bytes_ - rows_.size() * kKeptRowBytes;
  if (text_.size() <= kept + std::max(kept / 2, kMostLeftOver)) return;
  std::string text;
  text.reserve(kept);
  for (Row& row : rows_) {
    const std::size_t at = text.size();
    text += BytesOf(row);
    row.at = at;
  }
  text_ = std::move(text);
}

bool FirstRows::Sort(WorkBudget& work) {
  while (run_rows_ < rows_.size()) {
    while (merged_.size() < rows_.size()) {
      if (work.is_spent()) return false;
      const std::size_t before = merged_.size();
      MergeSome();
      work.SpendParts((merged_.size() - before) * kPartsPerMerge);
    }
    rows_.swap(merged_);
    merged_.clear();
    run_rows_ *= 2;
  }
  merged_ = {};
  return true;
}

// Merges some rows of the present pair of runs.
void FirstRows::MergeSome() {
  const std::size_t at = merged_.size();
  const std::size_t begin = at - at % (2 * run_rows_);
  const std::size_t middle = std::min(begin + run_rows_, rows_.size());
  const std::size_t end = std::min(middle + run_rows_, rows_.size());
  std::size_t first = begin + taken_of_first_;
  std::size_t second = middle + (at - begin - taken_of_first_);
  for (std::size_t i = 0; i < kRowsOfStep && (first < middle || second < end);
       ++i) {
    const bool takes_second =
        first == middle ||
        (second < end && IsBefore(rows_[second], rows_[first]));
    merged_.push_back(rows_[takes_second ? second++ : first++]);
  }
  const bool is_over = first == middle && second == end;
  taken_of_first_ = is_over ? 0 : first - begin;
}

}  // namespace entitable
