// Steps that bring what the remote has: pages of a pull, of a wide pull and of
// a reconcile, and single rows.  The rules are in sync/pull.h and
// sync/reconcile.h; here are the arguments, and the JSON of the answers.

#include <algorithm>
#include <iterator>
#include <optional>
#include <utility>
#include <vector>

#include "replica/sync_step.h"
#include "sync/pull.h"
#include "sync/reconcile.h"

namespace entitable::steps {
namespace {

// A list that begins at the first key and reaches the end is the whole list.
// The host sends one if the remote does not sort.
sync::Listing ListingOf(const SyncRequest& request) {
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

}  // namespace

Poll<void> NextPull(StepContext& step) {
  ENTITABLE_TRY(const auto pull, sync::NextPull(step.rows, step.request.scope));
  ENTITABLE_TRY(const auto state, step.rows.FindPull(step.request.scope));
  step.answer.Text("token", pull.token);
  step.answer.LongNumber("position", pull.step);
  if (pull.from) step.answer.Text("from", pull.from->ToLongString());
  step.answer.Flag("isComplete", state.is_complete);
  return {};
}

Poll<void> ApplyPage(StepContext& step) {
  sync::PulledPage page{.sequence = step.request.sequence,
                        .asked_at = step.request.asked_at,
                        .step = step.request.position,
                        .next_token = step.request.token,
                        .date = step.request.date,
                        .rows = step.request.page.rows};
  // All pages of these rows are asked for before the first row has to wait for
  // one.
  for (const sync::PulledRow& row : page.rows) {
    step.rows.Expect(row.key.view());
  }
  ENTITABLE_TRY(const sync::PullResult result,
                sync::ApplyPage(step.rows, step.request.scope, page,
                                step.resolver, step.now));
  step.answer.Number("changed", result.changed);
  step.answer.Flag("isComplete", result.is_complete);
  step.answer.Json("older", JsonKeys(result.older));
  step.answer.Json("conflicts", step.resolver.unresolved());
  std::vector<sync::RefusedRow> refused = step.request.page.refused;
  std::ranges::copy(result.refused, std::back_inserter(refused));
  step.answer.Json("refused", JsonRefused(refused));
  return {};
}

Poll<void> RestartPull(StepContext& step) {
  return sync::RestartPull(step.rows, step.request.scope);
}

Poll<void> WidePull(StepContext& step) {
  ENTITABLE_TRY(const auto from,
                sync::WidePullFrom(step.rows, step.request.scope));
  if (from) step.answer.Text("from", from->ToLongString());
  return {};
}

Poll<void> FindChanged(StepContext& step) {
  ENTITABLE_TRY(const auto changed,
                sync::FindChanged(step.rows, ListingOf(step.request)));
  step.answer.Json("changed", JsonKeys(changed));
  return {};
}

Poll<void> CompleteWidePull(StepContext& step) {
  return sync::CompleteWidePull(step.rows, step.request.scope,
                                step.request.date);
}

// `missing` and `known` count the pages before this one, since no step sees
// them all.  From them the host learns whether so many deletions are likely.
Poll<void> Compare(StepContext& step) {
  ENTITABLE_TRY(
      const sync::Findings found,
      sync::Compare(step.rows, step.request.scope, ListingOf(step.request)));
  const std::uint64_t missing = step.request.missing + found.missing.size();
  const std::uint64_t known = step.request.known + found.known;
  step.answer.Flag("isUnsorted", found.is_unsorted);
  step.answer.Json("missing", JsonKeys(found.missing));
  step.answer.Json("doubtful", JsonKeys(found.doubtful));
  step.answer.Json("unknown", JsonKeys(found.unknown));
  step.answer.Number("known", known);
  step.answer.Flag("isSuspicious",
                   missing > 0 && sync::IsSuspicious(missing, known));
  return {};
}

// The remote's answer is one row, nothing because it has none, or a row that
// could not be read.  In the last case nothing is known of it, so nothing
// changes.
Poll<void> TakeRow(StepContext& step) {
  sync::ReadRow read{.key = step.request.key,
                     .remote = std::nullopt,
                     .sequence = step.request.sequence,
                     .asked_at = step.request.asked_at};
  std::vector<sync::RefusedRow> refused = step.request.page.refused;
  const auto& rows = step.request.page.rows;
  if (rows.empty() && !step.request.is_absent) {
    step.answer.Json("refused", JsonRefused(refused));
    return {};
  }
  if (!step.request.is_absent) read.remote = rows.front().version;
  ENTITABLE_TRY(const sync::AppliedRow applied,
                sync::ApplyRow(step.rows, read, step.resolver, step.now));
  step.answer.Number("changed",
                     applied.outcome == sync::RowOutcome::kChanged ? 1 : 0);
  if (applied.outcome == sync::RowOutcome::kRefused) {
    refused.push_back({applied.reason, read.key});
  }
  step.answer.Json("refused", JsonRefused(refused));
  std::vector<EntityKey> older;
  if (applied.is_older) older.push_back(read.key);
  step.answer.Json("older", JsonKeys(older));
  step.answer.Json("conflicts", step.resolver.unresolved());
  return {};
}

}  // namespace entitable::steps
