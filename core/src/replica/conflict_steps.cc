#include <string>
#include <utility>

#include "replica/sync_step.h"
#include "sync/local_write.h"

namespace entitable::steps {

Result<void> Conflicts(StepContext& step) {
  ENTITABLE_TRY(const auto conflicts,
                step.rows.ConflictsAfter(step.request.number, kMostPerStep));
  step.answer.Json("conflicts", JsonArray(conflicts, [](const auto& stored,
                                                        std::string& out) {
                     const sync::ConflictRecord& record = stored.record;
                     const EntityKeyView key = record.key.view();
                     JsonObject json;
                     json.LongNumber("id", stored.id);
                     json.Key(key);
                     json.Row("base", key, record.base);
                     json.Row("local", key, record.local);
                     json.Row("remote", key, record.remote);
                     json.Row("result", key, record.result);
                     out += std::move(json).Finish();
                   }));
  return {};
}

Result<void> Confirm(StepContext& step) {
  step.rows.RemoveConflict(step.request.number);
  return {};
}

Result<void> Discard(StepContext& step) {
  return sync::Discard(step.rows, step.request.key, {});
}

}  // namespace entitable::steps
