// filter_parser.h - the parser of filters; for the files of the parser only.

#ifndef ENTITABLE_QUERY_FILTER_PARSER_H_
#define ENTITABLE_QUERY_FILTER_PARSER_H_

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <utility>
#include <vector>

#include "entitable/operation.h"
#include "entitable/result.h"
#include "query/compare_op.h"
#include "query/expression.h"
#include "query/filter.h"
#include "query/lexer.h"

namespace entitable {

// In ascending order of precedence.  An open parenthesis is on the same stack
// and has the lowest precedence, so that no operator reaches past it.
enum class OperatorKind : std::uint8_t {
  kOpen,
  kOr,
  kAnd,
  kNot,
  kCompare,
  // Of the extended dialect.
  kSum,
  kProduct,
};

struct Operator {
  OperatorKind kind;
  CompareOp op = CompareOp::kEqual;  // Only for kCompare.

  // kSum, kProduct; kOpen of a call or of the list of `in`.  `operands` is the
  // number of those that were read, also of the name before `in`.
  std::optional<ExpressionNode> made = {};
  const Token* name = nullptr;
};

enum class OperandKind : std::uint8_t {
  kProperty,
  kLiteral,
  kNull,
  kCondition,
  kExpression,  // A value that is calculated.
};

struct Operand {
  OperandKind kind;
  std::string_view name = {};
  Value literal = Value::Boolean(false);
  std::uint32_t node = 0;   // kCondition: its root.
  std::uint32_t begin = 0;  // Extended: the first of its expression nodes.
};

// Parses by operator precedence with two explicit stacks (the shunting-yard
// algorithm).  An operand becomes nodes as soon as it is known to be a
// condition, from left to right.  This alone puts the nodes in postfix order.
class FilterParser {
 public:
  FilterParser(TokenList list, FilterDialect dialect)
      : list_(std::move(list)),
        is_extended_(dialect == FilterDialect::kExtended) {}

  Result<Filter> Run() &&;

 private:
  // Each takes the next token, in one of the two states of the parser.
  Result<void> ReadOperand();
  Result<void> ReadOperator();

  Result<void> Open(OperatorKind kind);
  Result<void> Close();
  Result<void> ReadInfix(const Token& token);

  // Applies the waiting operators with at least this precedence.
  void Reduce(OperatorKind weakest);
  void Apply(Operator operation);
  Operand Compare(CompareOp op, const Operand& left, const Operand& right);
  // Makes the last operand a condition.
  void Complete();

  void AddLiteral(const Value& literal);
  void AddProperty(std::string_view name);
  Operand Condition(FilterNode node);
  // For an error of meaning: keeps the first one and takes the place of the
  // condition, so that later syntax errors are still found.
  Operand Refuse(Error failure);

  bool StartsFunction() const;
  bool NotIsOperator() const;
  bool IsInfix(const Token& token) const;
  // Whether the next operand is one of a comparison or of arithmetic.
  bool IsCompared() const {
    return !operators_.empty() &&
           operators_.back().kind >= OperatorKind::kCompare;
  }

  // --- The extended dialect: extended_parser.cc

  Result<void> ReadPath();
  Result<void> OpenAny(std::string_view path);
  Result<void> CloseAny(ExpressionNode any);
  bool is_in_any() const { return !variable_.empty(); }
  Operand Negated(const Operand& condition);
  Result<void> ReadArithmetic(const ExpressionNode& made);
  Result<void> OpenCall();
  Result<void> OpenList();
  Result<void> ReadComma();
  Result<void> CloseCall(const Operator& call);
  void Calculate(const Operator& operation);
  Operand CompareValues(CompareOp op, const Operand& left,
                        const Operand& right);
  std::optional<Operand> CompareCondition(CompareOp op, Operand condition,
                                          const Operand& other);
  Operand CompareWithLiteral(CompareOp op, const Operand& property,
                             const Operand& literal);
  Operand Prefix(const Operand& property, const Operand& prefix);
  Operand AnyOf(const Operand& property, std::span<const Operand> literals);
  // Makes a value or a condition of the last operands.
  Operand Make(const ExpressionNode& made, std::uint32_t begin);

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
  bool is_extended_;
  std::string_view variable_;  // The name of the item, within `any`.
  std::size_t next_ = 0;
  bool wants_operand_ = true;
  bool is_done_ = false;

  std::vector<Operand> operands_;
  std::vector<Operator> operators_;
  // The number of kOpen and kNot on the stack of operators.
  std::size_t depth_ = 0;

  std::vector<FilterNode> nodes_;
  // Extended: operands are added as they are read, so their order is postfix.
  // Those that become other nodes are removed again.
  std::vector<ExpressionNode> expressions_;
  std::optional<Error> refusal_;
};

}  // namespace entitable

#endif  // ENTITABLE_QUERY_FILTER_PARSER_H_
