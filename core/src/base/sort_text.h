// sort_text.h - texts as bytes whose order (memcmp) is that of UTF-16 code
// units.
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
bool TakeSortText(std::string_view bytes, std::string& text);

}  // namespace entitable

#endif  // ENTITABLE_BASE_SORT_TEXT_H_
