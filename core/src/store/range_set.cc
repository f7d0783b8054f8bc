#include "store/range_set.h"

#include <algorithm>
#include <cstddef>
#include <iterator>
#include <utility>

#include "base/coding.h"
#include "base/heap_sort.h"

namespace entitable {
namespace {

// A table is its length and so many bytes.  The key of a row is longer.
bool IsTable(std::string_view sort_key) {
  return !sort_key.empty() &&
         sort_key.size() == 1U + static_cast<unsigned char>(sort_key.front());
}

}  // namespace

void AppendRange(const SortRange& range, std::string& out) {
  AppendText(range.begin, out);
  AppendText(range.end, out);
}

SortRange OneRow(TableId table, EntityKeyView key) {
  std::string sort_key = MakeSortKey(table, key);
  std::string end = sort_key + '\0';
  return {std::move(sort_key), std::move(end)};
}

RangeSet::RangeSet(std::string_view bytes) {
  std::vector<SortRange> all;
  for (Decoder rest(bytes); !rest.at_end();) {
    const std::string_view begin = rest.ReadText();
    const std::string_view end = rest.ReadText();
    if (begin < end) all.push_back({std::string(begin), std::string(end)});
  }
  HeapSort(all, [](const SortRange& a, const SortRange& b) {
    return a.begin < b.begin;
  });
  for (SortRange& range : all) {
    if (ranges_.empty() || ranges_.back().end < range.begin) {
      ranges_.push_back(std::move(range));
    } else if (ranges_.back().end < range.end) {
      ranges_.back().end = std::move(range.end);
    }
  }
}

bool RangeSet::Check(std::string_view bytes) {
  Decoder rest(bytes);
  while (!rest.failed() && !rest.at_end()) {
    rest.ReadText();
    rest.ReadText();
  }
  return !rest.failed();
}

bool RangeSet::Has(std::string_view sort_key) const {
  const auto next =
      std::ranges::upper_bound(ranges_, sort_key, {}, &SortRange::begin);
  if (next != ranges_.begin() && sort_key < std::prev(next)->end) return true;
  return IsTable(sort_key) && next != ranges_.end() &&
         next->begin.starts_with(sort_key);
}

}  // namespace entitable
