// member_roles.h - what each member of a request body is, by its name.

#ifndef ENTITABLE_MODEL_MEMBER_ROLES_H_
#define ENTITABLE_MODEL_MEMBER_ROLES_H_

#include <cstddef>
#include <optional>
#include <span>

#include "base/json_reader.h"
#include "model/member_names.h"
#include "model/report.h"
#include "model/type_annotations.h"

namespace entitable {

// Bodies that follow each other usually have the same names.  So the reader
// keeps the names that passed all checks, with the roles of their members; the
// same names then pass at once.
class MemberRoles {
 public:
  // Checks all names (model/member_names.h, model/type_annotations.h).  Returns
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

#endif  // ENTITABLE_MODEL_MEMBER_ROLES_H_
