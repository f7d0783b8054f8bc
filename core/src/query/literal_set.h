// literal_set.h - a sorted set of literals, for conditions on one property.

#ifndef ENTITABLE_QUERY_LITERAL_SET_H_
#define ENTITABLE_QUERY_LITERAL_SET_H_

#include <array>
#include <cstddef>
#include <span>
#include <vector>

#include "model/value.h"

namespace entitable {

// A lookup takes a number of comparisons that is logarithmic in the size.  A
// value equals a literal if Compare() with kEqual is true.
class LiteralSet {
 public:
  // The texts of the literals must outlive the set.
  explicit LiteralSet(std::vector<Value> literals);

  bool Has(const Value& property) const;

  // The literals of one type, sorted and without duplicates.
  std::span<const Value> Of(EdmType type) const;

  // The literals of this type from the first one that is not less than the
  // property's value.  The two types must be comparable.
  std::span<const Value> From(EdmType type, const Value& property) const;

 private:
  std::vector<Value> literals_;           // By type, then by value.
  std::array<std::size_t, 10> starts_{};  // By type.
};

}  // namespace entitable

#endif  // ENTITABLE_QUERY_LITERAL_SET_H_
