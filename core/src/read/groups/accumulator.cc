#include "read/groups/accumulator.h"

#include <cmath>
#include <optional>

#include "model/value_order.h"
#include "read/groups/distribution.h"
#include "read/ordered/order_key.h"

namespace entitable {
namespace {

constexpr std::int64_t kExactIntegers = std::int64_t{1} << 53;
constexpr double kTwo64 = 18446744073709551616.0;

// For a host to which both are a number.
void AppendNumber(std::int64_t number, PropertyList& list,
                  std::string_view name) {
  const bool is_int32 = number >= INT32_MIN && number <= INT32_MAX;
  list.Append(name, is_int32 ? Value::Int32(static_cast<std::int32_t>(number))
                             : Value::Double(static_cast<double>(number)));
}

// Neumaier's algorithm.
//
// What the addition has cut off of the smaller number is exact, and is added up
// apart.
void AddCompensated(double value, double& sum, double& compensation) {
  const double next = sum + value;
  compensation += std::fabs(sum) >= std::fabs(value) ? (sum - next) + value
                                                     : (value - next) + sum;
  sum = next;
}

bool IsNaN(const Value& value) {
  return value.type() == EdmType::kDouble && std::isnan(value.real());
}

std::optional<double> NumberOf(const Value& value) {
  switch (value.type()) {
    case EdmType::kInt32:
      return value.int32();
    case EdmType::kInt64:
      return static_cast<double>(value.int64());
    case EdmType::kDouble:
      return value.real() + 0.0;  // -0.0 becomes 0.0.
    default:
      return std::nullopt;
  }
}

}  // namespace

Accumulator::Accumulator(const AggregateTerm& term) : term_(&term) {
  const bool has_bounds =
      term.kind == AggregateKind::kHistogram && !term.needs_numbers();
  if (has_bounds) numbers_.resize(term.numbers.size() + 1);
}

void Accumulator::Add(const Value* value) {
  switch (term_->kind) {
    case AggregateKind::kCount:
    case AggregateKind::kDistinct:
      ++count_;
      break;
    case AggregateKind::kSum:
    case AggregateKind::kAverage:
      AddNumber(*value);
      break;
    case AggregateKind::kLeast:
    case AggregateKind::kGreatest:
      if (!IsNaN(*value)) AddBound(*value);
      break;
    case AggregateKind::kQuantile:
    case AggregateKind::kHistogram:
      if (!IsNaN(*value)) AddToDistribution(*value);
      break;
  }
}

void Accumulator::AddValues(const Column& column,
                            std::span<const std::uint32_t> values) {
  if (values.empty()) return;
  const AggregateKind kind = term_->kind;
  const bool adds =
      kind == AggregateKind::kSum || kind == AggregateKind::kAverage;
  const bool is_integer =
      column.type == EdmType::kInt32 || column.type == EdmType::kInt64;
  // Ascending numbers without a gap.
  //
  // Then all values from the first to the last one are wanted, and can be added
  // in words.
  const bool are_adjacent = values.back() - values.front() + 1 == values.size();
  if (adds && is_integer && are_adjacent) {
    AddSum(SumOfIntegers(column, values.front(), values.size()));
    count_ += values.size();
    has_int64_ |= column.type == EdmType::kInt64;
  } else if (kind == AggregateKind::kCount) {
    AddCount(values.size());
  } else if (kind == AggregateKind::kLeast ||
             kind == AggregateKind::kGreatest) {
    AddBoundOf(column, values);
  } else {
    for (const std::uint32_t i : values) {
      const Value value = column.ValueAt(i);
      Add(&value);
    }
  }
}

void Accumulator::AddNumber(const Value& value) {
  switch (value.type()) {
    case EdmType::kInt32:
      return AddInteger(value.int32());
    case EdmType::kInt64:
      has_int64_ = true;
      return AddInteger(value.int64());
    case EdmType::kDouble:
      return AddDouble(value.real());
    default:
      return;
  }
}

void Accumulator::AddInteger(std::int64_t value) {
  ++count_;
  const auto bits = static_cast<std::uint64_t>(value);
  low_ += bits;
  high_ += (value < 0 ? -1 : 0) + (low_ < bits ? 1 : 0);
}

// Adds low, and then high shifted by 32 bits, each with its carry.  The shift
// of a negative number keeps its sign, so the upper word needs no case.
void Accumulator::AddSum(const WideSum& sum) {
  const auto upper = static_cast<std::uint64_t>(sum.high) << 32;
  low_ += sum.low;
  high_ += low_ < sum.low ? 1 : 0;
  low_ += upper;
  high_ += (sum.high >> 32) + (low_ < upper ? 1 : 0);
}

void Accumulator::AddDouble(double value) {
  ++count_;
  has_double_ = true;
  AddCompensated(value, sum_, compensation_);
}

// Values of different types are compared, too, so the order is that of their
// bytes.
void Accumulator::AddBound(const Value& value) {
  std::string order;
  AppendOrderValue(&value, term_->kind == AggregateKind::kGreatest, order);
  if (bound_.count() > 0 && order >= bound_order_) return;
  bound_order_ = std::move(order);
  bound_.Clear();
  bound_.Append({}, value);
}

// Within a column, which has one type, no order keys are needed.  The first of
// equal values counts.
void Accumulator::AddBoundOf(const Column& column,
                             std::span<const std::uint32_t> values) {
  std::optional<Value> bound;
  for (const std::uint32_t i : values) {
    const Value value = column.ValueAt(i);
    if (IsNaN(value)) continue;
    const bool is_better = !bound || (term_->kind == AggregateKind::kLeast
                                          ? OrderOfOneType(value, *bound) < 0
                                          : OrderOfOneType(value, *bound) > 0);
    if (is_better) bound = value;
  }
  if (bound) AddBound(*bound);
}

void Accumulator::AddToDistribution(const Value& value) {
  const auto number = NumberOf(value);
  if (!number) return;
  if (term_->needs_numbers()) {
    AddToHeap(*number, numbers_);
    heap_size_ = numbers_.size();
  } else {
    ++numbers_[BinOf(*number, term_->numbers)];
  }
}

bool Accumulator::SortNumbers(WorkBudget& work) {
  return !term_->needs_numbers() || SortHeap(numbers_, heap_size_, work);
}

Result<void> Accumulator::AppendTo(PropertyList& list,
                                   std::string_view name) const {
  switch (term_->kind) {
    case AggregateKind::kCount:
    case AggregateKind::kDistinct:
      AppendNumber(static_cast<std::int64_t>(count_), list, name);
      break;
    case AggregateKind::kSum:
      if (count_ > 0) return AppendSum(list, name);
      break;
    case AggregateKind::kAverage:
      if (count_ > 0) {
        list.Append(name, Value::Double(Total() / static_cast<double>(count_)));
      }
      break;
    case AggregateKind::kLeast:
    case AggregateKind::kGreatest:
      if (const auto bound = PropertyCursor(bound_).Next()) {
        list.Append(name, bound->value);
      }
      break;
    case AggregateKind::kQuantile:
    case AggregateKind::kHistogram:
      break;
  }
  return {};
}

// The sum of all numbers.
double Accumulator::Total() const {
  const auto low = static_cast<std::int64_t>(low_);
  const double integers =
      high_ == (low < 0 ? -1 : 0)
          ? static_cast<double>(low)
          : static_cast<double>(high_) * kTwo64 + static_cast<double>(low_);
  double sum = sum_;
  double compensation = compensation_;
  AddCompensated(integers, sum, compensation);
  // With an infinity, the compensation is NaN.
  return std::isfinite(sum) ? sum + compensation : sum;
}

// A sum of integers is exact or fails: a number that is a little wrong would
// not be noticed.
Result<void> Accumulator::AppendSum(PropertyList& list,
                                    std::string_view name) const {
  if (has_double_) {
    list.Append(name, Value::Double(Total()));
    return {};
  }
  const auto sum = static_cast<std::int64_t>(low_);
  const bool fits = high_ == (sum < 0 ? -1 : 0);
  const bool is_exact = -kExactIntegers <= sum && sum <= kExactIntegers;
  if (!fits || (!has_int64_ && !is_exact)) {
    return Fail(
        ErrorCode::kSumOverflow,
        "The sum of " + term_->name + " is beyond the range of its type.");
  }
  if (has_int64_) {
    list.Append(name, Value::Int64(sum));
  } else {
    AppendNumber(sum, list, name);
  }
  return {};
}

}  // namespace entitable
