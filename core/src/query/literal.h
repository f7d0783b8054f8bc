// literal.h - the constants of a filter, read and printed.

#ifndef ENTITABLE_QUERY_LITERAL_H_
#define ENTITABLE_QUERY_LITERAL_H_

#include <optional>
#include <string>
#include <string_view>

#include "model/value.h"
#include "query/fixed_string_buffer.h"

namespace entitable {

// The type that the form of a number names: `5` Int32, `5L` Int64, and `5.0`,
// `5e1`, `5d` or `-INF` Double.  Nothing for text in none of these forms.
std::optional<EdmType> NumberType(std::string_view text);

// The type of a literal in quotes, by what touches the opening quote: nothing
// before it means String.  Nothing for a word that is no type.
std::optional<EdmType> QuotedType(std::string_view prefix);

// The value of a number (`text` is all of it) or of a literal in quotes (`text`
// is what stands between them, its quotes still doubled).  Nothing when there
// is no such value of the type.  The arena gets what the filter spells
// otherwise than the value; it needs no more room than `text`.
std::optional<Value> ReadLiteral(EdmType type, std::string_view text,
                                 FixedStringBuffer& strings);

// true and false in any case, NaN, INF and Infinity: literals in the shape of a
// name.
std::optional<Value> WordLiteral(std::string_view word);

// As a filter would spell it, so that the type shows.
void AppendLiteral(const Value& value, std::string& out);

}  // namespace entitable

#endif  // ENTITABLE_QUERY_LITERAL_H_
