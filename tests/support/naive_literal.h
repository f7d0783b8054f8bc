// naive_literal.h - the literals of naive_filter.h.

#ifndef ENTITABLE_TESTS_SUPPORT_NAIVE_LITERAL_H_
#define ENTITABLE_TESTS_SUPPORT_NAIVE_LITERAL_H_

#include <optional>
#include <string_view>

#include "support/naive_filter.h"

namespace entitable::naive {

// `5`, `5L`, `1.5`.
std::optional<Value> ReadNumber(std::string_view text);

// `true`, `NaN`, `-INF`.
std::optional<Value> NamedValue(std::string_view word);

// Whether a quote after this word begins a literal.
bool IsQuotedType(std::string_view word);

// The value of `type'text'`.
std::optional<Value> ReadQuoted(std::string_view type, std::string_view text);

}  // namespace entitable::naive

#endif  // ENTITABLE_TESTS_SUPPORT_NAIVE_LITERAL_H_
