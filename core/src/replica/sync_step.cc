#include "replica/sync_step.h"

#include <algorithm>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/hex.h"
#include "replica/asking_resolver.h"
#include "replica/step_answer.h"
#include "replica/synced_table.h"
#include "sync/entries.h"
#include "sync/local_write.h"
#include "sync/pull.h"
#include "sync/push.h"
#include "sync/reconcile.h"
#include "sync/request_body.h"
#include "sync/settle.h"
#include "write/indexed_rows.h"
#include "write/sync_support.h"

namespace entitable {
namespace {

constexpr int kDone = 200;

// How many rows or groups a step takes or lists.
constexpr std::size_t kMany = 100;

constexpr std::string_view kNoCopy =
    "The table has entities of its own. A copy begins with an empty table, or "
    "with an archive and its date.";

// ----------------------------------------------------------------------- steps

// Each step adds its part of the answer.
class StepRunner {
 public:
  StepRunner(const SyncRequest& request, DateTime now, const Table& table,
             DateTime timestamp, Staging& staging)
      : request_(request),
        now_(now),
        table_(table),
        timestamp_(timestamp),
        staging_(staging),
        rows_(staging, table, timestamp, request.sequence, OriginOf(request)) {
    answer_.LongNumber("sequence", staging.state().head());
    answer_.Time("now", now);
  }

  Result<Response> Run() {
    ENTITABLE_TRY(RunStep());
    return Response{.status = kDone, .body = std::move(answer_).Finish()};
  }

 private:
  // An app that discards its writes changes the rows itself.
  static Origin OriginOf(const SyncRequest& request) {
    return request.step == SyncStep::kDiscard ? Origin::kLocal
                                              : Origin::kRemote;
  }

  bool is_synced() const { return table_.sync != kNoTable; }

  Result<void> RunStep() {
    if (request_.step == SyncStep::kStart) return Start();
    if (request_.step == SyncStep::kAsk) return Ask();
    if (request_.step == SyncStep::kStop) return Stop();
    if (!is_synced()) {
      return Fail(ErrorCode::kInvalidInput, "The table is not synced.");
    }
    switch (request_.step) {
      case SyncStep::kStart:
      case SyncStep::kAsk:
      case SyncStep::kStop:
        break;
      case SyncStep::kAdopt:
        return Adopt();
      case SyncStep::kStatus:
        return Status();
      case SyncStep::kNextPull:
        return NextPull();
      case SyncStep::kApplyPage:
        return ApplyPage();
      case SyncStep::kRestartPull:
        return sync::RestartPull(rows_, request_.scope);
      case SyncStep::kWidePull:
        return WidePull();
      case SyncStep::kFindChanged:
        return FindChanged();
      case SyncStep::kCompleteWidePull:
        return sync::CompleteWidePull(rows_, request_.scope, request_.date);
      case SyncStep::kCompare:
        return Compare();
      case SyncStep::kTakeRow:
        return TakeRow();
      case SyncStep::kRowsToRead:
        return RowsToRead();
      case SyncStep::kBeginPush:
        return BeginPush();
      case SyncStep::kCompletePush:
        return CompletePush();
      case SyncStep::kSettle:
        return Settle();
      case SyncStep::kPostpone:
        return Postpone();
      case SyncStep::kExpire:
        return Expire();
      case SyncStep::kPending:
        return Pending();
      case SyncStep::kRetry:
        return Retry();
      case SyncStep::kDiscard:
        return sync::Discard(rows_, request_.key, {});
      case SyncStep::kConflicts:
        return Conflicts();
      case SyncStep::kConfirm:
        rows_.RemoveConflict(request_.number);
        return {};
    }
    return Fail(ErrorCode::kInvalidInput);
  }

  // ---------------------------------------------------------- begin and end

  Result<PropertyList> TableRow() {
    const EntityKey key = TableRowEntityKey(table_.name);
    ENTITABLE_TRY(const auto row,
                  staging_.FindEntity(kCatalogue, key.view(),
                                      StoredRows::Part::kProperties));
    if (!row) return MakeTableRow(table_).properties;
    return *PropertyList::FromBytes(row->properties);
  }

  void PutTableRow(const PropertyList& row) {
    staging_.Put(kCatalogue, TableRowEntityKey(table_.name).view(),
                 {timestamp_, row.bytes()});
  }

  // The rows of a copy that is only read are those of an archive of the remote:
  // their ETags are those of their timestamps, and `date` is the archive's.
  Result<void> Start() {
    ENTITABLE_TRY(const PropertyList row, TableRow());
    const bool is_new = !is_synced();
    Table synced = table_;
    if (is_new) {
      synced.sync = staging_.next_table_id();
      staging_.Add(TableCreated{synced.sync, kHiddenMark + table_.name});
    }
    SyncedTable rows(staging_, synced, timestamp_, 0, Origin::kRemote);
    ENTITABLE_TRY(CheckRemote(rows));
    if (!is_new && table_.is_read_only == request_.is_read_only) return {};
    if (!is_new && request_.is_read_only) {
      ENTITABLE_TRY(CheckPushed());
      rows.PutAdoption({.is_complete = true});
    }
    PutTableRow(WithSync(row.bytes(), synced.sync, request_.is_read_only));
    if (!is_new || !request_.is_read_only) return {};
    const bool is_archive = request_.date > DateTime();
    if (!is_archive) {
      ENTITABLE_TRY(const auto own, rows.RowsAfter({}, 1));
      if (!own.empty())
        return Fail(ErrorCode::kTableSynced, std::string(kNoCopy));
    }
    rows.PutAdoption({.is_complete = true});
    if (is_archive) {
      rows.PutPull(request_.scope, {.is_complete = true,
                                    .from = request_.date,
                                    .wide_from = request_.date});
    }
    return {};
  }

  std::string Address() const {
    return request_.url + "/" + request_.remote_table;
  }

  // In another remote table, all rows that are known would look deleted.
  Result<void> CheckRemote(SyncedTable& rows) {
    const std::string address = Address();
    ENTITABLE_TRY(const auto known, rows.FindRemote());
    if (known && *known == address) return {};
    ENTITABLE_TRY(const bool has_pulled, rows.HasPulled());
    if (known && has_pulled) return OtherRemote(*known);
    rows.PutRemote(address);
    return {};
  }

  Error OtherRemote(const std::string& known) const {
    return Fail(ErrorCode::kTableSynced,
                "The table is synced with " + known +
                    ". Before you sync it with " + Address() +
                    ", end that sync with forget({ keepRows: true, discard: "
                    "true }), or with entitable forget.");
  }

  // For a request that no other step precedes.
  Result<void> Ask() {
    const auto& id = staging_.state().checkpoint().store_id;
    answer_.Text("store",
                 HexOf({reinterpret_cast<const char*>(id.data()), id.size()}));
    return {};
  }

  // Whether the remote has all that was written here.
  Result<void> CheckPushed() {
    ENTITABLE_TRY(const Adoption adoption, rows_.FindAdoption());
    if (!adoption.is_complete) ENTITABLE_TRY(CheckNoRowsAfter(adoption.last));
    ENTITABLE_TRY(const auto pending, rows_.AllGroups({}, 1));
    return pending.empty() ? Result<void>() : NotPushed();
  }

  Result<void> CheckNoRowsAfter(const std::optional<EntityKey>& after) {
    ENTITABLE_TRY(const auto own, rows_.RowsAfter(after, 1));
    return own.empty() ? Result<void>() : NotPushed();
  }

  static Failure NotPushed() {
    return Fail(ErrorCode::kTableSynced,
                "The table has rows that are not pushed yet.");
  }

  // Whether nothing is lost when the sync ends.
  Result<void> CheckMayStop() {
    if (request_.discards) return {};
    if (!is_synced()) {
      return request_.keeps_rows ? Result<void>() : CheckNoRowsAfter({});
    }
    ENTITABLE_TRY(CheckPushed());
    ENTITABLE_TRY(const auto conflicts, rows_.ConflictsAfter(0, 1));
    if (conflicts.empty()) return {};
    return Fail(ErrorCode::kTableSynced,
                "The table has resolved conflicts that are not confirmed.");
  }

  Result<void> Stop() {
    ENTITABLE_TRY(CheckMayStop());
    const bool is_done = !is_synced() && request_.keeps_rows;
    if (request_.is_check || is_done) return {};
    ENTITABLE_TRY(const PropertyList row, TableRow());
    if (is_synced()) {
      staging_.Add(TableDropped{table_.sync, kHiddenMark + table_.name});
    }
    PropertyList plain = WithSync(row.bytes(), kNoTable, false);
    if (!request_.keeps_rows) {
      staging_.Add(TableDropped{table_.id, table_.name});
      Table empty = table_;
      empty.id = staging_.next_table_id();
      staging_.Add(TableCreated{empty.id, empty.name});
      plain = MergedByName(plain.bytes(), MakeTableRow(empty).properties);
      plain = WithIndexes(plain.bytes(), EmptyIndexes(staging_, table_));
    }
    PutTableRow(plain);
    return {};
  }

  Result<void> Adopt() {
    ENTITABLE_TRY(Adoption adoption, rows_.FindAdoption());
    if (!adoption.is_complete) {
      ENTITABLE_TRY(const auto keys, rows_.RowsAfter(adoption.last, kMany));
      for (const EntityKey& key : keys) rows_.Expect(key.view());
      for (const EntityKey& key : keys) {
        ENTITABLE_TRY(sync::AdoptRow(rows_, key));
      }
      adoption.is_complete = keys.size() < kMany;
      if (!keys.empty()) adoption.last = keys.back();
      rows_.PutAdoption(adoption);
    }
    answer_.Flag("done", adoption.is_complete);
    return {};
  }

  Result<void> Status() {
    if (!request_.url.empty()) {
      ENTITABLE_TRY(const auto known, rows_.FindRemote());
      if (known && *known != Address()) return OtherRemote(*known);
    }
    ENTITABLE_TRY(const bool may_create, sync::MayCreateTable(rows_));
    ENTITABLE_TRY(const auto partitions, rows_.PartitionsWithGroups());
    answer_.Flag("mayCreateTable", may_create);
    answer_.Json("partitions", JsonTexts(partitions));
    return {};
  }

  // ------------------------------------------------------------------- pull

  Result<void> NextPull() {
    ENTITABLE_TRY(const auto pull, sync::NextPull(rows_, request_.scope));
    ENTITABLE_TRY(const auto state, rows_.FindPull(request_.scope));
    answer_.Text("token", pull.token);
    answer_.LongNumber("position", pull.step);
    if (pull.from) answer_.Text("from", pull.from->ToLongString());
    answer_.Flag("isComplete", state.is_complete);
    return {};
  }

  Result<void> ApplyPage() {
    sync::PulledPage page{.sequence = request_.sequence,
                          .asked_at = request_.asked_at,
                          .step = request_.position,
                          .next_token = request_.token,
                          .date = request_.date,
                          .rows = request_.page.rows};
    for (const sync::PulledRow& row : page.rows) {
      rows_.Expect(row.key.view());
    }
    ENTITABLE_TRY(
        const sync::PullResult result,
        sync::ApplyPage(rows_, request_.scope, page, resolver_, now_));
    answer_.Number("changed", result.changed);
    answer_.Flag("isComplete", result.is_complete);
    answer_.Json("older", JsonKeys(result.older));
    answer_.Json("conflicts", resolver_.unresolved());
    std::vector<sync::RefusedRow> refused = request_.page.refused;
    std::ranges::copy(result.refused, std::back_inserter(refused));
    AddRefused(refused);
    return {};
  }

  void AddRefused(const std::vector<sync::RefusedRow>& rows) {
    answer_.Json("refused",
                 JsonArray(rows, [](const auto& refused, std::string& out) {
                   JsonObject row;
                   row.Key(refused.key.view());
                   row.Text("reason", refused.reason);
                   out += std::move(row).Finish();
                 }));
  }

  Result<void> WidePull() {
    ENTITABLE_TRY(const auto from, sync::WidePullFrom(rows_, request_.scope));
    if (from) answer_.Text("from", from->ToLongString());
    return {};
  }

  Result<void> FindChanged() {
    ENTITABLE_TRY(const auto changed,
                  sync::FindChanged(rows_, ListingOf(request_)));
    answer_.Json("changed", JsonKeys(changed));
    return {};
  }

  static sync::Listing ListingOf(const SyncRequest& request) {
    sync::Listing listing{.sequence = request.sequence,
                          .asked_at = request.asked_at,
                          .date = request.date,
                          .after = request.after,
                          .is_end = request.is_end};
    for (const sync::PulledRow& row : request.page.rows) {
      listing.rows.push_back({row.key, row.version.etag});
    }
    const bool is_whole = request.is_end && !request.after;
    return is_whole ? sync::InOrder(std::move(listing)) : listing;
  }

  Result<void> Compare() {
    ENTITABLE_TRY(const sync::Findings found,
                  sync::Compare(rows_, request_.scope, ListingOf(request_)));
    const std::uint64_t missing = request_.missing + found.missing.size();
    const std::uint64_t known = request_.known + found.known;
    answer_.Flag("isUnsorted", found.is_unsorted);
    answer_.Json("missing", JsonKeys(found.missing));
    answer_.Json("doubtful", JsonKeys(found.doubtful));
    answer_.Json("unknown", JsonKeys(found.unknown));
    answer_.Number("known", known);
    answer_.Flag("isSuspicious",
                 missing > 0 && sync::IsSuspicious(missing, known));
    return {};
  }

  Result<void> TakeRow() {
    sync::ReadRow read{.key = request_.key,
                       .remote = std::nullopt,
                       .sequence = request_.sequence,
                       .asked_at = request_.asked_at};
    std::vector<sync::RefusedRow> refused = request_.page.refused;
    const auto& rows = request_.page.rows;
    if (rows.empty() && !request_.is_absent) {
      AddRefused(refused);
      return {};
    }
    if (!request_.is_absent) read.remote = rows.front().version;
    ENTITABLE_TRY(const sync::TakenRow taken,
                  sync::TakeRow(rows_, read, resolver_, now_));
    answer_.Number("changed", taken.taken == sync::Taken::kChanged ? 1 : 0);
    if (taken.taken == sync::Taken::kRefused) {
      refused.push_back({taken.reason, read.key});
    }
    AddRefused(refused);
    std::vector<EntityKey> older;
    if (taken.is_older) older.push_back(read.key);
    answer_.Json("older", JsonKeys(older));
    answer_.Json("conflicts", resolver_.unresolved());
    return {};
  }

  // ------------------------------------------------------------------- push

  Result<void> RowsToRead() {
    ENTITABLE_TRY(const auto keys,
                  sync::RowsToRead(rows_, request_.key.partition_key, now_));
    answer_.Json("rows", JsonKeys(keys));
    return {};
  }

  Result<void> BeginPush() {
    if (table_.is_read_only) return {};
    ENTITABLE_TRY(const auto push,
                  sync::BeginPush(rows_, request_.scope,
                                  request_.key.partition_key, now_, {}));
    if (!push) {
      ENTITABLE_TRY(const bool is_settling,
                    sync::IsSettling(rows_, request_.key.partition_key, now_));
      answer_.Flag("isSettling", is_settling);
      return {};
    }
    const sync::BatchBody body =
        sync::MakeBatch({request_.url, request_.remote_table}, *push);
    answer_.LongNumber("number", push->number);
    answer_.Time("sentAt", push->sent_at);
    answer_.Text("contentType", body.content_type);
    answer_.Text("body", body.text);
    std::vector<std::string> row_keys;
    for (const sync::PushOperation& operation : push->operations) {
      row_keys.push_back(operation.key.row_key);
    }
    answer_.Json("rowKeys", JsonTexts(row_keys));
    return {};
  }

  Result<std::optional<sync::PushRequest>> FindPush() {
    return sync::FindRequest(rows_, request_.key.partition_key, request_.number,
                             request_.sent_at);
  }

  Result<void> CompletePush() {
    ENTITABLE_TRY(const auto push, FindPush());
    if (!push) return {};
    // A refusal of an operation is a part of an answer that is a success.
    const sync::BatchAnswer& answer = request_.answer;
    const bool has_parts = request_.status == 202 && answer.status > 0;
    const sync::PushOutcome told{
        .answer = {has_parts ? answer.status : request_.status,
                   answer.error.code},
        .error = TextOf(answer.error),
        .etags = answer.etags,
        .is_forbidden = request_.is_forbidden,
        .is_unsent = request_.is_unsent};
    ENTITABLE_TRY(const auto next,
                  sync::CompletePush(rows_, *push, told, now_));
    if (!next) return {};
    answer_.Text("next", TextOf(*next));
    answer_.Text("error", told.error);
    return {};
  }

  static std::string TextOf(const sync::RemoteError& error) {
    if (error.code.empty()) return "The answer has no error code.";
    return error.code + ": " + error.message;
  }

  static std::string_view TextOf(sync::NextStep next) {
    switch (next) {
      case sync::NextStep::kApply:
        return "done";
      case sync::NextStep::kReadAndSettle:
        return "settle";
      case sync::NextStep::kReject:
        return "rejected";
      case sync::NextStep::kNewCredentials:
        return "credentials";
      case sync::NextStep::kNewCredentialsOnce:
        return "credentialsOnce";
      case sync::NextStep::kNoTable:
        return "noTable";
      case sync::NextStep::kRetry:
        return "retry";
    }
    return {};
  }

  Result<void> Settle() {
    ENTITABLE_TRY(const auto push, FindPush());
    if (!push) return {};
    sync::RowsRead read{.sequence = request_.sequence,
                        .asked_at = request_.asked_at,
                        .refused = request_.page.refused};
    for (const sync::PushOperation& operation : push->operations) {
      read.rows[operation.key.row_key] = std::nullopt;
    }
    for (const sync::PulledRow& row : request_.page.rows) {
      const auto found = read.rows.find(row.key.row_key);
      if (found != read.rows.end()) found->second = row.version;
    }
    ENTITABLE_TRY(const sync::Settled settled,
                  sync::Settle(rows_, *push, read, resolver_, now_));
    answer_.Json("conflicts", resolver_.unresolved());
    AddRefused(settled.refused);
    return {};
  }

  Result<void> Postpone() {
    ENTITABLE_TRY(const auto push, FindPush());
    if (!push) return {};
    return sync::Postpone(rows_, *push, now_);
  }

  Result<void> Expire() {
    ENTITABLE_TRY(const auto last,
                  sync::ExpireMarks(rows_, request_.after, now_));
    if (last) answer_.Key(last->view());
    return {};
  }

  // ------------------------------------------------------------------ lists

  Result<void> Pending() {
    ENTITABLE_TRY(const auto groups, rows_.AllGroups(request_.place, kMany));
    answer_.Json(
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
    AddPlace(groups);
    return {};
  }

  // Where the next list of groups begins.
  void AddPlace(const std::vector<SyncedTable::PlacedGroup>& groups) {
    if (groups.size() < kMany) return;
    answer_.Text("place", HexOf(groups.back().place));
  }

  // The rejected groups among the next ones.
  Result<void> Retry() {
    ENTITABLE_TRY(auto groups, rows_.AllGroups(request_.place, kMany));
    for (auto& placed : groups) {
      if (placed.group.state != sync::Group::State::kRejected) continue;
      ENTITABLE_TRY(sync::Revive(rows_, placed.group));
    }
    AddPlace(groups);
    return {};
  }

  Result<void> Conflicts() {
    ENTITABLE_TRY(const auto conflicts,
                  rows_.ConflictsAfter(request_.number, kMany));
    answer_.Json("conflicts",
                 JsonArray(conflicts, [](const auto& stored, std::string& out) {
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

  const SyncRequest& request_;
  DateTime now_;
  const Table& table_;
  DateTime timestamp_;
  Staging& staging_;
  SyncedTable rows_;
  AskingResolver resolver_{request_};
  JsonObject answer_;
};

class StepTask final : public SyncTask {
 public:
  explicit StepTask(SyncRequest request) : request_(std::move(request)) {}

  Result<Response> Execute(DateTime now, Staging& staging) const override {
    return ExecuteSync(request_, now, staging);
  }

 private:
  SyncRequest request_;
};

Result<std::unique_ptr<SyncTask>> ReadTask(const SyncTable& operation,
                                           JsonReader& json) {
  ENTITABLE_TRY(SyncRequest request, ReadSyncRequest(operation, json));
  return std::unique_ptr<SyncTask>(new StepTask(std::move(request)));
}

Result<void> MarkRows(Staging& staging, const Table& table, DateTime timestamp,
                      std::span<const sync::LocalChange> changes) {
  return SyncedTable(staging, table, timestamp, /*fence=*/0, Origin::kLocal)
      .WriteLocally(changes);
}

}  // namespace

const SyncSupport* WithSync() {
  static constexpr SyncSupport kSupport{ReadTask, MarkRows};
  return &kSupport;
}

Result<Response> ExecuteSync(const SyncRequest& request, DateTime now,
                             Staging& staging) {
  ENTITABLE_TRY(const DateTime timestamp, staging.NextTimestamp(now));
  ENTITABLE_TRY(const Table* table, staging.FindTable(request.table));
  if (table == nullptr) return Fail(ErrorCode::kTableNotFound);
  auto response = StepRunner(request, now, *table, timestamp, staging).Run();
  if (response) {
    staging.End(timestamp);
  } else {
    staging.Undo();
  }
  return response;
}

}  // namespace entitable
