// read_entity.h - what the core makes of the body of a write, as a text.

#ifndef ENTITABLE_TESTS_SUPPORT_READ_ENTITY_H_
#define ENTITABLE_TESTS_SUPPORT_READ_ENTITY_H_

#include <string>
#include <string_view>

#include "model/entity_reader.h"
#include "support/operations.h"
#include "support/print_properties.h"

namespace entitable {

// The properties that a new entity gets, or why it is refused.
inline std::string ReadNew(const std::string& body) {
  JsonReader reader;
  const auto entity = ReadNewEntity(reader, {body});
  return entity ? Print(entity->properties) : Refusal(entity.error());
}

// The same for a body given without the keys.
inline std::string ReadMembers(std::string_view members) {
  return ReadNew(EntityBody("p", "r", members));
}

inline std::string MessageOf(const std::string& body) {
  JsonReader reader;
  const auto entity = ReadNewEntity(reader, {body});
  return entity ? "accepted" : entity.error().message;
}

inline std::string ReadPatch(const std::string& body) {
  JsonReader reader;
  const auto update = ReadUpdate(reader, {body}, {{"p", "r"}});
  return update ? Print(update->properties) : Refusal(update.error());
}

}  // namespace entitable

#endif  // ENTITABLE_TESTS_SUPPORT_READ_ENTITY_H_
