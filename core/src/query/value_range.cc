#include "query/value_range.h"

#include <bit>
#include <limits>

namespace entitable {
namespace {

constexpr std::int64_t kLeast = std::numeric_limits<std::int64_t>::min();
constexpr std::int64_t kGreatest = std::numeric_limits<std::int64_t>::max();
constexpr IntegerRange kNoIntegers{1, 0};

constexpr double kInfinity = std::numeric_limits<double>::infinity();
constexpr DoubleRange kNoDoubles{1, 0};

// The bit patterns of doubles with the same sign are in the order of their
// values.
double Above(double number) {
  if (number == 0) return std::numeric_limits<double>::denorm_min();
  const auto bits = std::bit_cast<std::int64_t>(number);
  return std::bit_cast<double>(number > 0 ? bits + 1 : bits - 1);
}

double Below(double number) { return -Above(-number); }

}  // namespace

IntegerRange IntegersFor(CompareOp op, std::int64_t literal) {
  switch (op) {
    case CompareOp::kEqual:
    case CompareOp::kNotEqual:
      return {literal, literal};
    case CompareOp::kLessThan:
      return literal == kLeast ? kNoIntegers
                               : IntegerRange{kLeast, literal - 1};
    case CompareOp::kLessThanOrEqual:
      return {kLeast, literal};
    case CompareOp::kGreaterThan:
      return literal == kGreatest ? kNoIntegers
                                  : IntegerRange{literal + 1, kGreatest};
    case CompareOp::kGreaterThanOrEqual:
      return {literal, kGreatest};
  }
  return kNoIntegers;
}

DoubleRange DoublesFor(CompareOp op, double literal) {
  switch (op) {
    case CompareOp::kEqual:
    case CompareOp::kNotEqual:
      return {literal, literal};  // Empty for NaN, as below.
    case CompareOp::kLessThan:
      return literal == -kInfinity ? kNoDoubles
                                   : DoubleRange{-kInfinity, Below(literal)};
    case CompareOp::kLessThanOrEqual:
      return {-kInfinity, literal};
    case CompareOp::kGreaterThan:
      return literal == kInfinity ? kNoDoubles
                                  : DoubleRange{Above(literal), kInfinity};
    case CompareOp::kGreaterThanOrEqual:
      return {literal, kInfinity};
  }
  return kNoDoubles;
}

std::int64_t IntegerOf(const Value& literal) {
  switch (literal.type()) {
    case EdmType::kInt32:
      return literal.int32();
    case EdmType::kBoolean:
      return literal.boolean();
    case EdmType::kDateTime:
      return literal.date_time().ticks;
    default:
      return literal.int64();
  }
}

double DoubleOf(const Value& literal) {
  return literal.type() == EdmType::kDouble
             ? literal.real()
             : static_cast<double>(IntegerOf(literal));
}

}  // namespace entitable
