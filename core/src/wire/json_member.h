// json_member.h - writes the members of an entity in the service's JSON.
//
// Sources: payloads of the spec, sections 4.1 and 4.3.

#ifndef ENTITABLE_WIRE_JSON_MEMBER_H_
#define ENTITABLE_WIRE_JSON_MEMBER_H_

#include <string_view>

#include "base/text_buffer.h"
#include "entitable/operation.h"
#include "model/value.h"

namespace entitable {

// Begins a member: a comma unless it is the first of its object, then the name.
// The buffer must not be empty.
void AppendName(std::string_view name, TextBuffer& out);

// A member with a text.
void AppendMember(std::string_view name, std::string_view text,
                  TextBuffer& out);

// The member that tells the type of the one with this name.
void AppendTypeAnnotation(std::string_view name, EdmType type, TextBuffer& out);

// Whether the level has annotations, and the JSON alone does not tell the type.
// This depends on the value itself only if it is a Double.
bool NeedsTypeAnnotation(const Value& value, MetadataLevel level);

void AppendValueJson(const Value& value, TextBuffer& out);

}  // namespace entitable

#endif  // ENTITABLE_WIRE_JSON_MEMBER_H_
