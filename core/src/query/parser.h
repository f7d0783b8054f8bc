// parser.h - the second stage of a filter: turns tokens into a tree.

#ifndef ENTITABLE_QUERY_PARSER_H_
#define ENTITABLE_QUERY_PARSER_H_

#include <cstddef>
#include <string_view>

#include "entitable/operation.h"
#include "entitable/result.h"
#include "query/filter.h"

namespace entitable {

// The nesting depth of parentheses and `not`.  The service's limit is unknown.
// This one is far above what clients write, and it bounds the parser's stacks.
inline constexpr std::size_t kMaxFilterDepth = 1000;

// Reads the value of $filter, percent-decoded.  Empty or blank text is a filter
// that is always true.
//
// The extended dialect also has functions, arithmetic, `in`, and comparisons of
// any two values: docs/reference/filters.md.
//
// Fails with InvalidInput, or with NotImplemented for OData features that the
// service does not support: functions, arithmetic, and comparisons other than
// one property with one literal.  If a filter has several errors, syntax errors
// come before errors of meaning, and the first of a kind is reported.
Result<Filter> ParseFilter(std::string_view text,
                           FilterDialect dialect = FilterDialect::kService);

}  // namespace entitable

#endif  // ENTITABLE_QUERY_PARSER_H_
