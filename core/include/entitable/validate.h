// validate.h - every broken rule at once, and nothing stored.
//
// An engine answers a request that breaks several rules with the first one, as
// the service does.  A form wants to know them all.  The functions here run the
// same checks as the engine, without one, and go on after the first failure:
//
//   for (const Violation& one : ValidateEntity(body).violations) {
//     Show(one.path, RuleName(one.rule), one.limit);
//   }
//
// What a caller may rely on:
//
// - No violations: the engine takes the name, the key, or the body in an Insert
//   (the body must still find its table, and its key free).
// - Else the first violation in the list is the service's answer: its code and
//   message are those with which the engine refuses.  The others follow in the
//   order in which the service would report them, were the earlier ones
//   mended.
// - Of one rule at one place, only the first breach is listed (the first
//   character, for one).  What cannot be read is not judged further: the value
//   of the wrong type has no size.
// - The work is bounded: the list ends after kMaxViolations, and of the values
//   only those of the first kMaxValidatedProperties custom properties are
//   looked at.
//
// A function keeps nothing, so any thread may call it.

#ifndef ENTITABLE_VALIDATE_H_
#define ENTITABLE_VALIDATE_H_

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "entitable/violation.h"

namespace entitable {

inline constexpr std::size_t kMaxViolations = 4'096;
inline constexpr std::size_t kMaxValidatedProperties = 1'024;

struct Findings {
  std::vector<Violation> violations;

  // What is taken here, and yet the service may refuse: keys of 513 to 1,024
  // units under Profile::kDefault.
  std::vector<Violation> warnings;
};

// The OData JSON of an entity, as the body of an Insert: both keys are needed.
Findings ValidateEntity(std::string_view body,
                        Profile profile = Profile::kDefault);

// A name in Create Table.
Findings ValidateTableName(std::string_view utf8);

// The name of a custom property.  Those of the system properties pass: they are
// other members, not bad names.
Findings ValidatePropertyName(std::string_view utf8);

// A PartitionKey or RowKey.
Findings ValidateKey(std::string_view utf8,
                     Profile profile = Profile::kDefault);

// For hosts to whom C++ objects are out of reach; the grammar is in
// docs/internals/frames.md, "Findings of validation".
std::string ToJson(const Findings& findings);

}  // namespace entitable

#endif  // ENTITABLE_VALIDATE_H_
