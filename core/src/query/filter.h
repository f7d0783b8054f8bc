// filter.h - a filter as a valid tree.

#ifndef ENTITABLE_QUERY_FILTER_H_
#define ENTITABLE_QUERY_FILTER_H_

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "model/value.h"
#include "query/compare_op.h"
#include "query/expression.h"
#include "query/literal.h"

namespace entitable {

enum class FilterNodeKind : std::uint8_t {
  // Leaves.
  kConstant,  // `literal`, a Boolean.
  kProperty,  // `name` exists, is a Boolean, and is true.
  kCompare,   // `name` `op` `literal`.
  kTest,      // A condition among the expressions.
  // Inner nodes.
  kNot,
  kAnd,
  kOr,
};

// Nodes are in postfix order: each node follows its children, and the last node
// is the root.  So a subtree is a contiguous range of nodes that begins with a
// leaf.  The (right) child of node i is node i - 1.  If there is a left child,
// the right subtree begins directly behind it.
struct FilterNode {
  FilterNodeKind kind;
  CompareOp op = CompareOp::kEqual;
  std::string_view name = {};
  Value literal = Value::Boolean(false);
  std::uint32_t left = 0;  // kAnd, kOr: the left child.

  // kCompare of the extended dialect: numbers are compared by their values, and
  // a value of another type is as a missing one (query/compare_op.h).
  bool by_value = false;

  // kTest: where the condition begins, and its length.
  std::uint32_t first = 0;
  std::uint32_t count = 0;
};

// Immutable.  Move-only, because its nodes are views of its text.
class Filter {
 public:
  // For the parser.  There must be at least one node, in the order above.
  // `text` owns their names and literals.
  Filter(FixedStringBuffer text, std::vector<FilterNode> nodes,
         std::vector<ExpressionNode> expressions = {});

  const std::vector<FilterNode>& nodes() const { return nodes_; }

  // Of a kTest.
  Expression TestOf(const FilterNode& test) const {
    return Expression(expressions_).subspan(test.first, test.count);
  }

  // An unambiguous prefix form: (and (eq S 'a') (not (gt N 5L))).
  std::string ToString() const;

 private:
  FixedStringBuffer text_;
  std::vector<FilterNode> nodes_;
  std::vector<ExpressionNode> expressions_;  // Of all tests.
};

}  // namespace entitable

#endif  // ENTITABLE_QUERY_FILTER_H_
