// Steps that bring local changes to the remote, and what happens to groups
// later.  The rules are in sync/push.h and sync/settle.h.  A request is named
// by its partition, its number and the time of its last attempt: the answer to
// one whose outcome is known already finds no group, and changes nothing.

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/text_encodings.h"
#include "replica/sync_step.h"
#include "sync/grouping.h"
#include "sync/local_write.h"
#include "sync/push.h"
#include "sync/remote_messages.h"
#include "sync/settle.h"

namespace entitable::steps {
namespace {

// Makes the request again out of its groups, whose values are frozen until
// then.
Poll<std::optional<sync::PushRequest>> FindPush(StepContext& step) {
  return sync::FindRequest(step.rows, step.request.key.partition_key,
                           step.request.number, step.request.sent_at);
}

std::string TextOf(const sync::RemoteError& error) {
  if (error.code.empty()) return "The answer has no error code.";
  return error.code + ": " + error.message;
}

std::string_view TextOf(sync::PushVerdict next) {
  switch (next) {
    case sync::PushVerdict::kApply:
      return "done";
    case sync::PushVerdict::kReadAndSettle:
      return "settle";
    case sync::PushVerdict::kReject:
      return "rejected";
    case sync::PushVerdict::kNewCredentials:
      return "credentials";
    case sync::PushVerdict::kNewCredentialsOnce:
      return "credentialsOnce";
    case sync::PushVerdict::kNoTable:
      return "noTable";
    case sync::PushVerdict::kRetry:
      return "retry";
  }
  return {};
}

// Where the next list of groups begins.
void AddPlace(StepContext& step,
              const std::vector<SyncedTable::PlacedGroup>& groups) {
  if (groups.size() < kMostPerStep) return;
  step.answer.Text("place", HexOf(groups.back().place));
}

}  // namespace

// To read such a row is the only way to learn what became of it
// (Mark::Prove()).
Poll<void> RowsToRead(StepContext& step) {
  ENTITABLE_TRY(
      const auto keys,
      sync::RowsToRead(step.rows, step.request.key.partition_key, step.now));
  step.answer.Json("rows", JsonKeys(keys));
  return {};
}

// The text of the request is a part of the answer.  It is sent only after the
// commit, so every request that leaves is known to the store.
Poll<void> BeginPush(StepContext& step) {
  if (step.table.is_read_only) return {};
  ENTITABLE_TRY(const auto begun,
                sync::BeginPush(step.rows, step.request.scope,
                                step.request.key.partition_key, step.now, {}));
  const auto& push = begun.request;
  if (!push) {
    step.answer.Flag("isSettling", begun.is_settling);
    return {};
  }
  const sync::BatchBody body =
      sync::MakeBatch({step.request.url, step.request.remote_table}, *push);
  step.answer.LongNumber("number", push->number);
  step.answer.Time("sentAt", push->sent_at);
  step.answer.Text("contentType", body.content_type);
  step.answer.Text("body", body.text);
  std::vector<std::string> row_keys;
  for (const sync::PushOperation& operation : push->operations) {
    row_keys.push_back(operation.key.row_key);
  }
  step.answer.Json("rowKeys", JsonTexts(row_keys));
  return {};
}

// The remote says 202 to a batch, and each operation has a status of its own in
// it.  Any other status is about the request as a whole.
Poll<void> CompletePush(StepContext& step) {
  ENTITABLE_TRY(const auto push, FindPush(step));
  if (!push) return {};
  // A refusal of an operation is a part of an answer that is a success.
  const sync::BatchAnswer& answer = step.request.answer;
  const bool has_parts = step.request.status == 202 && answer.status > 0;
  const sync::PushOutcome told{
      .answer = {has_parts ? answer.status : step.request.status,
                 answer.error.code},
      .error = TextOf(answer.error),
      .etags = answer.etags,
      .is_forbidden = step.request.is_forbidden,
      .is_unsent = step.request.is_unsent};
  ENTITABLE_TRY(const auto next,
                sync::CompletePush(step.rows, *push, told, step.now));
  if (!next) return {};
  step.answer.Text("next", TextOf(*next));
  step.answer.Text("error", told.error);
  return {};
}

// The host has read a range of keys that has all rows of the request.  A row
// that is not among the answers is absent at the remote; others in the range do
// not matter.
Poll<void> Settle(StepContext& step) {
  ENTITABLE_TRY(const auto push, FindPush(step));
  if (!push) return {};
  sync::RowsRead read{.sequence = step.request.sequence,
                      .asked_at = step.request.asked_at,
                      .refused = step.request.page.refused};
  for (const sync::PushOperation& operation : push->operations) {
    read.rows[operation.key.row_key] = std::nullopt;
  }
  for (const sync::PulledRow& row : step.request.page.rows) {
    const auto found = read.rows.find(row.key.row_key);
    if (found != read.rows.end()) found->second = row.version;
  }
  ENTITABLE_TRY(const sync::Settled settled,
                sync::Settle(step.rows, *push, read, step.resolver, step.now));
  step.answer.Json("conflicts", step.resolver.unresolved());
  step.answer.Json("refused", JsonRefused(settled.refused));
  return {};
}

Poll<void> Postpone(StepContext& step) {
  ENTITABLE_TRY(const auto push, FindPush(step));
  if (!push) return {};
  return sync::Postpone(step.rows, *push, step.now);
}

// Marks that only remember something are dropped when their time is over.
// Nobody waits for that, so the host asks for it now and then, a part at a
// time.
Poll<void> Expire(StepContext& step) {
  ENTITABLE_TRY(const auto last,
                sync::ExpireMarks(step.rows, step.request.after, step.now));
  if (last) step.answer.Key(last->view());
  return {};
}

Poll<void> Pending(StepContext& step) {
  ENTITABLE_TRY(const auto groups,
                step.rows.AllGroups(step.request.place, kMostPerStep));
  step.answer.Json(
      "groups", JsonArray(groups, [](const auto& placed, std::string& out) {
        const sync::Group& group = placed.group;
        JsonObject json;
        json.LongNumber("number", group.id);
        json.Flag("isRejected", group.state == sync::Group::State::kRejected);
        json.Text("partitionKey", group.partition_key);
        json.Json("rowKeys", JsonTexts(group.row_keys));
        json.Text("error", group.error);
        out += std::move(json).Finish();
      }));
  AddPlace(step, groups);
  return {};
}

// A group that is open again keeps its place, so the next list goes on behind
// it.
Poll<void> Retry(StepContext& step) {
  ENTITABLE_TRY(auto groups,
                step.rows.AllGroups(step.request.place, kMostPerStep));
  for (auto& placed : groups) {
    if (placed.group.state != sync::Group::State::kRejected) continue;
    ENTITABLE_TRY(sync::Revive(step.rows, placed.group));
  }
  AddPlace(step, groups);
  return {};
}

}  // namespace entitable::steps
