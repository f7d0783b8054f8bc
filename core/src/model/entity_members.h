// entity_members.h - the members of an entity in JSON: names, types, roles.

#ifndef ENTITABLE_MODEL_ENTITY_MEMBERS_H_
#define ENTITABLE_MODEL_ENTITY_MEMBERS_H_

#include <cstddef>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "base/hash_index.h"
#include "base/json_reader.h"
#include "model/report.h"

namespace entitable {

// ---------------------------------------------------------------- member names

// Checks the names in a request body.
//
// Source: data model of the spec, 1.4.

using Members = JsonReader::Members;

struct Annotation {
  std::string_view property;
  std::string_view name;
};

// Splits "X@odata.type" into (X, odata.type).  Nothing if the member is no
// annotation.
std::optional<Annotation> AsAnnotation(std::string_view member_name);

// Whether the member becomes a custom property: it is not an annotation, not a
// system property and not null.  The service treats null like a missing member.
bool IsCustomProperty(const JsonMember& member);

// These report what they find and return whether further checks should run.

// Reports in the order of the names.
bool CheckDuplicateNames(const Members& members, Report& report);

// Also checks the names of custom properties, and how many there are.
bool CheckNames(const Members& members, Report& report);

// ------------------------------------------------------------ type annotations

// The type annotations of a request body.

// Finds an annotation by the property that it belongs to.
class TypeAnnotations {
 public:
  // Reports PropertyNameInvalid if an annotation names no property.
  // Returns whether further checks should run.  The members must outlive the
  // annotations.
  bool Read(const Members& members, Report& report);

  // Null: the property has no annotation.
  const JsonMember* Find(std::string_view property) const;

 private:
  Members members_;
  HashOrder order_;  // Of all members, by property; empty if no type is given.
};

// ---------------------------------------------------------------- member roles

// What each member of a request body is, by its name.

// Bodies that follow each other usually have the same names.  So the reader
// keeps the names that passed all checks, with the roles of their members; the
// same names then pass at once.
class MemberRoles {
 public:
  // Checks all names (model/entity_members.h, model/entity_members.h).  Returns
  // whether further checks should run.  The members must outlive the roles, and
  // nothing else may use the reader.
  bool Read(const Members& members, JsonReader& reader, Report& report);

  // Whether the member becomes a custom property.
  bool IsProperty(std::size_t member) const;

  // The annotation with the type of the member; null if it has none.
  const JsonMember* TypeOf(std::size_t member) const;

 private:
  void Note(JsonReader& reader) const;

  Members members_;
  std::optional<std::span<const KnownName>> known_;
  std::optional<TypeAnnotations> types_;  // If the names are not known.
};

}  // namespace entitable

#endif  // ENTITABLE_MODEL_ENTITY_MEMBERS_H_
