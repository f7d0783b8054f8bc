// conditions.h - a filter made ready to be asked of many rows.
//
// Properties are numbered, so that each is looked for once in a page or a row,
// however many conditions ask for it.  The operands of an `or` that compare one
// property for `eq` become one condition with a set of literals, and so do
// those of an `and` that compare it for `ne`.

#ifndef ENTITABLE_QUERY_CONDITIONS_H_
#define ENTITABLE_QUERY_CONDITIONS_H_

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "base/key_table.h"
#include "model/value.h"
#include "query/filter.h"
#include "query/literal_set.h"

namespace entitable {

enum class ConditionKind : std::uint8_t {
  // Leaves.
  kConstant,  // `literal`, a Boolean.
  kCompare,   // The property `op` `literal`.
  kAmong,     // It is there, and kEqual: in the set; kNotEqual: not in it.
  // Inner nodes.
  kNot,
  kAnd,
  kOr,
};

// In postfix order, as FilterNode.
struct Condition {
  ConditionKind kind;
  CompareOp op = CompareOp::kEqual;
  std::uint32_t property = 0;  // Its number among the names.
  std::uint32_t set = 0;       // kAmong: its number among the sets.
  std::uint32_t left = 0;      // kAnd, kOr: the left child.
  Value literal = Value::Boolean(false);

  // Where the answer of this node leads: to the next leaf to ask, or to the
  // answer of the whole filter.  Always forward, so that testing a row is a
  // walk along leaves, without a stack.
  std::uint32_t on_true = 0;
  std::uint32_t on_false = 0;

  bool is_leaf() const { return kind < ConditionKind::kNot; }
};

class Conditions {
 public:
  // The values of on_true and on_false that end the walk.
  static constexpr std::uint32_t kMatch = UINT32_MAX;
  static constexpr std::uint32_t kNoMatch = UINT32_MAX - 1;

  // The filter must outlive it.
  explicit Conditions(const Filter& filter);

  const std::vector<Condition>& nodes() const { return nodes_; }

  // Of the properties that are asked for.
  const KeyTable& names() const { return names_; }

  const LiteralSet& SetOf(const Condition& among) const {
    return sets_[among.set];
  }

  // How many answers wait to be joined at a time.
  std::size_t max_depth() const { return max_depth_; }

 private:
  class Builder;
  void LinkAnswers();
  void MeasureDepth();

  KeyTable names_;
  std::vector<LiteralSet> sets_;
  std::vector<Condition> nodes_;
  std::size_t max_depth_ = 0;
};

}  // namespace entitable

#endif  // ENTITABLE_QUERY_CONDITIONS_H_
