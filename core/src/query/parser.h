// parser.h - the second stage of a filter: tokens to a tree.

#ifndef ENTITABLE_QUERY_PARSER_H_
#define ENTITABLE_QUERY_PARSER_H_

#include <cstddef>
#include <string_view>

#include "entitable/result.h"
#include "query/filter.h"

namespace entitable {

// Parentheses and `not`s around one place.  The service's limit is unknown;
// this one is far above what clients write and bounds the parser's stacks.
inline constexpr std::size_t kMaxFilterDepth = 1000;

// Reads the value of $filter, percent-decoded.  Empty or blank text is the
// filter that is always true.
//
// Fails with InvalidInput, or with NotImplemented for what OData has and the
// service leaves out: functions, arithmetic, and comparisons that are not of
// one property with one literal.  Of a filter with several faults, the first
// one is reported, but a fault of syntax before one of meaning.
Result<Filter> ParseFilter(std::string_view text);

}  // namespace entitable

#endif  // ENTITABLE_QUERY_PARSER_H_
