#include "sync/pull.h"

#include <algorithm>
#include <utility>

#include "sync/push.h"

namespace entitable::sync {
namespace {

// The position behind the page.  An answer to an older request does not move
// it.
void Advance(const PulledPage& page, PullState& state) {
  if (page.asked_token != state.token) return;
  if (page.asked_token.empty()) state.next_from = page.date;
  state.token = page.next_token;
  if (!page.next_token.empty()) return;
  if (!state.is_held_back) state.from = std::max(state.from, state.next_from);
  state.is_held_back = false;
  state.is_complete = true;
}

}  // namespace

Result<PullRequest> NextPull(SyncRows& rows, std::string_view partition_key,
                             bool is_wide) {
  ENTITABLE_TRY(const PullState state, rows.FindPull(partition_key));
  PullRequest request{.token = state.token};
  if (state.from > DateTime()) {
    const std::int64_t overlap = is_wide ? kWideOverlap : kOverlap;
    request.from = std::max(DateTime{state.from.ticks - overlap}, kMinDateTime);
  }
  return request;
}

Result<PullResult> ApplyPage(SyncRows& rows, std::string_view partition_key,
                             const PulledPage& page, Resolver& resolver,
                             DateTime now) {
  PullResult result;
  ENTITABLE_TRY(PullState state, rows.FindPull(partition_key));
  if (page.asked_token.empty() && state.token.empty()) {
    state.is_held_back = false;
  }
  for (const PulledRow& row : page.rows) {
    ENTITABLE_TRY(
        TakenRow taken,
        TakeRow(rows, {row.key, row.version, page.sequence}, resolver, now));
    if (taken.is_older) result.older.push_back(row.key);
    if (taken.taken == Taken::kChanged) ++result.changed;
    state.is_held_back |=
        taken.taken == Taken::kHeldBack || taken.taken == Taken::kUnresolved;
    if (taken.conflict) result.unresolved.push_back(*std::move(taken.conflict));
  }
  Advance(page, state);
  result.is_complete = page.next_token.empty();
  rows.PutPull(partition_key, state);
  return result;
}

Result<void> RestartPull(SyncRows& rows, std::string_view partition_key) {
  ENTITABLE_TRY(PullState state, rows.FindPull(partition_key));
  state.token.clear();
  rows.PutPull(partition_key, state);
  return {};
}

}  // namespace entitable::sync
