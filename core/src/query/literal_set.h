// literal_set.h - the literals of which a property may be equal to one.

#ifndef ENTITABLE_QUERY_LITERAL_SET_H_
#define ENTITABLE_QUERY_LITERAL_SET_H_

#include <array>
#include <cstddef>
#include <span>
#include <vector>

#include "model/value.h"

namespace entitable {

// Finding one takes as many comparisons as the logarithm of their count.  A
// value is equal to a literal when Compare() with kEqual says so.
class LiteralSet {
 public:
  // The texts in them must outlive it.
  explicit LiteralSet(std::vector<Value> literals);

  bool Has(const Value& property) const;

  // Those of one type, in their order, each once.
  std::span<const Value> Of(EdmType type) const;

  // Those of them from the first on that is not less than a value of a type
  // that compares with theirs.
  std::span<const Value> From(EdmType type, const Value& property) const;

 private:
  std::vector<Value> literals_;           // By type, then in their order.
  std::array<std::size_t, 10> starts_{};  // By type.
};

}  // namespace entitable

#endif  // ENTITABLE_QUERY_LITERAL_SET_H_
