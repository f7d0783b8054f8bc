#include "read/groups/distribution.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>

#include "base/coding.h"

namespace entitable {
namespace {

// Of moving a number through a heap.
std::uint64_t PartsOfNumber(std::size_t heap_size) {
  return kPartsPerPackedValue *
         static_cast<std::uint64_t>(std::bit_width(heap_size));
}

std::size_t CountBelow(double bound, std::span<const double> sorted) {
  return static_cast<std::size_t>(std::ranges::lower_bound(sorted, bound) -
                                  sorted.begin());
}

std::size_t CountUpTo(double bound, std::span<const double> sorted) {
  return static_cast<std::size_t>(std::ranges::upper_bound(sorted, bound) -
                                  sorted.begin());
}

void AppendBits(double value, std::string& bytes) {
  AppendU64(std::bit_cast<std::uint64_t>(value), bytes);
}

}  // namespace

void AddToHeap(double number, std::vector<double>& heap) {
  heap.push_back(number);
  std::push_heap(heap.begin(), heap.end());
}

bool SortHeap(std::vector<double>& numbers, std::size_t& heap_size,
              WorkBudget& work) {
  while (heap_size > 1) {
    if (work.is_spent()) return false;
    work.SpendParts(PartsOfNumber(heap_size));
    std::pop_heap(numbers.begin(),
                  numbers.begin() + static_cast<std::ptrdiff_t>(heap_size--));
  }
  return true;
}

std::optional<double> QuantileOf(std::span<const double> sorted,
                                 double fraction) {
  if (sorted.empty()) return std::nullopt;
  const double place = fraction * static_cast<double>(sorted.size() - 1);
  const auto before = static_cast<std::size_t>(place);
  const double rest = place - static_cast<double>(before);
  const double number = sorted[before];
  // A product with an infinity could be NaN.
  if (rest == 0 || sorted[before + 1] == number) return number;
  return std::lerp(number, sorted[before + 1], rest);
}

std::optional<std::pair<double, double>> FiniteRange(
    std::span<const double> sorted) {
  constexpr double kInfinity = std::numeric_limits<double>::infinity();
  const std::size_t begin = CountUpTo(-kInfinity, sorted);
  const std::size_t end = CountBelow(kInfinity, sorted);
  if (begin == end) return std::nullopt;
  return std::pair(sorted[begin], sorted[end - 1]);
}

// Each bound is made from both ends and not from the one before, so no error
// adds up, and the last one is exact.
std::vector<double> EqualBounds(double least, double greatest,
                                std::size_t bins) {
  if (least == greatest) return {least, greatest};
  std::vector<double> bounds;
  bounds.reserve(bins + 1);
  for (std::size_t i = 0; i <= bins; ++i) {
    bounds.push_back(std::lerp(
        least, greatest, static_cast<double>(i) / static_cast<double>(bins)));
  }
  return bounds;
}

// The last bound belongs to the bin before it, or the greatest number would be
// outside.
std::size_t BinOf(double number, std::span<const double> bounds) {
  return number == bounds.back() ? bounds.size() - 1
                                 : CountUpTo(number, bounds);
}

// The numbers are sorted, so each bin is what lies between two binary searches.
std::vector<double> CountBins(std::span<const double> sorted,
                              std::span<const double> bounds) {
  std::vector<double> counts;
  counts.reserve(bounds.size() + 2);
  std::size_t before = 0;
  const auto count_until = [&](std::size_t end) {
    counts.push_back(static_cast<double>(end - before));
    before = end;
  };
  for (std::size_t i = 0; i + 1 < bounds.size(); ++i) {
    count_until(CountBelow(bounds[i], sorted));
  }
  // Without bounds, no number is finite.
  count_until(bounds.empty() ? CountBelow(0, sorted)
                             : CountUpTo(bounds.back(), sorted));
  count_until(sorted.size());
  return counts;
}

std::string HistogramBytes(std::span<const double> bounds,
                           std::span<const double> counts) {
  std::string bytes;
  AppendBits(counts.front(), bytes);
  AppendBits(counts.back(), bytes);
  for (std::size_t i = 0; i < bounds.size(); ++i) {
    AppendBits(bounds[i], bytes);
    if (i + 1 < bounds.size()) AppendBits(counts[i + 1], bytes);
  }
  return bytes;
}

}  // namespace entitable
