// column_matcher.h - the inner loops that compare columns with ranges.

#ifndef ENTITABLE_QUERY_COLUMN_MATCHER_H_
#define ENTITABLE_QUERY_COLUMN_MATCHER_H_

#include <cstdint>
#include <span>

#include "model/column.h"
#include "query/pruning.h"

namespace entitable {

// Each function sets one bit per value: whether the value is in the range.
// Bits beyond the last value are undefined.

// The greatest unsigned integer of this many bytes (0 to 8).
std::uint64_t GreatestOf(std::uint8_t width);

// The column must have the form kIntegers.
void MatchIntegers(const Column& column, const IntegerRange& range,
                   std::span<std::uint64_t> matches);

// The column must have the form kDoubles.
void MatchDoubles(const Column& column, const DoubleRange& range,
                  std::span<std::uint64_t> matches);

// The column must have the form kDictionary.  Matches values with these
// entries.
void MatchEntries(const Column& column, std::span<const std::uint8_t> entries,
                  std::span<std::uint64_t> matches);

}  // namespace entitable

#endif  // ENTITABLE_QUERY_COLUMN_MATCHER_H_
