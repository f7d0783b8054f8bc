// sync_test.h - one replica in memory, for tests of the operations of sync.

#ifndef ENTITABLE_TESTS_SUPPORT_SYNC_TEST_H_
#define ENTITABLE_TESTS_SUPPORT_SYNC_TEST_H_

#include <gtest/gtest.h>

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "support/sync_check/memory_rows.h"
#include "support/sync_rows.h"
#include "sync/local_write.h"
#include "sync/pull.h"
#include "sync/push.h"
#include "sync/settle.h"

namespace entitable::sync {

// All rows are of the partition "p", whose first pull is complete.
class SyncTest : public testing::Test {
 protected:
  using Rows = sync_check::MemoryRows;
  inline static const Scope kScope = {"p"};
  using Values = std::vector<std::pair<std::string, RowValue>>;

  SyncTest() { Rows(table_).PutPull(kScope, {.is_complete = true}); }

  // A clean row, written remotely at second 0.
  void AddClean(const std::string& row_key, const RowValue& value) {
    const SyncedRow row{.local = value, .remote_etag = EtagOf(0)};
    ASSERT_TRUE(Rows(table_).Put({"p", row_key}, row));
  }

  void Write(const Values& values) {
    std::vector<LocalChange> changes;
    for (const auto& [row_key, value] : values) {
      changes.push_back({{"p", row_key}, value});
    }
    Rows rows(table_);
    ASSERT_TRUE(WriteLocally(rows, changes, limits_));
  }

  std::optional<PushRequest> Begin() {
    Rows rows(table_);
    return BeginPush(rows, kScope, "p", now_, limits_).value().request;
  }

  // "1 insert {A=1 }, 2 delete"; "nothing" if there is nothing to push.
  static std::string TextOfRequest(const std::optional<PushRequest>& request) {
    if (!request) return "nothing";
    std::string text;
    for (const PushOperation& operation : request->operations) {
      if (!text.empty()) text += ", ";
      text += operation.key.row_key;
      text += operation.kind == RequestKind::kInsert    ? " insert "
              : operation.kind == RequestKind::kReplace ? " replace "
                                                        : " delete";
      if (operation.value) text += TextOf(operation.value);
    }
    return text;
  }
  std::string BeginText() { return TextOfRequest(Begin()); }

  std::optional<PushVerdict> Complete(const PushRequest& request, int status,
                                      std::int64_t seconds = 0) {
    PushOutcome told{.answer = {status, ""}, .error = "refused"};
    for (const PushOperation& operation : request.operations) {
      const bool is_deletion = operation.kind == RequestKind::kDelete;
      told.etags.push_back(is_deletion ? "" : EtagOf(seconds));
    }
    Rows rows(table_);
    return CompletePush(rows, request, told, now_).value();
  }

  // The request was refused, and the remote has these rows.
  Settled SettleWith(const PushRequest& request,
                     const std::map<std::string, RemoteRow>& remote) {
    const RowsRead read{
        .sequence = table_.sequence, .asked_at = now_, .rows = remote};
    Rows rows(table_);
    return Settle(rows, request, read, resolver_, now_).value();
  }

  RowOutcome Apply(const std::string& row_key, const RemoteRow& remote) {
    return ApplyAt(row_key, remote, table_.sequence);
  }
  RowOutcome ApplyAt(const std::string& row_key, const RemoteRow& remote,
                     std::uint64_t sequence) {
    Rows rows(table_);
    return ApplyRow(rows, {{"p", row_key}, remote, sequence, now_}, resolver_,
                    now_)
        .value()
        .outcome;
  }

  SyncedRow Find(const std::string& row_key) {
    return Rows(table_).Find({"p", row_key}).value();
  }
  std::string Local(const std::string& row_key) {
    return TextOf(Find(row_key).local);
  }
  bool IsDirty(const std::string& row_key) { return Find(row_key).is_dirty(); }

  void Advance(std::int64_t seconds) { now_.ticks += seconds * 10'000'000; }

  sync_check::StoredTable table_;
  GroupLimits limits_;
  DateTime now_ = *TimeOfEtag(EtagOf(10'000));
  PolicyResolver resolver_{ConflictPolicy::kMerge};
};

}  // namespace entitable::sync

#endif  // ENTITABLE_TESTS_SUPPORT_SYNC_TEST_H_
