// parts.h - values in several properties, and properties that a merge removes.

#ifndef ENTITABLE_MODEL_PARTS_H_
#define ENTITABLE_MODEL_PARTS_H_

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "model/entity.h"
#include "model/value.h"

namespace entitable {

// Clients of declared tables keep a long value in parts: Notes, Notes_2 and so
// on.  A full part is always followed by another one.

inline constexpr std::size_t kMaxParts = 16;
inline constexpr std::size_t kMaxFurtherParts = kMaxParts - 1;

struct Part {
  std::string_view stem;
  std::size_t number = 0;  // 2 to kMaxParts; 0: it is no further part.
};
Part AsPart(std::string_view name);

// The name of a further part.
std::string PartName(std::string_view stem, std::size_t number);

// Whether no more fits into a part.  A text lacks a unit if the next character
// is a pair of surrogates.
bool IsFullPart(const PackedProperty& property);
bool IsFullText(std::string_view text);

// Which texts in parts count: those with a wrong number of parts have no value
// (kAll), or the value of the parts up to the first that is missing (kSome).
enum class Parts : bool { kAll, kSome };

// The whole text of its first part and of places for the further ones: a view
// of the only part, or of `room`.
std::optional<std::string_view> JoinParts(
    const std::optional<Value>& first,
    std::span<const std::optional<Value>> further, Parts rule,
    std::string& room);

// The same of a property in the bytes of a PropertyList.
std::optional<std::string_view> WholeText(std::string_view properties,
                                          std::string_view name, Parts rule,
                                          std::string& room);

// For merges that remove properties (docs/internals/frames.md, "Removed
// properties").  `removed` has for each of them a byte and its name as a text.
// If the byte is 1, the name is that of a part, such as "Notes_3", and the
// parts with higher numbers are removed, too.

// All properties but these, of a list that is given as bytes.
PropertyList WithoutRemoved(std::string_view list, std::string_view removed);

}  // namespace entitable

#endif  // ENTITABLE_MODEL_PARTS_H_
