// How a step of sync runs: as a write of the commit group that takes its turn.
//
//   SyncTable    an operation of the host: the step's name, arguments, texts
//   SyncRequest  the same, read and checked without stored data
//   StepContext  the table, the rows with their marks, the answer so far
//   Response     JSON, sent once the changes are stored
//
// A step takes the way of a write, so its changes are evaluated on the newest
// state, share a log record with other writes, and are evaluated again after a
// lost race.  That is why a step may not keep anything between two runs: what
// it has to know of an earlier moment comes back as an argument, for example
// `sequence`.
//
// This is also the only file through which the rest of the core reaches sync
// (write/sync_support.h), so a program without WithSync() does not link it.

#include "replica/sync_step.h"

#include <memory>
#include <span>
#include <utility>

#include "replica/local_marks.h"
#include "write/sync_support.h"

namespace entitable {
namespace {

constexpr int kDone = 200;

// Adds to the answer, and stages changes.
struct StepEntry {
  Poll<void> (*run)(StepContext&);
  StepNeeds needs;
};

// By SyncStep.  A step without a function does not compile.
constexpr StepEntry kSteps[] = {
#define ENTITABLE_X(name, text, needs) {steps::name, StepNeeds::k##needs},
    ENTITABLE_SYNC_STEPS(ENTITABLE_X)
#undef ENTITABLE_X
};

// An app that discards its writes changes the rows itself.
//
// Followers learn by the origin whether a change was made here or at the
// remote.
Origin OriginOf(SyncStep step) {
  return step == SyncStep::kDiscard ? Origin::kLocal : Origin::kRemote;
}

Poll<Response> RunStep(const SyncRequest& request, DateTime now,
                       const Table& table, DateTime timestamp,
                       Staging& staging) {
  SyncedTable rows(staging, table, timestamp, request.sequence,
                   OriginOf(request.step));
  StepContext context{request, now, table, timestamp, staging, rows};
  // The host gives both back with the remote's next answer.  They say what was
  // known here when that answer was requested.
  context.answer.LongNumber("sequence", staging.state().head());
  context.answer.Time("now", now);
  const StepEntry& step = kSteps[static_cast<std::size_t>(request.step)];
  if (step.needs == StepNeeds::kSyncedTable && !context.is_synced()) {
    return Fail(ErrorCode::kInvalidInput, "The table is not synced.");
  }
  ENTITABLE_TRY(step.run(context));
  return Response{.status = kDone, .body = std::move(context.answer).Finish()};
}

class StepTask final : public SyncTask {
 public:
  explicit StepTask(SyncRequest request) : request_(std::move(request)) {}

  // A step that fails or waits leaves no change, also not in the marks.  All
  // changes of a step have one timestamp.
  Poll<Response> Execute(DateTime now, Staging& staging) const override {
    ENTITABLE_TRY(const DateTime timestamp, staging.NextTimestamp(now));
    ENTITABLE_TRY(const Table* table, staging.FindTable(request_.table));
    if (table == nullptr) return Fail(ErrorCode::kTableNotFound);
    auto response = RunStep(request_, now, *table, timestamp, staging);
    if (response) {
      staging.End(timestamp);
    } else {
      staging.Undo();
    }
    return response;
  }

 private:
  SyncRequest request_;
};

Result<std::unique_ptr<SyncTask>> ReadTask(const SyncTable& operation,
                                           JsonReader& json) {
  ENTITABLE_TRY(SyncRequest request, ReadSyncRequest(operation, json));
  return std::unique_ptr<SyncTask>(new StepTask(std::move(request)));
}

Poll<void> MarkRows(Staging& staging, const Table& table, DateTime timestamp,
                    std::span<const sync::LocalChange> changes) {
  return LocalMarks(staging, table, timestamp).Add(changes);
}

}  // namespace

const SyncSupport* WithSync() {
  static constexpr SyncSupport kSupport{ReadTask, MarkRows};
  return &kSupport;
}

}  // namespace entitable
