// expression.h - what the extended dialect of filters calculates: functions,
// arithmetic, and comparisons of any two values.
//
// A missing property has no value.  What is calculated of no value, or of
// values of wrong types, has no value either, and no condition on it holds.

#ifndef ENTITABLE_QUERY_EXPRESSION_H_
#define ENTITABLE_QUERY_EXPRESSION_H_

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/date_time.h"
#include "base/work_budget.h"
#include "model/json_value.h"
#include "model/value.h"
#include "query/compare_op.h"

namespace entitable {

// The functions of OData that take a part of a DateTime.

enum class DatePart : std::uint8_t {
  kYear,    // 1 to 9999.
  kMonth,   // 1 to 12.
  kDay,     // Of the month, 1 to 31.
  kHour,    // 0 to 23.
  kMinute,  // 0 to 59.
  kSecond,  // 0 to 59, without the fraction.
};

// The part with the name of a function: year, month, day, hour, minute, second.
// The case counts.
std::optional<DatePart> DatePartNamed(std::string_view name);
std::string_view DatePartName(DatePart part);

// In UTC.
std::int32_t PartOf(DateTime time, DatePart part);

// ------------------------------------------------------------------ expression

enum class ExpressionKind : std::uint8_t {
  // Leaves.
  kLiteral,
  kProperty,
  kWhole,  // The text of a property and its further parts (model/parts.h).
  kItem,   // Within kAny: the item, or at the path `name` in it.
  // Of two numbers.  Integers stay integers: `div` drops the fraction, and a
  // result beyond Int64 is no value.
  kAdd,
  kSubtract,
  kMultiply,
  kDivide,
  kModulo,
  // Functions of one value.
  kToLower,
  kToUpper,
  kLength,    // Of a String, in UTF-16 code units.
  kDatePart,  // `part` of a DateTime.
  kMember,    // At the path `name` in a text of JSON.
  // Conditions: two Strings, two values, a value and a list.  They are only at
  // the root and within kAny.
  kStartsWith,
  kEndsWith,
  kContains,
  kCompare,  // `op`
  kIn,
  // Within kAny: of conditions.
  kNot,
  kAnd,
  kOr,
  // Only at the root: a text of JSON has an array at the path `name`, and the
  // condition in front, of `body` nodes, holds for one of its items.
  kAny,
};

// In postfix order: each node follows its operands.
struct ExpressionNode {
  ExpressionKind kind;
  CompareOp op = CompareOp::kEqual;
  DatePart part = DatePart::kYear;
  std::uint32_t operands = 0;  // How many.
  std::uint32_t property = 0;  // Its number, in Conditions.
  std::uint32_t further = 0;   // kWhole: the number of its second part.
  std::string_view name = {};  // Of a property; a path (model/json_value.h).
  std::uint32_t body = 0;      // kAny
  Value literal = Value::Boolean(false);
};

using Expression = std::span<const ExpressionNode>;

// A condition: it is true or false, and no operand of another expression.
constexpr bool IsCondition(ExpressionKind kind) {
  return kind >= ExpressionKind::kStartsWith;
}

// The node without its operands for a function; nothing for another name.  The
// case counts.
std::optional<ExpressionNode> FunctionNamed(std::string_view name);

// The same for `add`, `sub`, `mul`, `div` and `mod`.
std::optional<ExpressionNode> ArithmeticNamed(std::string_view name);

// The prefix form, for example (contains (tolower S) 'x').
std::string ToString(Expression expression);

// Tests conditions.  Its memory is used again from row to row.
class ExpressionMachine {
 public:
  // `values` has the values of the properties by number.
  bool IsTrue(Expression condition,
              std::span<const std::optional<Value>> values, WorkBudget& work);

 private:
  using Operand = std::optional<Value>;

  void Run(Expression nodes, std::span<const Operand> values, WorkBudget& work);
  Operand ValueOf(const ExpressionNode& leaf, std::span<const Operand> values);
  Operand Calculate(const ExpressionNode& node,
                    std::span<const Operand> operands, WorkBudget& work);
  Operand InOtherCase(const ExpressionNode& node, std::string_view text);
  bool HasItem(Expression body, const ExpressionNode& any,
               std::span<const Operand> values, WorkBudget& work);

  std::vector<Operand> stack_;
  std::optional<JsonValue> item_;
  // The texts that were made for the current row.
  std::vector<std::string> texts_;
  std::size_t used_texts_ = 0;
};

}  // namespace entitable

#endif  // ENTITABLE_QUERY_EXPRESSION_H_
