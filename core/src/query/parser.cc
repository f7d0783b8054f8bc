// The grammar, with the operators that bind least first:
//
//   condition = condition "or" condition
//             | condition "and" condition
//             | "not" condition
//             | operand operator operand       operator: eq ne lt le gt ge
//             | property | "true" | "false"
//             | "(" condition ")"
//   operand   = property | literal | "null" | "(" operand ")"
//
// The parser is in one of two states.  It wants an operand, before which there
// may be `(` and `not`; or it wants what can follow one: an operator, `)`, or
// the end.  An operator waits on its stack until `)`, the end, or an operator
// comes that does not bind more.  Reduce() then applies it to the operands on
// the other stack, so of equal operators the left one is applied first.  For P
// eq 1 or not Q and R:
//
//   read   operators    operands        nodes
//   P      -            P
//   eq 1   eq           P 1
//   or     or           (0)             0: P eq 1
//   not Q  or not       (0) Q
//   and    or and       (0) (2)         1: Q   2: not 1
//   R      or and       (0) (2) R
//   end    -            (5)             3: R   4: 2 and 3   5: 0 or 4
//
// A property may have the name of an operator, such as `and` or `eq`.  So only
// the state tells what a name means, and an operand becomes a node no sooner
// than it is used: as a side of a comparison, or as a condition.
//
// A syntax error ends the parse.  An error of meaning, such as a comparison
// with null, does not: Refuse() keeps the first one and lets a constant stand
// for the condition, because a syntax error behind it is what the service
// reports.

#include "query/parser.h"

#include <algorithm>
#include <cassert>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "query/compare_op.h"
#include "query/expression.h"
#include "query/filter_parser.h"
#include "query/lexer.h"
#include "query/literal.h"

namespace entitable {
namespace {

constexpr char kTooDeepText[] =
    "The filter nests more than 1,000 parentheses and 'not' in one another.";
static_assert(kMaxFilterDepth == 1000);

Error FailNullComparison(CompareOp op) {
  const std::string_view name = OrderingName(op);
  if (name.empty()) return Fail(ErrorCode::kInvalidInput);
  std::string message = "The operator '";
  message.append(name);
  message.append("' is not supported for the 'null' literal; ");
  message.append("only equality checks are supported.");
  return Fail(ErrorCode::kInvalidInput, std::move(message));
}

}  // namespace

Result<Filter> FilterParser::Run() && {
  if (Peek().kind == TokenKind::kEnd) {
    Condition(
        {.kind = FilterNodeKind::kConstant, .literal = Value::Boolean(true)});
    is_done_ = true;
  }
  while (!is_done_) {
    ENTITABLE_TRY(wants_operand_ ? ReadOperand() : ReadOperator());
    ++next_;
  }
  if (refusal_) return *std::move(refusal_);
  return Filter(std::move(list_.strings), std::move(nodes_),
                std::move(expressions_));
}

Result<void> FilterParser::ReadOperand() {
  const Token& token = Peek();
  if (token.kind == TokenKind::kOpen) return Open(OperatorKind::kOpen);
  if (token.kind == TokenKind::kLiteral) {
    AddLiteral(token.literal);
  } else if (token.kind != TokenKind::kName) {
    return FailAt(token);
  } else if (NotIsOperator()) {
    return Open(OperatorKind::kNot);
  } else if (StartsFunction()) {
    if (is_extended_) return OpenCall();
    return Fail(ErrorCode::kNotImplemented);
  } else if (token.text == "null") {
    operands_.push_back({.kind = OperandKind::kNull});
  } else if (const auto literal = WordLiteral(token.text)) {
    AddLiteral(*literal);
  } else {
    AddProperty(token.text);
    const bool is_item = is_in_any() && token.text == variable_;
    const bool has_path = Peek(1).kind == TokenKind::kSlash;
    if (is_item || has_path) return ReadPath();
  }
  wants_operand_ = false;
  return {};
}

Result<void> FilterParser::ReadOperator() {
  const Token& token = Peek();
  switch (token.kind) {
    case TokenKind::kName:
      return ReadInfix(token);
    case TokenKind::kClose:
      return Close();
    case TokenKind::kComma:
      return ReadComma();
    case TokenKind::kEnd:
      Reduce(OperatorKind::kOr);
      if (!operators_.empty()) return FailAt(token);
      Complete();
      is_done_ = true;
      return {};
    default:
      return FailAt(token);
  }
}

Result<void> FilterParser::Open(OperatorKind kind) {
  if (++depth_ > kMaxFilterDepth) {
    return Fail(ErrorCode::kInvalidInput, kTooDeepText);
  }
  operators_.push_back({kind});
  return {};
}

// The content of the parentheses stays an operand of any kind: `(P) eq (5)`.
Result<void> FilterParser::Close() {
  Reduce(OperatorKind::kOr);
  if (operators_.empty()) return FailAt(Peek());
  const Operator opened = operators_.back();
  operators_.pop_back();
  --depth_;
  return opened.made ? CloseCall(opened) : Result<void>();
}

Result<void> FilterParser::ReadInfix(const Token& token) {
  if (const auto op = ToCompareOp(token.text)) {
    Reduce(OperatorKind::kSum);
    // `a eq b eq c`: comparisons cannot be chained.
    if (IsCompared()) return FailAt(token);
    operators_.push_back({OperatorKind::kCompare, *op});
  } else if (token.text == "and" || token.text == "or") {
    const auto kind =
        token.text == "and" ? OperatorKind::kAnd : OperatorKind::kOr;
    Reduce(kind);
    Complete();
    operators_.push_back({kind});
  } else if (const auto made = ArithmeticNamed(token.text)) {
    if (!is_extended_) return Fail(ErrorCode::kNotImplemented);
    return ReadArithmetic(*made);
  } else if (is_extended_ && token.text == "in") {
    return OpenList();
  } else {
    return FailAt(token);
  }
  wants_operand_ = true;
  return {};
}

void FilterParser::Reduce(OperatorKind weakest) {
  while (!operators_.empty() && operators_.back().kind >= weakest) {
    const Operator operation = operators_.back();
    operators_.pop_back();
    Apply(operation);
  }
}

void FilterParser::Apply(Operator operation) {
  if (operation.kind == OperatorKind::kCompare) {
    const Operand right = TakeLastOperand();
    const Operand left = TakeLastOperand();
    operands_.push_back(Compare(operation.op, left, right));
    return;
  }
  if (operation.made) return Calculate(operation);
  Complete();
  const Operand right = TakeLastOperand();
  if (operation.kind == OperatorKind::kNot) {
    --depth_;
    operands_.push_back(Negated(right));
    return;
  }
  const Operand left = TakeLastOperand();
  assert(left.kind == OperandKind::kCondition);
  const bool is_and = operation.kind == OperatorKind::kAnd;
  operands_.push_back(
      is_in_any()
          ? Make({.kind = is_and ? ExpressionKind::kAnd : ExpressionKind::kOr,
                  .operands = 2},
                 left.begin)
          : Condition(
                {.kind = is_and ? FilterNodeKind::kAnd : FilterNodeKind::kOr,
                 .left = left.node}));
}

Operand FilterParser::Compare(CompareOp op, const Operand& left,
                              const Operand& right) {
  if (left.kind == OperandKind::kNull || right.kind == OperandKind::kNull) {
    return Refuse(FailNullComparison(op));
  }
  if (is_extended_) return CompareValues(op, left, right);
  if (left.kind == OperandKind::kProperty &&
      right.kind == OperandKind::kLiteral) {
    return Condition({.kind = FilterNodeKind::kCompare,
                      .op = op,
                      .name = left.name,
                      .literal = right.literal});
  }
  if (left.kind == OperandKind::kLiteral &&
      right.kind == OperandKind::kProperty) {
    return Compare(Mirrored(op), right, left);
  }
  return Refuse(Fail(ErrorCode::kNotImplemented));
}

void FilterParser::Complete() {
  const Operand operand = TakeLastOperand();
  if (operand.kind == OperandKind::kCondition) {
    operands_.push_back(operand);
  } else if (is_in_any() && operand.kind != OperandKind::kNull) {
    // A truth value.
    expressions_.push_back(
        {.kind = ExpressionKind::kLiteral, .literal = Value::Boolean(true)});
    operands_.push_back(
        Make({.kind = ExpressionKind::kCompare, .operands = 2}, operand.begin));
  } else if (operand.kind == OperandKind::kProperty) {
    operands_.push_back(
        Condition({.kind = FilterNodeKind::kProperty, .name = operand.name}));
  } else if (operand.kind == OperandKind::kLiteral &&
             operand.literal.type() == EdmType::kBoolean) {
    operands_.push_back(Condition(
        {.kind = FilterNodeKind::kConstant, .literal = operand.literal}));
  } else if (operand.kind == OperandKind::kExpression) {
    operands_.push_back(Refuse(FailSyntax(list_.filter, Peek().begin)));
  } else {
    operands_.push_back(Refuse(Fail(ErrorCode::kInvalidInput)));
  }
}

Operand FilterParser::Condition(FilterNode node) {
  nodes_.push_back(node);
  return {.kind = OperandKind::kCondition,
          .node = static_cast<std::uint32_t>(nodes_.size() - 1)};
}

Operand FilterParser::Refuse(Error failure) {
  if (!refusal_) refusal_ = std::move(failure);
  return Condition({.kind = FilterNodeKind::kConstant});
}

// With their expression nodes, which the extended dialect may need.
void FilterParser::AddLiteral(const Value& literal) {
  const auto begin = static_cast<std::uint32_t>(expressions_.size());
  operands_.push_back(
      {.kind = OperandKind::kLiteral, .literal = literal, .begin = begin});
  if (is_extended_) {
    expressions_.push_back(
        {.kind = ExpressionKind::kLiteral, .literal = literal});
  }
}

void FilterParser::AddProperty(std::string_view name) {
  const auto begin = static_cast<std::uint32_t>(expressions_.size());
  operands_.push_back(
      {.kind = OperandKind::kProperty, .name = name, .begin = begin});
  if (is_extended_) {
    expressions_.push_back({.kind = ExpressionKind::kProperty, .name = name});
  }
}

// Whether a name directly before a parenthesis, at the position of an operand,
// is a function.  Logical operators are not functions: there the parenthesis is
// the error.
bool FilterParser::StartsFunction() const {
  const Token& name = Peek();
  return Peek(1).kind == TokenKind::kOpen && Peek(1).begin == name.end &&
         name.text != "not" && name.text != "and" && name.text != "or";
}

// A property may have the name of an operator, such as `not`.  So `not` is a
// property if no operand follows (`not)`, `not,`), if an operand is already
// compared (`P eq not`), or before an infix operator that has a right operand
// of its own (`not eq 5`; but `not eq eq 5` negates `eq eq 5`).
bool FilterParser::NotIsOperator() const {
  if (Peek().text != "not" || IsCompared()) return false;
  const Token& next = Peek(1);
  const bool ends = next.kind == TokenKind::kEnd ||
                    next.kind == TokenKind::kClose ||
                    next.kind == TokenKind::kComma;
  if (ends) return false;
  if (!IsInfix(next)) return true;
  const Token& after = Peek(2);
  return after.kind == TokenKind::kEnd || after.kind == TokenKind::kClose ||
         IsInfix(after);
}

bool FilterParser::IsInfix(const Token& token) const {
  if (token.kind != TokenKind::kName) return false;
  if (token.text == "and" || token.text == "or" || ToCompareOp(token.text)) {
    return true;
  }
  return is_extended_ && (token.text == "in" || ArithmeticNamed(token.text));
}

Result<Filter> ParseFilter(std::string_view text, FilterDialect dialect) {
  ENTITABLE_TRY(TokenList list, Tokenize(text, dialect));
  return FilterParser(std::move(list), dialect).Run();
}

}  // namespace entitable
