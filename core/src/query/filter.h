// filter.h - a filter as a tree that is known to be sound.

#ifndef ENTITABLE_QUERY_FILTER_H_
#define ENTITABLE_QUERY_FILTER_H_

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "model/value.h"
#include "query/fixed_string_buffer.h"

namespace entitable {

enum class CompareOp : std::uint8_t {
  kEqual,
  kNotEqual,
  kLessThan,
  kLessThanOrEqual,
  kGreaterThan,
  kGreaterThanOrEqual,
};

inline constexpr CompareOp kCompareOps[] = {
    CompareOp::kEqual,       CompareOp::kNotEqual,
    CompareOp::kLessThan,    CompareOp::kLessThanOrEqual,
    CompareOp::kGreaterThan, CompareOp::kGreaterThanOrEqual,
};

// The keyword in a filter: "eq" and so on.
std::string_view CompareOpKeyword(CompareOp op);

enum class FilterNodeKind : std::uint8_t {
  // Leaves.
  kConstant,  // `literal`, a Boolean.
  kProperty,  // `name` exists, is a Boolean, and is true.
  kCompare,   // `name` `op` `literal`.
  // Inner nodes.
  kNot,
  kAnd,
  kOr,
};

// The nodes of a filter stand in postfix order: each follows its children, and
// the last one is the root.  So a subtree is a run of nodes that begins with a
// leaf; the (right) child of node i is node i - 1, and where there is a left
// one the right subtree begins just after it.
struct FilterNode {
  FilterNodeKind kind;
  CompareOp op = CompareOp::kEqual;
  std::string_view name = {};
  Value literal = Value::Boolean(false);
  std::uint32_t left = 0;  // kAnd, kOr: the left child.
};

// Immutable; move-only, for its nodes look at its text.
class Filter {
 public:
  // For the parser.  The nodes are in the order above, at least one; `text`
  // owns their names and literals.
  Filter(FixedStringBuffer text, std::vector<FilterNode> nodes);

  const std::vector<FilterNode>& nodes() const { return nodes_; }

  // Prefix form with one reading only: (and (eq S 'a') (not (gt N 5L))).
  std::string ToString() const;

 private:
  FixedStringBuffer text_;
  std::vector<FilterNode> nodes_;
};

}  // namespace entitable

#endif  // ENTITABLE_QUERY_FILTER_H_
