// validate.h - reports all broken rules at once and stores nothing.
//
// An engine answers with the first broken rule, as the service does.  A form
// needs to know all of them.  These functions run the engine's checks without
// an engine, and continue after the first failure:
//
//   for (const Violation& one : ValidateEntity(body).violations) {
//     Show(one.path, RuleName(one.rule), one.limit);
//   }
//
// What a caller may rely on:
//
// - Without violations, the engine accepts the name, the key, or the body of an
//   Insert.  (The Insert can still fail because its table is missing or its key
//   is taken.)
// - Otherwise the first violation is the service's answer: the engine refuses
//   with its code and message.  The others come in the order in which the
//   service would report them after the earlier ones are corrected.
// - For each rule and place, only the first breach is listed, for example the
//   first invalid character.  A value that cannot be read is not checked
//   further: a value of the wrong type has no size.
// - The work is bounded: the list ends after kMaxViolations, and only the
//   values of the first kMaxValidatedProperties custom properties are checked.
//
// The functions keep no state, so any thread may call them.

#ifndef ENTITABLE_VALIDATE_H_
#define ENTITABLE_VALIDATE_H_

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "entitable/violation.h"

namespace entitable {

inline constexpr std::size_t kMaxViolations = 4'096;
inline constexpr std::size_t kMaxValidatedProperties = 1'024;

struct Findings {
  std::vector<Violation> violations;

  // Accepted here, but the service may refuse it: keys of 513 to 1,024 units
  // under Profile::kDefault.
  std::vector<Violation> warnings;
};

// Checks the OData JSON of an entity, like the body of an Insert: both keys are
// required.  With a schema (docs/internals/file-format.md), its violations
// follow those of the service's rules; properties that break a rule of the
// service are not checked against it.  Bytes that are no schema are a violation
// of the rule `json`.
Findings ValidateEntity(std::string_view body,
                        Profile profile = Profile::kDefault,
                        std::optional<std::string_view> schema = std::nullopt);

// Checks the name of a table to be created.
Findings ValidateTableName(std::string_view utf8);

// Checks the name of a custom property.  The names of system properties are
// valid: they name other members.
Findings ValidatePropertyName(std::string_view utf8);

// Checks a PartitionKey or RowKey.
Findings ValidateKey(std::string_view utf8,
                     Profile profile = Profile::kDefault);

// For hosts that cannot use C++ objects.  docs/internals/frames.md, "Findings
// of validation", has the grammar.
std::string ToJson(const Findings& findings);

}  // namespace entitable

#endif  // ENTITABLE_VALIDATE_H_
