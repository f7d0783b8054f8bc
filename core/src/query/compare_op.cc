// By value, 9007199254740993 (2^53 + 1) and 9007199254740992.0 differ.  Doubles
// are 2 apart there, so converting the integer would make them equal.
// Therefore the Double is cut to its whole part, which is exact, and compared
// as an Int64; if both are equal, the fraction decides.  Doubles beyond Int64
// are decided before, because converting them is undefined.
//
// A literal is stored with the narrowest type of its value.  N eq 5.0 and N eq
// 5 are one condition then, and the loops over columns, which know the
// conversions of the default dialect, give the answer of the extended one.
// Where they do not, each value is compared alone (IsComparedExactly()): for an
// Int32 column and 5.5, or for a Double column and an Int64 that no Double is
// equal to.

#include "query/compare_op.h"

#include <cmath>
#include <cstdint>
#include <limits>

#include "model/value_order.h"
#include "query/evaluator.h"

namespace entitable {

std::string_view CompareOpKeyword(CompareOp op) {
  switch (op) {
    case CompareOp::kEqual:
      return "eq";
    case CompareOp::kNotEqual:
      return "ne";
    case CompareOp::kLessThan:
      return "lt";
    case CompareOp::kLessThanOrEqual:
      return "le";
    case CompareOp::kGreaterThan:
      return "gt";
    case CompareOp::kGreaterThanOrEqual:
      return "ge";
  }
  return {};
}

std::optional<CompareOp> ToCompareOp(std::string_view keyword) {
  for (const CompareOp op : kCompareOps) {
    if (CompareOpKeyword(op) == keyword) return op;
  }
  return std::nullopt;
}

CompareOp Mirrored(CompareOp op) {
  switch (op) {
    case CompareOp::kLessThan:
      return CompareOp::kGreaterThan;
    case CompareOp::kLessThanOrEqual:
      return CompareOp::kGreaterThanOrEqual;
    case CompareOp::kGreaterThan:
      return CompareOp::kLessThan;
    case CompareOp::kGreaterThanOrEqual:
      return CompareOp::kLessThanOrEqual;
    default:
      return op;
  }
}

std::string_view OrderingName(CompareOp op) {
  switch (op) {
    case CompareOp::kLessThan:
      return "LessThan";
    case CompareOp::kLessThanOrEqual:
      return "LessThanOrEqual";
    case CompareOp::kGreaterThan:
      return "GreaterThan";
    case CompareOp::kGreaterThanOrEqual:
      return "GreaterThanOrEqual";
    default:
      return {};
  }
}

// -------------------------------------------------------------------- by value

namespace {

// The first number beyond Int64.
constexpr double kEndOfInt64 = 0x1p63;

bool IsNumber(EdmType type) {
  return type == EdmType::kInt32 || type == EdmType::kInt64 ||
         type == EdmType::kDouble;
}

std::int64_t WholeOf(const Value& integer) {
  return integer.type() == EdmType::kInt32 ? integer.int32() : integer.int64();
}

std::partial_ordering OrderOf(std::int64_t a, double b) {
  if (std::isnan(b)) return std::partial_ordering::unordered;
  if (b >= kEndOfInt64) return std::partial_ordering::less;
  if (b < -kEndOfInt64) return std::partial_ordering::greater;
  const double whole = std::trunc(b);
  const auto integer = static_cast<std::int64_t>(whole);
  if (a != integer) return a <=> integer;
  return 0.0 <=> b - whole;
}

std::partial_ordering Reversed(std::partial_ordering order) {
  return 0 <=> order;
}

}  // namespace

bool HaveOrder(EdmType a, EdmType b) {
  return a == b || (IsNumber(a) && IsNumber(b));
}

std::partial_ordering OrderByValue(const Value& a, const Value& b) {
  if (a.type() == b.type()) return OrderOfOneType(a, b);
  if (b.type() == EdmType::kDouble) return OrderOf(WholeOf(a), b.real());
  if (a.type() == EdmType::kDouble) {
    return Reversed(OrderOf(WholeOf(b), a.real()));
  }
  return WholeOf(a) <=> WholeOf(b);
}

bool CompareByValue(CompareOp op, const Value& a, const Value& b) {
  return HaveOrder(a.type(), b.type()) && Holds(op, OrderByValue(a, b));
}

Value Narrowed(const Value& literal) {
  if (!IsNumber(literal.type())) return literal;
  std::int64_t whole = 0;
  if (literal.type() != EdmType::kDouble) {
    whole = WholeOf(literal);
  } else {
    const double real = literal.real();
    const bool is_whole =
        real >= -kEndOfInt64 && real < kEndOfInt64 && std::trunc(real) == real;
    if (!is_whole) return literal;
    whole = static_cast<std::int64_t>(real);
  }
  using Int32 = std::numeric_limits<std::int32_t>;
  if (whole < Int32::min() || whole > Int32::max()) return Value::Int64(whole);
  return Value::Int32(static_cast<std::int32_t>(whole));
}

bool IsComparedExactly(EdmType property, const Value& literal) {
  if (!IsComparable(property, literal.type())) return false;
  if (property != EdmType::kDouble || literal.type() != EdmType::kInt64) {
    return true;
  }
  const auto rounded = static_cast<double>(literal.int64());
  return OrderOf(literal.int64(), rounded) == 0;
}

}  // namespace entitable
