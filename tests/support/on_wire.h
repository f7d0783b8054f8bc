// on_wire.h - JSON as it is sent, from JSON as it reads well.

#ifndef ENTITABLE_TESTS_SUPPORT_ON_WIRE_H_
#define ENTITABLE_TESTS_SUPPORT_ON_WIRE_H_

#include <string>
#include <string_view>

namespace entitable {

// Without the line breaks and the spaces that begin each line: the examples of
// the spec are broken over lines for reading, the wire has none.
inline std::string OnWire(std::string_view json) {
  std::string wire;
  bool is_indent = true;
  for (const char character : json) {
    is_indent = character == '\n' || (is_indent && character == ' ');
    if (!is_indent) wire += character;
  }
  return wire;
}

}  // namespace entitable

#endif  // ENTITABLE_TESTS_SUPPORT_ON_WIRE_H_
