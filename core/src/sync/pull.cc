#include "sync/pull.h"

#include <algorithm>
#include <iterator>
#include <utility>

#include "sync/push.h"

namespace entitable::sync {
namespace {

// Without the header, no other time of the first answer is known to be the
// remote's.
DateTime DateOf(const PulledPage& page) {
  DateTime date = page.date;
  if (date > DateTime()) return date;
  for (const PulledRow& row : page.rows) {
    const auto time = TimeOfEtag(row.version.etag);
    if (time) date = std::max(date, *time);
  }
  return date;
}

// The position behind the page.  An answer to an older request does not move
// it.
void Advance(const PulledPage& page, PullState& state) {
  if (page.step != state.step) return;
  ++state.step;
  if (state.token.empty()) state.next_from = DateOf(page);
  state.token = page.next_token;
  if (!page.next_token.empty()) return;
  if (!state.is_held_back) state.from = std::max(state.from, state.next_from);
  if (state.wide_from == DateTime()) state.wide_from = state.from;
  state.is_held_back = false;
  state.is_complete = true;
}

DateTime Before(DateTime time, std::int64_t ticks) {
  return std::max(DateTime{time.ticks - ticks}, kMinDateTime);
}

}  // namespace

Result<PullRequest> NextPull(SyncRows& rows, const Scope& scope) {
  ENTITABLE_TRY(PullState state, rows.FindPull(scope));
  const bool is_other_schema =
      state.refused_by != 0 && state.refused_by != rows.SchemaMark();
  if (is_other_schema) {
    state.refused_by = 0;
    state.token.clear();
    state.from = {};
    ++state.step;
    rows.PutPull(scope, state);
  }
  PullRequest request{.token = state.token, .step = state.step};
  if (state.from > DateTime()) request.from = Before(state.from, kOverlap);
  return request;
}

Result<std::optional<DateTime>> WidePullFrom(SyncRows& rows,
                                             const Scope& scope) {
  ENTITABLE_TRY(const PullState state, rows.FindPull(scope));
  if (!state.is_complete || state.wide_from == DateTime()) return std::nullopt;
  return Before(state.wide_from, kWideOverlap);
}

Result<void> CompleteWidePull(SyncRows& rows, const Scope& scope,
                              DateTime date) {
  ENTITABLE_TRY(PullState state, rows.FindPull(scope));
  state.wide_from = std::max(state.wide_from, date);
  rows.PutPull(scope, state);
  return {};
}

Result<PullResult> ApplyPage(SyncRows& rows, const Scope& scope,
                             const PulledPage& page, Resolver& resolver,
                             DateTime now) {
  PullResult result;
  ENTITABLE_TRY(PullState state, rows.FindPull(scope));
  const bool is_first = page.step == state.step && state.token.empty();
  if (is_first) state.is_held_back = false;
  for (const PulledRow& row : page.rows) {
    ENTITABLE_TRY(
        TakenRow taken,
        TakeRow(rows, {row.key, row.version, page.sequence, page.asked_at},
                resolver, now));
    if (taken.is_older) result.older.push_back(row.key);
    if (taken.taken == Taken::kChanged) ++result.changed;
    state.is_held_back |=
        taken.taken == Taken::kHeldBack || taken.taken == Taken::kUnresolved;
    std::ranges::move(taken.conflicts, std::back_inserter(result.unresolved));
    if (taken.taken == Taken::kRefused) {
      result.refused.push_back({std::move(taken.reason), row.key});
    }
  }
  if (!result.refused.empty()) state.NoteRefusal(rows.SchemaMark());
  Advance(page, state);
  result.is_complete = page.next_token.empty();
  rows.PutPull(scope, state);
  return result;
}

Result<void> RestartPull(SyncRows& rows, const Scope& scope) {
  ENTITABLE_TRY(PullState state, rows.FindPull(scope));
  if (state.token.empty()) return {};
  state.token.clear();
  ++state.step;
  rows.PutPull(scope, state);
  return {};
}

Result<bool> MayCreateTable(SyncRows& rows) {
  ENTITABLE_TRY(const bool has_pulled, rows.HasPulled());
  return !has_pulled;
}

}  // namespace entitable::sync
