// conditions.h - a filter in the form in which rows are tested.
//
// Properties are numbered, so that each is looked up once per page or row,
// however many conditions use it.  Operands of an `or` that compare one
// property by `eq` become one condition with a set of literals.  So do operands
// of an `and` that compare one property by `ne`.

#ifndef ENTITABLE_QUERY_CONDITIONS_H_
#define ENTITABLE_QUERY_CONDITIONS_H_

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "base/key_table.h"
#include "model/value.h"
#include "query/expression.h"
#include "query/filter.h"
#include "query/literal.h"

namespace entitable {

enum class ConditionKind : std::uint8_t {
  // Leaves.
  kConstant,  // `literal`, a Boolean.
  kCompare,   // The property `op` `literal`.
  // The property exists, and is in the set (kEqual) or not in it (kNotEqual).
  kAmong,
  kTest,  // An expression.
  // Inner nodes.
  kNot,
  kAnd,
  kOr,
};

// In postfix order, like FilterNode.
struct Condition {
  ConditionKind kind;
  CompareOp op = CompareOp::kEqual;
  std::uint32_t property = 0;  // The property's number among the names.
  std::uint32_t set = 0;       // kAmong: the number of the set.
  std::uint32_t left = 0;      // kAnd, kOr: the left child.
  Value literal = Value::Boolean(false);

  bool by_value = false;    // kCompare, as in FilterNode.
  std::uint32_t first = 0;  // kTest, as in FilterNode.
  std::uint32_t count = 0;

  // Where the answer of this leaf leads: to the next leaf, or to the answer of
  // the whole filter.  It always leads forward, so testing a row is a walk
  // along leaves without a stack.
  std::uint32_t on_true = 0;
  std::uint32_t on_false = 0;

  bool is_leaf() const { return kind < ConditionKind::kNot; }
};

class Conditions {
 public:
  // The values of on_true and on_false that end the walk.
  static constexpr std::uint32_t kMatch = UINT32_MAX;
  static constexpr std::uint32_t kNoMatch = UINT32_MAX - 1;

  // The filter must outlive the conditions.
  explicit Conditions(const Filter& filter);

  const std::vector<Condition>& nodes() const { return nodes_; }

  // The names of the properties that the filter uses.
  const KeyTable& names() const { return names_; }

  const LiteralSet& SetOf(const Condition& among) const {
    return sets_[among.set];
  }

  // Of a kTest.  Its properties have their numbers.
  Expression TestOf(const Condition& test) const {
    return Expression(expressions_).subspan(test.first, test.count);
  }

  // The most answers that wait to be combined at a time.
  std::size_t max_depth() const { return max_depth_; }

 private:
  class Builder;
  void LinkAnswers();
  void MeasureDepth();

  KeyTable names_;
  std::vector<LiteralSet> sets_;
  std::vector<Condition> nodes_;
  std::vector<ExpressionNode> expressions_;
  std::size_t max_depth_ = 0;
};

}  // namespace entitable

#endif  // ENTITABLE_QUERY_CONDITIONS_H_
