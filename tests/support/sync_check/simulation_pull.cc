// Pulls and reconciles, as the host of a store carries them out.

#include <utility>

#include "support/sync_check/simulation.h"

namespace entitable::sync_check {

// ---------------------------------------------------------------------- pull

void Simulation::Pull(Replica& replica, const sync::Scope& scope) {
  std::optional<sync::PullRequest> request;
  Commit(replica, [&](MemoryRows& rows) -> Result<void> {
    ENTITABLE_TRY(request, sync::NextPull(rows, scope));
    return {};
  });
  if (!request) return;
  if (!is_quiet_ && !request->token.empty() && Percent(5)) {
    Say("replica " + std::to_string(replica.number) + " has its token refused");
    Commit(replica, [&](MemoryRows& staged) {
      return sync::RestartPull(staged, scope);
    });
    return;
  }
  auto page = remote_.Query(scope, *request, replica.number);
  if (!page) return;
  page->sequence = replica.table.sequence;
  page->asked_at = NowOf(replica);
  Answer(replica, [this, &replica, scope, page] {
    TakePage(replica, scope, *page, AnyResolver());
  });
}

void Simulation::TakePage(Replica& replica, const sync::Scope& scope,
                          const sync::PulledPage& page,
                          sync::Resolver& resolver) {
  if (!page.rows.empty()) {
    Say("replica " + std::to_string(replica.number) + " takes a page of " +
        std::to_string(page.rows.size()));
  }
  sync::PullResult result;
  const bool is_stored = Commit(replica, [&](MemoryRows& rows) -> Result<void> {
    ENTITABLE_TRY(result,
                  sync::ApplyPage(rows, scope, page, resolver, NowOf(replica)));
    return {};
  });
  if (!is_stored) return;
  counts_.refusals += result.refused.size();
  if (result.unresolved.empty()) return;
  Answer(replica, [this, &replica, scope, page, asked = result.unresolved] {
    sync::DecidedResolver decided = Decide(asked);
    TakePage(replica, scope, page, decided);
  });
}

void Simulation::BeginWidePull(Replica& replica, const sync::Scope& scope) {
  MemoryRows rows(replica.table);
  const auto from = sync::WidePullFrom(rows, scope);
  if (!from || !*from) return;
  WidePullOn(replica, std::make_shared<WidePull>(
                          WidePull{.scope = scope, .from = **from}));
}

// Lists a page, fetches what is unknown, and goes on.
void Simulation::WidePullOn(Replica& replica,
                            const std::shared_ptr<WidePull>& pull) {
  const auto keys = remote_.List(pull->scope, pull->token, pull->from);
  if (!keys) return;
  sync::Listing listing = keys->listing;
  listing.sequence = replica.table.sequence;
  if (pull->token.empty()) pull->date = listing.date;
  Answer(replica, [this, &replica, pull, listing, next = keys->next_token] {
    MemoryRows rows(replica.table);
    const auto changed = sync::FindChanged(rows, listing);
    if (!changed || !remote_.has_table()) return;
    for (const EntityKey& key : *changed) {
      ++counts_.late_rows;
      const sync::Taken taken = TakeRow(
          replica,
          {key, remote_.Read(key), replica.table.sequence, NowOf(replica)});
      pull->is_whole &=
          taken != sync::Taken::kHeldBack && taken != sync::Taken::kUnresolved;
    }
    pull->token = next;
    if (!next.empty()) return WidePullOn(replica, pull);
    if (!pull->is_whole) return;
    Commit(replica, [&](MemoryRows& staged) {
      return sync::CompleteWidePull(staged, pull->scope, pull->date);
    });
  });
}

// ----------------------------------------------------------------- reconcile

void Simulation::Reconcile(Replica& replica, const sync::Scope& scope) {
  const sync::ReconcilePass found(scope, replica.knows_order);
  ReconcileOn(replica, std::make_shared<Pass>(Pass{scope, found, "", ""}));
}

void Simulation::ReconcileOn(Replica& replica,
                             const std::shared_ptr<Pass>& pass) {
  auto keys = remote_.List(pass->scope, pass->token, std::nullopt);
  if (!keys) return;
  sync::Listing listing = std::move(keys->listing);
  listing.sequence = replica.table.sequence;
  listing.asked_at = NowOf(replica);
  if (!listing.rows.empty()) {
    pass->last_key = Remote::TokenBehind(listing.rows.back().key);
  }
  // An intermediary may cut a page off, or hide the token.
  const bool is_hidden = !is_quiet_ && replica.knows_order && Percent(5);
  if (is_hidden) keys->next_token.clear();
  // Ask once for keys behind the last one.
  const bool is_end = keys->next_token.empty() && listing.rows.empty();
  listing.is_end = is_end && replica.knows_order;
  pass->token = keys->next_token.empty() ? pass->last_key : keys->next_token;
  Answer(replica, [this, &replica, pass, listing, is_end] {
    TakeListing(replica, pass, listing);
    if (is_end) FinishPass(replica, pass);
  });
}

void Simulation::TakeListing(Replica& replica,
                             const std::shared_ptr<Pass>& pass,
                             const sync::Listing& listing) {
  MemoryRows rows(replica.table);
  const bool is_end = listing.rows.empty();
  const auto step = pass->found.Take(rows, listing);
  if (!step) {
    failure_ = "a listing cannot be compared";
    return;
  }
  if (step->is_unsorted) {
    if (is_sorted_) failure_ = "a sorted listing is not sorted";
    replica.knows_order = false;
    return Reconcile(replica, pass->scope);
  }
  for (const EntityKey& key : step->unknown) ReadRow(replica, key);
  if (!is_end) ReconcileOn(replica, pass);
}

void Simulation::FinishPass(Replica& replica,
                            const std::shared_ptr<Pass>& pass) {
  MemoryRows rows(replica.table);
  const auto end = pass->found.Finish(rows);
  if (!end || !remote_.has_table()) return;
  for (const EntityKey& key : end->samples) {
    if (!remote_.Read(key)) continue;
    Say("a listing was wrong");
    return;
  }
  for (const auto& [key, sequence, asked_at] : end->missing) {
    Say("replica " + std::to_string(replica.number) + " misses " +
        key.partition_key + "/" + key.row_key);
    ++counts_.deletions;
    TakeRow(replica, {key, std::nullopt, sequence, asked_at});
  }
  for (const EntityKey& key : end->doubtful) ReadRow(replica, key);
}

void Simulation::ReadRow(Replica& replica, const EntityKey& key) {
  if (!remote_.has_table()) return;
  const sync::ReadRow read{key, remote_.Read(key), replica.table.sequence,
                           NowOf(replica)};
  Answer(replica, [this, &replica, read] { TakeRow(replica, read); });
}

sync::Taken Simulation::TakeRow(Replica& replica, const sync::ReadRow& read) {
  sync::TakenRow taken{.taken = sync::Taken::kHeldBack};
  const auto take = [&](sync::Resolver& resolver) {
    return Commit(replica, [&](MemoryRows& rows) -> Result<void> {
      ENTITABLE_TRY(taken, sync::TakeRow(rows, read, resolver, NowOf(replica)));
      return {};
    });
  };
  if (!take(AnyResolver())) return sync::Taken::kHeldBack;
  if (!taken.conflicts.empty() && (is_quiet_ || Percent(70))) {
    sync::DecidedResolver decided = Decide(taken.conflicts);
    if (!take(decided)) return sync::Taken::kHeldBack;
  }
  if (taken.taken == sync::Taken::kRefused) ++counts_.refusals;
  return taken.taken;
}

}  // namespace entitable::sync_check
