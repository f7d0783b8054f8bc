#include "replica/conflicts.h"

#include <cstddef>
#include <string>
#include <utility>

#include "base/json_writer.h"
#include "model/entity.h"
#include "replica/step_answer.h"
#include "replica/sync_step.h"
#include "sync/local_write.h"
#include "sync/records.h"
#include "sync/resolver.h"

namespace entitable {
namespace {

// To the app, 3.0 and 3 are the same number: what was a Double stays one.
std::vector<sync::Resolution> ResolutionsOf(
    const Decision& decision, std::span<const sync::Conflict> conflicts) {
  std::vector<sync::Resolution> resolutions;
  for (std::size_t i = 0; i < conflicts.size(); ++i) {
    const DecidedRow& row = decision.rows[i];
    sync::RowValue value = row.value;
    for (const sync::RowValue* const side :
         {&conflicts[i].remote, &conflicts[i].local}) {
      if (!value || !*side) continue;
      value = WithStoredDoubles(*value, row.typed, (*side)->bytes());
    }
    resolutions.emplace_back(std::move(value));
  }
  return resolutions;
}

void AppendConflict(const sync::Conflict& one, std::string& out) {
  const EntityKeyView key = one.key.view();
  JsonObject row;
  row.Key(key);
  row.Flag("isConflict", one.is_conflict);
  row.Row("base", key,
          sync::KnownBase({key, one.base, one.local, one.remote, one.sent}));
  row.Row("local", key, one.local);
  row.Row("remote", key, one.remote);
  out += std::move(row).Finish();
}

}  // namespace

// All groups of a step are asked about in one answer: a group without a
// decision is added to it, and counts as undecided.
std::vector<sync::Resolution> AskingResolver::Resolve(
    std::span<const sync::Conflict> conflicts) {
  if (!request_.asks_app) return policy_.Resolve(conflicts);
  const std::string name = NameOf(conflicts);
  for (const Decision& decision : request_.decisions) {
    const bool is_whole = decision.rows.size() == conflicts.size();
    if (decision.of == name && is_whole)
      return ResolutionsOf(decision, conflicts);
  }
  AppendGroup(name, conflicts);
  return std::vector<sync::Resolution>(conflicts.size());
}

// What was sent is left out: it may be forgotten between the two tries of a
// step, and would change the name, but no decision.
std::string AskingResolver::NameOf(
    std::span<const sync::Conflict> conflicts) const {
  std::string bytes;
  for (const sync::Conflict& one : conflicts) {
    bytes += sync::EncodeConflict({.key = one.key,
                                   .base = one.base,
                                   .local = one.local,
                                   .remote = one.remote,
                                   .result = std::nullopt,
                                   .group = one.is_conflict ? 1U : 0U});
  }
  std::string name;
  AppendUnsigned(hash_.Of(bytes), name);
  return name;
}

void AskingResolver::AppendGroup(std::string_view name,
                                 std::span<const sync::Conflict> conflicts) {
  JsonObject group;
  group.Text("of", name);
  group.Json("rows", JsonArray(conflicts, AppendConflict));
  if (!unresolved_.empty()) unresolved_ += ',';
  unresolved_ += std::move(group).Finish();
}

}  // namespace entitable

namespace entitable::steps {

// -------------------------------------------------------------- conflict steps

Poll<void> Conflicts(StepContext& step) {
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

Poll<void> Confirm(StepContext& step) {
  step.rows.RemoveConflict(step.request.number);
  return {};
}

Poll<void> Discard(StepContext& step) {
  return sync::Discard(step.rows, step.request.key, {});
}

}  // namespace entitable::steps
