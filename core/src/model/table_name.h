// table_name.h - a table name that has passed every rule.

#ifndef ENTITABLE_MODEL_TABLE_NAME_H_
#define ENTITABLE_MODEL_TABLE_NAME_H_

#include <cstddef>
#include <string>
#include <string_view>

#include "entitable/result.h"
#include "model/report.h"

namespace entitable {

// In characters; every allowed one is ASCII.  Source of all rules here:
// "Understanding the Table service data model", section "Table names".
inline constexpr std::size_t kMinTableNameLength = 3;
inline constexpr std::size_t kMaxTableNameLength = 63;

// The key under which a table is looked up: equal for names that differ in case
// alone.  Takes any text, because a name that no table can have is, in a
// look-up, just the name of a table that does not exist.
std::string FoldTableName(std::string_view text);

// InvalidResourceName, OutOfRangeInput, then InvalidInput for the reserved
// name. Takes valid UTF-8.  Returns whether the checks go on.
bool CheckTableName(std::string_view utf8, Report& report);

// Holding one proves the name valid, so no code past Parse() checks again.
class TableName {
 public:
  // Fails with the first of what CheckTableName() finds.
  static Result<TableName> Parse(std::string_view text);

  // As first written: the service keeps the case, but ignores it in look-ups.
  const std::string& text() const { return text_; }

  const std::string& folded() const { return folded_; }

 private:
  explicit TableName(std::string_view text);

  std::string text_;
  std::string folded_;  // Invariant: FoldTableName(text_).
};

}  // namespace entitable

#endif  // ENTITABLE_MODEL_TABLE_NAME_H_
