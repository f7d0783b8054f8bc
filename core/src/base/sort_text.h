// sort_text.h - texts in the order of their UTF-16 code units, as bytes.
//
//   text = UTF-8 with these changes: 00 becomes 01 01 and 01 becomes 01 02, so
//          that 00 can end the text; EE and EF become FE and FF, so that U+E000
//          to U+FFFF follow the surrogate pairs of UTF-16

#ifndef ENTITABLE_BASE_SORT_TEXT_H_
#define ENTITABLE_BASE_SORT_TEXT_H_

#include <optional>
#include <string>
#include <string_view>

namespace entitable {

// Ends a text.  No encoded text has it.
inline constexpr char kSortTextEnd = 0x00;

void AppendSortText(std::string_view utf8, std::string& out);
std::string MakeSortText(std::string_view utf8);

// The UTF-8 form of such a text: a view of the bytes if nothing is escaped,
// otherwise a view of `room`.  Nothing if the bytes do not follow the grammar.
std::optional<std::string_view> ReadSortText(std::string_view text,
                                             std::string& room);

// Like ReadSortText(), but copies the text.  Returns false if the bytes do not
// follow the grammar.
bool CopySortText(std::string_view bytes, std::string& text);

// ----------------------------------------------------------------- text prefix

// The texts that begin with a prefix, as a range.

// The least text that is greater than all texts with this prefix, by UTF-16
// code units; nothing if there is none.  It is at most one byte longer than the
// prefix, which must be valid UTF-8.
std::optional<std::string> EndOfPrefix(std::string_view prefix);

}  // namespace entitable

#endif  // ENTITABLE_BASE_SORT_TEXT_H_
