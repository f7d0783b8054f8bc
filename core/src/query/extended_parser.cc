// The productions of the extended dialect.
//
//   value = value ( "add" | "sub" | "mul" | "div" | "mod" ) value
//         | function "(" value { "," value } ")"
//         | property { "/" step } | variable { "/" step }
//   condition = value "in" "(" value { "," value } ")"
//             | function "(" value "," value ")"
//             | property { "/" step } "/" "any" "(" variable ":" condition ")"
//   step  = name | literal
//
// Multiplication binds more than addition, and both more than comparisons.
// What the default dialect can say, too, becomes nodes of the default dialect:
// they are tested on whole columns, and limit the key ranges.
//
// Which of the two an operand is part of shows only later.  So each literal and
// each property becomes an expression node as soon as it is read, and
// `Operand::begin` is the first node of the operand:
//
//   length(S) gt N add 1    S length N 1 add gt    one test of six nodes
//   N gt 1 or M gt 2        -                      two comparisons
//
// A comparison of a property with a literal takes its two nodes back.  They are
// the last ones, because operands are read from left to right.  The nodes of a
// test stay, and the filter's node names the first and their number.
//
// The condition within `any` is tested on items and not on rows.  So all of it
// becomes expression nodes, and none of the filter: `and`, `or` and `not`, too.

#include <string>

#include "base/sort_text.h"
#include "query/compare_op.h"
#include "query/filter_parser.h"

namespace entitable {
namespace {

using Kind = ExpressionKind;

bool IsValue(const Operand& operand) {
  return operand.kind == OperandKind::kProperty ||
         operand.kind == OperandKind::kLiteral ||
         operand.kind == OperandKind::kExpression;
}

bool IsLiteral(const Operand& operand) {
  return operand.kind == OperandKind::kLiteral;
}

bool IsText(const Operand& operand) {
  return IsLiteral(operand) && operand.literal.type() == EdmType::kString;
}

bool IsProperty(const Operand& operand) {
  return operand.kind == OperandKind::kProperty;
}

}  // namespace

// Behind a property or the variable of `any`, which is the last operand.
Result<void> FilterParser::ReadPath() {
  ExpressionNode& first = expressions_.back();
  const bool is_item = first.name == variable_;
  first.kind = is_item ? Kind::kItem : Kind::kWhole;
  std::string path;
  for (; Peek(1).kind == TokenKind::kSlash; next_ += 2) {
    const Token& step = Peek(2);
    const bool is_text = step.kind == TokenKind::kLiteral &&
                         step.literal.type() == EdmType::kString;
    if (step.kind != TokenKind::kName && step.kind != TokenKind::kLiteral) {
      return FailAt(step);
    }
    if (step.text == "any" && Peek(3).kind == TokenKind::kOpen) {
      next_ += 2;
      return OpenAny(path);
    }
    path += '\0';
    path += is_text ? step.literal.string() : step.text;
  }
  operands_.back().kind = OperandKind::kExpression;
  const std::string_view kept = list_.strings.Add(path);
  if (is_item) {
    first.name = kept;
  } else {
    expressions_.push_back(
        {.kind = Kind::kMember, .operands = 1, .name = kept});
  }
  wants_operand_ = false;
  return {};
}

// An `any` within another one would need an item of each.
Result<void> FilterParser::OpenAny(std::string_view path) {
  const Token& name = Peek();
  const Token& variable = Peek(2);
  if (is_in_any()) return FailAt(name);
  if (variable.kind != TokenKind::kName) return FailAt(variable);
  if (Peek(3).kind != TokenKind::kColon) return FailAt(Peek(3));
  ENTITABLE_TRY(Open(OperatorKind::kOpen));
  operators_.back().made = ExpressionNode{
      .kind = Kind::kAny, .operands = 2, .name = list_.strings.Add(path)};
  operators_.back().name = &name;
  operands_.pop_back();
  variable_ = variable.text;
  next_ += 3;
  return {};
}

Result<void> FilterParser::CloseAny(ExpressionNode any) {
  Complete();
  const Operand condition = TakeLastOperand();
  variable_ = {};
  any.body = static_cast<std::uint32_t>(expressions_.size()) - condition.begin;
  operands_.push_back(Make(any, condition.begin - 1));
  return {};
}

Result<void> FilterParser::ReadArithmetic(const ExpressionNode& made) {
  const bool is_sum = made.kind == Kind::kAdd || made.kind == Kind::kSubtract;
  const auto kind = is_sum ? OperatorKind::kSum : OperatorKind::kProduct;
  Reduce(kind);
  operators_.push_back({.kind = kind, .made = made, .name = &Peek()});
  wants_operand_ = true;
  return {};
}

Result<void> FilterParser::OpenCall() {
  const Token& name = Peek();
  auto made = FunctionNamed(name.text);
  if (!made) return FailFunction(list_.filter, name);
  made->operands = 0;
  ++next_;
  ENTITABLE_TRY(Open(OperatorKind::kOpen));
  operators_.back().made = made;
  operators_.back().name = &name;
  return {};
}

Result<void> FilterParser::OpenList() {
  Reduce(OperatorKind::kSum);
  const Token& name = Peek();
  if (IsCompared()) return FailAt(name);
  ++next_;
  if (Peek().kind != TokenKind::kOpen) return FailAt(Peek());
  ENTITABLE_TRY(Open(OperatorKind::kOpen));
  operators_.back().made = ExpressionNode{.kind = Kind::kIn, .operands = 1};
  operators_.back().name = &name;
  wants_operand_ = true;
  return {};
}

Result<void> FilterParser::ReadComma() {
  Reduce(OperatorKind::kOr);
  const bool is_in_call = !operators_.empty() && operators_.back().made &&
                          operators_.back().made->kind != Kind::kAny;
  if (!is_in_call) return FailAt(Peek());
  ++operators_.back().made->operands;
  wants_operand_ = true;
  return {};
}

Result<void> FilterParser::CloseCall(const Operator& call) {
  ExpressionNode made = *call.made;
  if (made.kind == Kind::kAny) return CloseAny(made);
  ++made.operands;
  const auto function = FunctionNamed(call.name->text);
  const bool is_list = made.kind == Kind::kIn;
  if (!is_list && made.operands != function->operands) return FailAt(Peek());
  const std::vector<Operand> operands(
      operands_.end() - static_cast<std::ptrdiff_t>(made.operands),
      operands_.end());
  operands_.resize(operands_.size() - made.operands);
  const Operand& first = operands.front();
  const auto others = std::span(operands).subspan(1);
  const bool is_of_column = IsProperty(first) && !is_in_any();
  const bool is_whole = made.kind == Kind::kWhole;
  if (!std::ranges::all_of(operands, IsValue) ||
      (is_whole && !IsProperty(first))) {
    operands_.push_back(Refuse(FailAt(*call.name)));
  } else if (is_whole) {
    expressions_.back().kind = Kind::kWhole;
    operands_.push_back(
        {.kind = OperandKind::kExpression, .begin = first.begin});
  } else if (made.kind == Kind::kStartsWith && is_of_column &&
             IsText(others[0])) {
    operands_.push_back(Prefix(first, others[0]));
  } else if (is_list && is_of_column &&
             std::ranges::all_of(others, IsLiteral)) {
    operands_.push_back(AnyOf(first, others));
  } else {
    operands_.push_back(Make(made, first.begin));
  }
  return {};
}

void FilterParser::Calculate(const Operator& operation) {
  const Operand right = TakeLastOperand();
  const Operand left = TakeLastOperand();
  operands_.push_back(IsValue(left) && IsValue(right)
                          ? Make(*operation.made, left.begin)
                          : Refuse(FailAt(*operation.name)));
}

Operand FilterParser::Make(const ExpressionNode& made, std::uint32_t begin) {
  expressions_.push_back(made);
  if (!IsCondition(made.kind)) {
    return {.kind = OperandKind::kExpression, .begin = begin};
  }
  if (is_in_any()) return {.kind = OperandKind::kCondition, .begin = begin};
  const auto end = static_cast<std::uint32_t>(expressions_.size());
  return Condition(
      {.kind = FilterNodeKind::kTest, .first = begin, .count = end - begin});
}

// ----------------------------------------------------------------- comparisons

Operand FilterParser::CompareValues(CompareOp op, const Operand& left,
                                    const Operand& right) {
  if (IsProperty(left) && IsLiteral(right) && !is_in_any()) {
    return CompareWithLiteral(op, left, right);
  }
  if (IsLiteral(left) && IsProperty(right) && !is_in_any()) {
    return CompareWithLiteral(Mirrored(op), right, left);
  }
  if (IsValue(left) && IsValue(right)) {
    return Make({.kind = Kind::kCompare, .op = op, .operands = 2}, left.begin);
  }
  if (const auto one = CompareCondition(op, left, right)) return *one;
  if (const auto one = CompareCondition(op, right, left)) return *one;
  return Refuse(Fail(ErrorCode::kNotImplemented,
                     "A condition can only be compared with true or false, by "
                     "eq or ne."));
}

Operand FilterParser::CompareWithLiteral(CompareOp op, const Operand& property,
                                         const Operand& literal) {
  expressions_.resize(std::min(property.begin, literal.begin),
                      {.kind = Kind::kLiteral});
  return Condition({.kind = FilterNodeKind::kCompare,
                    .op = op,
                    .name = property.name,
                    .literal = Narrowed(literal.literal),
                    .by_value = true});
}

// `contains(a,'b') eq false`: the condition, or its negation.
std::optional<Operand> FilterParser::CompareCondition(CompareOp op,
                                                      Operand condition,
                                                      const Operand& other) {
  const bool is_equality =
      op == CompareOp::kEqual || op == CompareOp::kNotEqual;
  const bool is_boolean =
      IsLiteral(other) && other.literal.type() == EdmType::kBoolean;
  if (condition.kind != OperandKind::kCondition || !is_boolean ||
      !is_equality) {
    return std::nullopt;
  }
  if (is_in_any()) {
    expressions_.erase(expressions_.begin() +
                       static_cast<std::ptrdiff_t>(other.begin));
    condition.begin -= other.begin < condition.begin ? 1 : 0;
  }
  const bool wanted = other.literal.boolean() == (op == CompareOp::kEqual);
  return wanted ? condition : Negated(condition);
}

Operand FilterParser::Negated(const Operand& condition) {
  if (!is_in_any()) return Condition({.kind = FilterNodeKind::kNot});
  return Make({.kind = Kind::kNot, .operands = 1}, condition.begin);
}

// As a range: it is tested as two comparisons are.
Operand FilterParser::Prefix(const Operand& property, const Operand& prefix) {
  const auto compare = [&](CompareOp op, std::string_view text) {
    Operand literal = prefix;
    literal.literal = Value::String(text);
    return CompareWithLiteral(op, property, literal);
  };
  const std::string_view text = prefix.literal.string();
  const Operand first = compare(CompareOp::kGreaterThanOrEqual, text);
  const auto end = EndOfPrefix(text);
  if (!end) return first;
  compare(CompareOp::kLessThan, list_.strings.Add(*end));
  return Condition({.kind = FilterNodeKind::kAnd, .left = first.node});
}

// As comparisons, which become a set.
Operand FilterParser::AnyOf(const Operand& property,
                            std::span<const Operand> literals) {
  Operand any = CompareWithLiteral(CompareOp::kEqual, property, literals[0]);
  for (const Operand& literal : literals.subspan(1)) {
    CompareWithLiteral(CompareOp::kEqual, property, literal);
    any = Condition({.kind = FilterNodeKind::kOr, .left = any.node});
  }
  return any;
}

}  // namespace entitable
