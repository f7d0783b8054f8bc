// text_prefix.h - the texts that begin with a prefix, as a range.

#ifndef ENTITABLE_QUERY_TEXT_PREFIX_H_
#define ENTITABLE_QUERY_TEXT_PREFIX_H_

#include <optional>
#include <string>
#include <string_view>

namespace entitable {

// The least text that is greater than all texts with this prefix, by UTF-16
// code units; nothing if there is none.  It is at most one byte longer than the
// prefix, which must be valid UTF-8.
std::optional<std::string> EndOfPrefix(std::string_view prefix);

}  // namespace entitable

#endif  // ENTITABLE_QUERY_TEXT_PREFIX_H_
