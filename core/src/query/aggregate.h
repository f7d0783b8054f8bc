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
inline constexpr std::size_t kMaxBins = 1'000;

enum class AggregateKind : std::uint8_t {
  kCount,  // Without a name, of entities; with one, of values.
  kSum,
  kAverage,
  kLeast,
  kGreatest,
  kDistinct,
  kQuantile,
  kHistogram,
};

struct AggregateTerm {
  AggregateKind kind;
  std::string name = {};  // Of the property.

  // Of a quantile: its fraction, from 0 to 1.  Of a histogram: the number of
  // its bins, 1 to 1,000, or two or more bounds, which ascend.
  std::vector<double> numbers = {};

  // A quantile, and a histogram with bins of equal width, need all numbers.
  bool needs_numbers() const {
    return kind == AggregateKind::kQuantile ||
           (kind == AggregateKind::kHistogram && numbers.size() == 1);
  }

  // Of a histogram.
  std::size_t bins() const {
    return numbers.size() == 1 ? static_cast<std::size_t>(numbers[0])
                               : numbers.size() - 1;
  }

  bool operator==(const AggregateTerm&) const = default;
};

// Reads terms separated by commas: `count`; one of `count`, `sum`, `avg`,
// `min`, `max` and `distinct` and the name of a property; or `quantile` or
// `histogram`, a name, and numbers.  Blank text has no terms.  Fails with
// InvalidInput for other texts, and if there are too many terms.
Result<std::vector<AggregateTerm>> ParseAggregates(std::string_view text);

}  // namespace entitable

#endif  // ENTITABLE_QUERY_AGGREGATE_H_
