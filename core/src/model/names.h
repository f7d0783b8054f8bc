// names.h - names of tables and properties that have passed every rule.

#ifndef ENTITABLE_MODEL_NAMES_H_
#define ENTITABLE_MODEL_NAMES_H_

#include <cstddef>
#include <string>
#include <string_view>

#include "entitable/result.h"
#include "model/report.h"

namespace entitable {

// ------------------------------------------------------------------ table name

// A valid table name.

// In characters, all of which are ASCII.  Source of all rules here:
// "Understanding the Table service data model", section "Table names".
inline constexpr std::size_t kMinTableNameLength = 3;
inline constexpr std::size_t kMaxTableNameLength = 63;

// The name in lower case, the key under which a table is found.  Accepts any
// text: a lookup with an invalid name just finds no table.
std::string FoldTableName(std::string_view text);

// Reports InvalidResourceName, OutOfRangeInput, then InvalidInput for the
// reserved name.  Accepts valid UTF-8.  Returns whether further checks should
// run.
bool CheckTableName(std::string_view utf8, Report& report);

// An object of this type is always valid, so no code after Parse() checks
// again.
class TableName {
 public:
  // Fails with the first error of CheckTableName().
  static Result<TableName> Parse(std::string_view text);

  // As first written: the service keeps the case but ignores it in lookups.
  const std::string& text() const { return text_; }

  const std::string& folded() const { return folded_; }

 private:
  explicit TableName(std::string_view text);

  std::string text_;
  std::string folded_;  // Invariant: FoldTableName(text_).
};

// --------------------------------------------------------------- property name

// The names that custom properties may have.

// In UTF-16 code units; this length is still allowed.
inline constexpr std::size_t kMaxPropertyNameLength = 255;

// PartitionKey, RowKey and Timestamp.
bool IsSystemName(std::string_view name);

// Reports PropertyNameTooLong, then PropertyNameInvalid.  A valid name is both
// a C# identifier and an XML name without a colon, and not empty.  Each UTF-16
// unit is checked alone, which excludes everything above U+FFFF.  Source: data
// model of the spec, section 1.3.2 and annex A.  The names of system
// properties are valid: they name other members.  Returns whether further
// checks should run.
bool CheckPropertyName(std::string_view utf8, Report::Path path,
                       Report& report);

// Fails with the first of these errors.
Result<void> CheckPropertyName(std::string_view utf8);

}  // namespace entitable

#endif  // ENTITABLE_MODEL_NAMES_H_
