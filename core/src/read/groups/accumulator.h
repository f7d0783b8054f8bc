// accumulator.h - calculates an aggregate of the values that it is given.

#ifndef ENTITABLE_READ_GROUPS_ACCUMULATOR_H_
#define ENTITABLE_READ_GROUPS_ACCUMULATOR_H_

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/work_budget.h"
#include "entitable/result.h"
#include "model/column.h"
#include "model/entity.h"
#include "model/value.h"
#include "query/aggregate.h"
#include "read/groups/column_sums.h"

namespace entitable {

// Sums and averages take numbers, and leave out all other values.  So do
// quantiles and histograms, which also leave out NaN.
//
// Integers are added exactly, in 128 bits.  Doubles are added with a
// compensation (Neumaier's variant of Kahan's algorithm), so that the error
// does not grow with their number.
//
// Values of a group come in any order, from pages and from memory, and the
// result must not depend on it as far as possible.  It does not for integers.
// For doubles, a sum may still differ in its last digits.
class Accumulator {
 public:
  // The term must outlive the object.
  explicit Accumulator(const AggregateTerm& term);

  // A value that the entity has.  For counts, which count the calls, `value`
  // may be null: of entities, and of distinct values, which the caller knows.
  void Add(const Value* value);

  // For counts: counts this many entities or values.
  void AddCount(std::uint64_t count) { count_ += count; }

  // The same as Add() of each of these values of a column, in this order.
  void AddValues(const Column& column, std::span<const std::uint32_t> values);

  // If the aggregate needs all numbers, sorts them.  Returns false if the work
  // budget is spent first; the next call continues.  Nothing may be added
  // afterwards.
  bool SortNumbers(WorkBudget& work);

  // All numbers, sorted, if the aggregate needs them; or the counts of the bins
  // of a histogram with bounds, as CountBins() has them.
  std::span<const double> numbers() const { return numbers_; }

  // Appends the result; nothing if there is none, or if it has numbers().
  // - A count is an Int32, or a Double beyond its range.
  // - A sum is a Double if there was one, else an Int64 if there was one, else
  //   as a count.  Fails with SumOverflow if an Int64, or the integers that a
  //   Double holds exactly, do not include it.
  // - An average is a Double.
  // - The least and the greatest value are in the order of order_key.h; NaN
  //   does not count.
  Result<void> AppendTo(PropertyList& list, std::string_view name) const;

  // The memory that it takes beside itself.
  std::size_t bytes() const {
    return bound_.bytes().size() + bound_order_.size() +
           numbers_.size() * sizeof(double);
  }

 private:
  void AddNumber(const Value& value);
  void AddInteger(std::int64_t value);
  void AddSum(const WideSum& sum);
  void AddDouble(double value);
  void AddBound(const Value& value);
  void AddBoundOf(const Column& column, std::span<const std::uint32_t> values);
  void AddToDistribution(const Value& value);
  double Total() const;
  Result<void> AppendSum(PropertyList& list, std::string_view name) const;

  const AggregateTerm* term_;
  bool has_int64_ = false;
  bool has_double_ = false;
  std::uint64_t count_ = 0;

  // The sum of integers, as a number of 128 bits.
  std::uint64_t low_ = 0;
  std::int64_t high_ = 0;

  // The sum of doubles.
  double sum_ = 0;
  double compensation_ = 0;

  // The least or greatest value as a list of one, and its place in the order.
  PropertyList bound_;
  std::string bound_order_;

  std::vector<double> numbers_;
  std::size_t heap_size_ = 0;  // How many of these are still a heap.
};

}  // namespace entitable

#endif  // ENTITABLE_READ_GROUPS_ACCUMULATOR_H_
