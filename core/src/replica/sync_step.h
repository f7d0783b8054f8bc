// sync_step.h - the steps of sync: what the host asks for, one commit each.
//
// A step reads and changes the rows of its table by the operations of sync/,
// and adds its part to the answer.  Its changes are stored together, or none of
// them; if a page is missing, it is run again once the page is there.  The host
// runs the steps in this order (docs/internals/sync.md): start and adopt; then
// pull, push, and now and then a wide pull or a reconcile; at the end, stop.

#ifndef ENTITABLE_REPLICA_SYNC_STEP_H_
#define ENTITABLE_REPLICA_SYNC_STEP_H_

#include <cstddef>
#include <string>

#include "base/date_time.h"
#include "base/poll.h"
#include "replica/conflicts.h"
#include "replica/step_answer.h"
#include "replica/sync_request.h"
#include "replica/synced_table.h"
#include "write/staging.h"

namespace entitable {

// How many rows, groups or conflicts a step takes or lists.
inline constexpr std::size_t kMostPerStep = 100;

// What a step works on.  The request, the table and the staging outlive it.
//
// It lives for one run of the step.  `table` is the row of the catalogue as the
// commit group sees it, so an earlier write of the group may have changed it.
struct StepContext {
  const SyncRequest& request;
  DateTime now;
  const Table& table;
  DateTime timestamp;  // Of what the step writes.
  Staging& staging;
  SyncedTable& rows;
  AskingResolver resolver{request};
  JsonObject answer = {};

  bool is_synced() const { return table.sync != kNoTable; }
  std::string remote_address() const {
    return request.url + "/" + request.remote_table;
  }
};

// A function for each of ENTITABLE_SYNC_STEPS, by its name there.
namespace steps {

// --- Begin and end (begin_steps.cc)

// Puts the table under sync with a remote table, or changes the direction.
Poll<void> Start(StepContext& step);

// Ends the sync: the table keeps its rows, or is empty.  Fails if rows would be
// lost that the remote does not have.
Poll<void> Stop(StepContext& step);

// Some of the rows that were there before the sync become dirty, so that they
// are pushed.  Answers whether these were the last ones.
Poll<void> Adopt(StepContext& step);

// Answers the sequence and the time, for a request that no other step precedes;
// and which store this is.
Poll<void> Ask(StepContext& step);

// Answers which partitions have something to push.
Poll<void> Status(StepContext& step);

// --- Pull (pull_steps.cc)

// Answers which page to ask the remote for.
Poll<void> NextPull(StepContext& step);

// Takes the rows of that page, and moves the position behind it.
Poll<void> ApplyPage(StepContext& step);

// The remote has refused the token of a page.
Poll<void> RestartPull(StepContext& step);

// A wide pull finds rows that became visible late: from when on to list keys
// and ETags, which of those rows to fetch, and that all of them are stored.
Poll<void> WidePull(StepContext& step);
Poll<void> FindChanged(StepContext& step);
Poll<void> CompleteWidePull(StepContext& step);

// A reconcile finds rows that the remote has deleted: compares a page of its
// keys with the rows here.
Poll<void> Compare(StepContext& step);

// Takes a row that was read by itself, or that the remote does not have.
Poll<void> TakeRow(StepContext& step);

// --- Push (push_steps.cc)

// Answers which rows to read before the next push.
Poll<void> RowsToRead(StepContext& step);

// Chooses the next request and stores that it is sent.
Poll<void> BeginPush(StepContext& step);

// Takes the remote's answer to it, and answers what comes next.
Poll<void> CompletePush(StepContext& step);

// Compares a request that was refused with the rows that the remote has, and
// resolves conflicts; or puts that off, because the app cannot resolve them.
Poll<void> Settle(StepContext& step);
Poll<void> Postpone(StepContext& step);

// Drops what marks remember and does not count any more.
Poll<void> Expire(StepContext& step);

// Lists groups that are not pushed yet; rejected ones among them are open
// again.
Poll<void> Pending(StepContext& step);
Poll<void> Retry(StepContext& step);

// --- Conflicts, and writes that are given up (conflicts.cc)

// Lists conflicts that the app has not confirmed.
Poll<void> Conflicts(StepContext& step);

// The app knows of a conflict: its record is deleted.
Poll<void> Confirm(StepContext& step);

// Takes a row, and what was written together with it, back to its base.
Poll<void> Discard(StepContext& step);

}  // namespace steps
}  // namespace entitable

#endif  // ENTITABLE_REPLICA_SYNC_STEP_H_
