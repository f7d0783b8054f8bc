#include "sync/sync_rows.h"

namespace entitable::sync {

Result<std::string> RefusalOf(SyncRows& rows, EntityKeyView key,
                              const RowValue& value) {
  const auto checked = rows.Check(key, value);
  if (checked) return std::string();
  if (checked.error().code != ErrorCode::kSchemaViolation) {
    return checked.error();
  }
  return checked.error().message;
}

Poll<void> NoteRefusal(SyncRows& rows, std::string_view partition_key) {
  for (const Scope& scope : {Scope{std::string(partition_key)}, Scope()}) {
    ENTITABLE_TRY(PullState state, rows.FindPull(scope));
    if (!state.has_begun()) continue;
    state.NoteRefusal(rows.SchemaMark());
    rows.PutPull(scope, state);
  }
  return {};
}

}  // namespace entitable::sync
