#include "query/parser.h"

#include <algorithm>
#include <cassert>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "query/compare_op.h"
#include "query/lexer.h"
#include "query/literal.h"

namespace entitable {
namespace {

constexpr char kTooDeepText[] =
    "The filter nests more than 1,000 parentheses and 'not' in one another.";
static_assert(kMaxFilterDepth == 1000);

// In ascending order of precedence.  An open parenthesis is on the same stack
// and has the lowest precedence, so that no operator reaches past it.
enum class OperatorKind : std::uint8_t { kOpen, kOr, kAnd, kNot, kCompare };

struct Operator {
  OperatorKind kind;
  CompareOp op = CompareOp::kEqual;  // Only for kCompare.
};

enum class OperandKind : std::uint8_t {
  kProperty,
  kLiteral,
  kNull,
  kCondition
};

struct Operand {
  OperandKind kind;
  std::string_view name = {};
  Value literal = Value::Boolean(false);
  std::uint32_t node = 0;  // kCondition: its root.
};

bool IsArithmetic(std::string_view word) {
  return word == "add" || word == "sub" || word == "mul" || word == "div" ||
         word == "mod";
}

bool IsInfix(const Token& token) {
  return token.kind == TokenKind::kName &&
         (token.text == "and" || token.text == "or" || ToCompareOp(token.text));
}

Error FailNullComparison(CompareOp op) {
  const std::string_view name = OrderingName(op);
  if (name.empty()) return Fail(ErrorCode::kInvalidInput);
  std::string message = "The operator '";
  message.append(name);
  message.append("' is not supported for the 'null' literal; ");
  message.append("only equality checks are supported.");
  return Fail(ErrorCode::kInvalidInput, std::move(message));
}

// Parses by operator precedence with two explicit stacks (the shunting-yard
// algorithm).  An operand becomes nodes as soon as it is known to be a
// condition, from left to right.  This alone puts the nodes in postfix order.
class Parser {
 public:
  explicit Parser(TokenList list) : list_(std::move(list)) {}

  Result<Filter> Run() &&;

 private:
  // Each takes the next token, in one of the two states of the parser.
  Result<void> TakeOperand();
  Result<void> TakeOperator();

  Result<void> Open(OperatorKind kind);
  Result<void> Close();
  Result<void> TakeInfix(const Token& token);

  // Applies the waiting operators with at least this precedence.
  void Reduce(OperatorKind weakest);
  void Apply(Operator operation);
  Operand Compare(CompareOp op, const Operand& left, const Operand& right);
  // Makes the last operand a condition.
  void Complete();

  Operand Condition(FilterNode node);
  // For an error of meaning: keeps the first one and takes the place of the
  // condition, so that later syntax errors are still found.
  Operand Refuse(Error failure);

  bool StartsFunction() const;
  bool NotIsOperator() const;
  bool IsCompared() const {
    return !operators_.empty() &&
           operators_.back().kind == OperatorKind::kCompare;
  }

  const Token& Peek(std::size_t distance = 0) const {
    return list_.tokens[std::min(next_ + distance, list_.tokens.size() - 1)];
  }
  Operand TakeLastOperand() {
    const Operand last = operands_.back();
    operands_.pop_back();
    return last;
  }
  Error FailAt(const Token& token) const {
    return FailSyntax(list_.filter, token.end);
  }

  TokenList list_;
  std::size_t next_ = 0;
  bool wants_operand_ = true;
  bool is_done_ = false;

  std::vector<Operand> operands_;
  std::vector<Operator> operators_;
  // The number of kOpen and kNot on the stack of operators.
  std::size_t depth_ = 0;

  std::vector<FilterNode> nodes_;
  std::optional<Error> refusal_;
};

Result<Filter> Parser::Run() && {
  if (Peek().kind == TokenKind::kEnd) {
    Condition(
        {.kind = FilterNodeKind::kConstant, .literal = Value::Boolean(true)});
    is_done_ = true;
  }
  while (!is_done_) {
    ENTITABLE_TRY(wants_operand_ ? TakeOperand() : TakeOperator());
    ++next_;
  }
  if (refusal_) return *std::move(refusal_);
  return Filter(std::move(list_.strings), std::move(nodes_));
}

Result<void> Parser::TakeOperand() {
  const Token& token = Peek();
  if (token.kind == TokenKind::kOpen) return Open(OperatorKind::kOpen);
  if (token.kind == TokenKind::kLiteral) {
    operands_.push_back(
        {.kind = OperandKind::kLiteral, .literal = token.literal});
  } else if (token.kind != TokenKind::kName) {
    return FailAt(token);
  } else if (NotIsOperator()) {
    return Open(OperatorKind::kNot);
  } else if (StartsFunction()) {
    return Fail(ErrorCode::kNotImplemented);
  } else if (token.text == "null") {
    operands_.push_back({.kind = OperandKind::kNull});
  } else if (const auto literal = WordLiteral(token.text)) {
    operands_.push_back({.kind = OperandKind::kLiteral, .literal = *literal});
  } else {
    operands_.push_back({.kind = OperandKind::kProperty, .name = token.text});
  }
  wants_operand_ = false;
  return {};
}

Result<void> Parser::TakeOperator() {
  const Token& token = Peek();
  switch (token.kind) {
    case TokenKind::kName:
      return TakeInfix(token);
    case TokenKind::kClose:
      return Close();
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

Result<void> Parser::Open(OperatorKind kind) {
  if (++depth_ > kMaxFilterDepth) {
    return Fail(ErrorCode::kInvalidInput, kTooDeepText);
  }
  operators_.push_back({kind});
  return {};
}

// The content of the parentheses stays an operand of any kind: `(P) eq (5)`.
Result<void> Parser::Close() {
  Reduce(OperatorKind::kOr);
  if (operators_.empty()) return FailAt(Peek());
  operators_.pop_back();
  --depth_;
  return {};
}

Result<void> Parser::TakeInfix(const Token& token) {
  if (const auto op = ToCompareOp(token.text)) {
    // `a eq b eq c`: comparisons cannot be chained.
    if (IsCompared()) return FailAt(token);
    operators_.push_back({OperatorKind::kCompare, *op});
  } else if (token.text == "and" || token.text == "or") {
    const auto kind =
        token.text == "and" ? OperatorKind::kAnd : OperatorKind::kOr;
    Reduce(kind);
    Complete();
    operators_.push_back({kind});
  } else if (IsArithmetic(token.text)) {
    return Fail(ErrorCode::kNotImplemented);
  } else {
    return FailAt(token);
  }
  wants_operand_ = true;
  return {};
}

void Parser::Reduce(OperatorKind weakest) {
  while (!operators_.empty() && operators_.back().kind >= weakest) {
    const Operator operation = operators_.back();
    operators_.pop_back();
    Apply(operation);
  }
}

void Parser::Apply(Operator operation) {
  if (operation.kind == OperatorKind::kCompare) {
    const Operand right = TakeLastOperand();
    const Operand left = TakeLastOperand();
    operands_.push_back(Compare(operation.op, left, right));
    return;
  }
  Complete();
  TakeLastOperand();
  if (operation.kind == OperatorKind::kNot) {
    --depth_;
    operands_.push_back(Condition({.kind = FilterNodeKind::kNot}));
    return;
  }
  const Operand left = TakeLastOperand();
  assert(left.kind == OperandKind::kCondition);
  operands_.push_back(Condition({.kind = operation.kind == OperatorKind::kAnd
                                             ? FilterNodeKind::kAnd
                                             : FilterNodeKind::kOr,
                                 .left = left.node}));
}

Operand Parser::Compare(CompareOp op, const Operand& left,
                        const Operand& right) {
  if (left.kind == OperandKind::kNull || right.kind == OperandKind::kNull) {
    return Refuse(FailNullComparison(op));
  }
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

void Parser::Complete() {
  const Operand operand = TakeLastOperand();
  if (operand.kind == OperandKind::kCondition) {
    operands_.push_back(operand);
  } else if (operand.kind == OperandKind::kProperty) {
    operands_.push_back(
        Condition({.kind = FilterNodeKind::kProperty, .name = operand.name}));
  } else if (operand.kind == OperandKind::kLiteral &&
             operand.literal.type() == EdmType::kBoolean) {
    operands_.push_back(Condition(
        {.kind = FilterNodeKind::kConstant, .literal = operand.literal}));
  } else {
    operands_.push_back(Refuse(Fail(ErrorCode::kInvalidInput)));
  }
}

Operand Parser::Condition(FilterNode node) {
  nodes_.push_back(node);
  return {.kind = OperandKind::kCondition,
          .node = static_cast<std::uint32_t>(nodes_.size() - 1)};
}

Operand Parser::Refuse(Error failure) {
  if (!refusal_) refusal_ = std::move(failure);
  return Condition({.kind = FilterNodeKind::kConstant});
}

// Whether a name directly before a parenthesis, at the position of an operand,
// is a function.  Logical operators are not functions: there the parenthesis is
// the error.
bool Parser::StartsFunction() const {
  const Token& name = Peek();
  return Peek(1).kind == TokenKind::kOpen && Peek(1).begin == name.end &&
         name.text != "not" && name.text != "and" && name.text != "or";
}

// A property may have the name of an operator, such as `not`.  So `not` is a
// property if no operand follows (`not)`), if an operand is already compared
// (`P eq not`), or before an infix operator that has a right operand of its own
// (`not eq 5`; but `not eq eq 5` negates `eq eq 5`).
bool Parser::NotIsOperator() const {
  if (Peek().text != "not" || IsCompared()) return false;
  const Token& next = Peek(1);
  if (next.kind == TokenKind::kEnd || next.kind == TokenKind::kClose) {
    return false;
  }
  if (!IsInfix(next)) return true;
  const Token& after = Peek(2);
  return after.kind == TokenKind::kEnd || after.kind == TokenKind::kClose ||
         IsInfix(after);
}

}  // namespace

Result<Filter> ParseFilter(std::string_view text) {
  ENTITABLE_TRY(TokenList list, Tokenize(text));
  return Parser(std::move(list)).Run();
}

}  // namespace entitable
