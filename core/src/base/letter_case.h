// letter_case.h - changes the case of letters, independent of the locale.

#ifndef ENTITABLE_BASE_LETTER_CASE_H_
#define ENTITABLE_BASE_LETTER_CASE_H_

#include <string>
#include <string_view>

namespace entitable {

// Append the text, which must be valid UTF-8, with each letter in the other
// case.  A letter becomes one letter: if Unicode has only several in its place,
// it stays as it is.  Source: the simple mappings of Unicode 17.  By these, the
// upper case of a Greek letter with an iota below, such as U+1F80, is the one
// letter with an iota beside it, U+1F88, which Unicode also has as title case.
void AppendLowerCase(std::string_view text, std::string& out);
void AppendUpperCase(std::string_view text, std::string& out);

}  // namespace entitable

#endif  // ENTITABLE_BASE_LETTER_CASE_H_
