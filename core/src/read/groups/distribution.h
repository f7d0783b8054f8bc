// distribution.h - quantiles and histograms of numbers.

#ifndef ENTITABLE_READ_GROUPS_DISTRIBUTION_H_
#define ENTITABLE_READ_GROUPS_DISTRIBUTION_H_

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "base/work_budget.h"

namespace entitable {

// Numbers here are never NaN.  While they are collected they are a heap, so
// that they can be sorted in slices: each step of a heap sort moves one number
// to its place.
void AddToHeap(double number, std::vector<double>& heap);

// Sorts a heap.  `heap_size` is its size at first; the numbers behind these are
// sorted already.  Returns false if the work budget is spent first.
bool SortHeap(std::vector<double>& numbers, std::size_t& heap_size,
              WorkBudget& work);

// The number at the place `fraction` (0 to 1) of the way from the first to the
// last one; between two numbers in proportion.  This is PERCENTILE_CONT of SQL.
// Nothing if there are no numbers.
std::optional<double> QuantileOf(std::span<const double> sorted,
                                 double fraction);

// The least and the greatest finite number.
//
// An infinite number would make every bin infinite.
std::optional<std::pair<double, double>> FiniteRange(
    std::span<const double> sorted);

// A histogram has bins between bounds, which ascend: from each bound up to, but
// not including, the next one.  The last bin includes the last bound.  Without
// bounds there are no bins.

// Bounds of bins of equal width; of one bin, if the range is one number.
std::vector<double> EqualBounds(double least, double greatest,
                                std::size_t bins);

// The bin of a number, from 1; 0 if it is below all of them, and their number
// plus one if it is above.  There must be bounds.
std::size_t BinOf(double number, std::span<const double> bounds);

// How many numbers are below all bins, in each bin, and above all bins.
std::vector<double> CountBins(std::span<const double> sorted,
                              std::span<const double> bounds);

// Doubles: the counts below and above, then each bound with the count of the
// bin that begins there, and the last bound.
std::string HistogramBytes(std::span<const double> bounds,
                           std::span<const double> counts);

// How many bytes a histogram with this many bins has.
constexpr std::size_t HistogramSize(std::size_t bins) {
  return (2 * bins + 3) * sizeof(double);
}

}  // namespace entitable

#endif  // ENTITABLE_READ_GROUPS_DISTRIBUTION_H_
