// column_matcher.h - the inner loops of a filter over columns.

#ifndef ENTITABLE_QUERY_COLUMN_MATCHER_H_
#define ENTITABLE_QUERY_COLUMN_MATCHER_H_

#include <cstdint>
#include <span>

#include "model/column.h"
#include "query/value_range.h"

namespace entitable {

// Each fills a bit for each of the values: whether it is in the range.  Bits
// beyond the values may be anything.

// The greatest integer of so many bytes: 0 to 8.
std::uint64_t GreatestOf(std::uint8_t width);

// Of a column whose form is kIntegers.
void MatchIntegers(const Column& column, const IntegerRange& range,
                   std::span<std::uint64_t> matches);

// Of a column whose form is kDoubles.
void MatchDoubles(const Column& column, const DoubleRange& range,
                  std::span<std::uint64_t> matches);

// Of a column whose form is kDictionary: whether it is one of these entries.
void MatchEntries(const Column& column, std::span<const std::uint8_t> entries,
                  std::span<std::uint64_t> matches);

}  // namespace entitable

#endif  // ENTITABLE_QUERY_COLUMN_MATCHER_H_
