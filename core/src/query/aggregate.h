// aggregate.h - what a query calculates of the entities of a group.

#ifndef ENTITABLE_QUERY_AGGREGATE_H_
#define ENTITABLE_QUERY_AGGREGATE_H_

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "entitable/result.h"

namespace entitable {

inline constexpr std::size_t kMaxAggregates = 64;

enum class AggregateKind : std::uint8_t {
  kCount,  // Without a name, of entities; with one, of values.
  kSum,
  kAverage,
  kLeast,
  kGreatest,
};

struct AggregateTerm {
  AggregateKind kind;
  std::string name;  // Of the property.

  bool operator==(const AggregateTerm&) const = default;
};

// Reads terms separated by commas: `count`, or one of `count`, `sum`, `avg`,
// `min` and `max` and the name of a property.  Blank text has no terms.  Fails
// with InvalidInput for other texts, and if there are too many terms.
Result<std::vector<AggregateTerm>> ParseAggregates(std::string_view text);

}  // namespace entitable

#endif  // ENTITABLE_QUERY_AGGREGATE_H_
