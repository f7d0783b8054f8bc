// macros.h - the `{{...}}` of the conformance files.

#ifndef ENTITABLE_TESTS_SUPPORT_CONFORMANCE_MACROS_H_
#define ENTITABLE_TESTS_SUPPORT_CONFORMANCE_MACROS_H_

#include <map>
#include <string>
#include <string_view>

namespace entitable {

using Variables = std::map<std::string, std::string>;

// Puts in place of each what tests/conformance/README.md says.  What is no
// macro stays.
std::string Expand(std::string_view text, const Variables& variables);

// Whether the whole text is as the expanded pattern says.
bool MatchesPattern(std::string_view text, std::string_view pattern);

}  // namespace entitable

#endif  // ENTITABLE_TESTS_SUPPORT_CONFORMANCE_MACROS_H_
