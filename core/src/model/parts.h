// parts.h - values in several properties, and properties that a merge removes.

#ifndef ENTITABLE_MODEL_PARTS_H_
#define ENTITABLE_MODEL_PARTS_H_

#include <cstddef>
#include <string_view>

#include "model/entity.h"

namespace entitable {

// Clients of declared tables keep a long value in parts: Notes, Notes_2 and so
// on.  A full part is always followed by another one.

inline constexpr std::size_t kMaxParts = 16;

struct Part {
  std::string_view stem;
  std::size_t number = 0;  // 2 to kMaxParts; 0: it is no further part.
};
Part AsPart(std::string_view name);

// Whether no more fits into a part.  A text lacks a unit if the next character
// is a pair of surrogates.
bool IsFullPart(const PackedProperty& property);

// For merges that remove properties (docs/internals/frames.md, "Removed
// properties").  `removed` has for each of them a byte and its name as a text.
// If the byte is 1, the name is that of a part, such as "Notes_3", and the
// parts with higher numbers are removed, too.

// All properties but these, of a list that is given as bytes.
PropertyList WithoutRemoved(std::string_view list, std::string_view removed);

}  // namespace entitable

#endif  // ENTITABLE_MODEL_PARTS_H_
