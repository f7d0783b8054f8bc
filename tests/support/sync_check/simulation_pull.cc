// Pulls and reconciles, as the host of a store carries them out.

#include <algorithm>
#include <iterator>
#include <utility>

#include "support/sync_check/simulation.h"

namespace entitable::sync_check {

// ---------------------------------------------------------------------- pull

void Simulation::Pull(Replica& replica, const sync::Scope& scope) {
  std::optional<sync::PullRequest> request;
  Commit(replica, [&](MemoryRows& rows) -> Poll<void> {
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
  const bool is_stored = Commit(replica, [&](MemoryRows& rows) -> Poll<void> {
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
      const sync::RowOutcome applied = ApplyRow(
          replica,
          {key, remote_.Read(key), replica.table.sequence, NowOf(replica)});
      pull->is_whole &= applied != sync::RowOutcome::kHeldBack &&
                        applied != sync::RowOutcome::kUnresolved;
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
  ReconcileOn(replica,
              std::make_shared<Pass>(Pass{scope, replica.knows_order}));
}

void Simulation::ReconcileOn(Replica& replica,
                             const std::shared_ptr<Pass>& pass) {
  auto keys = remote_.List(pass->scope, pass->token, std::nullopt);
  if (!keys) return;
  sync::Listing listing = std::move(keys->listing);
  listing.sequence = replica.table.sequence;
  listing.asked_at = NowOf(replica);
  // An intermediary may cut a page off, or hide the token.
  const bool is_hidden = !is_quiet_ && pass->is_sorted && Percent(5);
  if (is_hidden) keys->next_token.clear();
  Answer(replica, [this, &replica, pass, listing, next = keys->next_token] {
    if (pass->is_sorted) return TakeListing(replica, pass, listing, next);
    TakeUnsorted(replica, pass, listing, next);
  });
}

sync::Findings Simulation::Compare(Replica& replica, const Pass& pass,
                                   const sync::Listing& listing) {
  MemoryRows rows(replica.table);
  auto found = sync::Compare(rows, pass.scope, listing);
  if (!found) failure_ = "a listing cannot be compared";
  return found ? *std::move(found) : sync::Findings();
}

void Simulation::Note(const sync::Findings& found, const sync::Listing& listing,
                      Pass& pass) {
  for (const EntityKey& key : found.missing) {
    pass.missing.push_back(
        {key, std::nullopt, listing.sequence, listing.asked_at});
  }
  std::ranges::copy(found.doubtful, std::back_inserter(pass.doubtful));
  pass.known += found.known;
}

void Simulation::TakeListing(Replica& replica,
                             const std::shared_ptr<Pass>& pass,
                             sync::Listing listing,
                             const std::string& next_token) {
  listing.after = pass->last_key;
  const sync::Findings found = Compare(replica, *pass, listing);
  if (found.is_unsorted) {
    if (is_sorted_) failure_ = "a sorted listing is not sorted";
    replica.knows_order = false;
    return Reconcile(replica, pass->scope);
  }
  Note(found, listing, *pass);
  for (const EntityKey& key : found.unknown) ReadRow(replica, key);
  const bool is_empty = listing.rows.empty();
  if (!is_empty) pass->last_key = listing.rows.back().key;
  pass->token = next_token;
  if (!next_token.empty()) return ReconcileOn(replica, pass);
  listing.rows.clear();
  listing.after = pass->last_key;
  listing.is_end = true;
  const sync::Findings rest = Compare(replica, *pass, listing);
  // Keys behind the last one are asked for once, unless none is known here.
  const bool is_last = rest.missing.empty() && rest.doubtful.empty();
  if (is_last || (pass->is_behind && is_empty)) {
    Note(rest, listing, *pass);
    return FinishPass(replica, pass);
  }
  pass->is_behind = true;
  if (pass->last_key) pass->token = Remote::TokenBehind(*pass->last_key);
  ReconcileOn(replica, pass);
}

// The whole list is compared at its end.  What is missing was missing at the
// first page, too.
void Simulation::TakeUnsorted(Replica& replica,
                              const std::shared_ptr<Pass>& pass,
                              const sync::Listing& listing,
                              const std::string& next_token) {
  const bool is_first = pass->token.empty();
  if (is_first) pass->whole = listing;
  if (!is_first) {
    std::ranges::copy(listing.rows, std::back_inserter(pass->whole.rows));
  }
  pass->token = next_token;
  if (!next_token.empty()) return ReconcileOn(replica, pass);
  pass->whole.is_end = true;
  pass->whole = sync::InOrder(std::move(pass->whole));
  const sync::Findings found = Compare(replica, *pass, pass->whole);
  Note(found, pass->whole, *pass);
  for (const EntityKey& key : found.unknown) ReadRow(replica, key);
  FinishPass(replica, pass);
}

// Of many missing rows, three are read first.
void Simulation::FinishPass(Replica& replica,
                            const std::shared_ptr<Pass>& pass) {
  if (!remote_.has_table()) return;
  const auto& missing = pass->missing;
  const std::size_t count = missing.size();
  if (count > 0 && sync::IsSuspicious(count, pass->known)) {
    for (const std::size_t at : {std::size_t{0}, count / 2, count - 1}) {
      if (!remote_.Read(missing[at].key)) continue;
      return Say("a listing was wrong");
    }
  }
  for (const sync::ReadRow& row : missing) {
    Say("replica " + std::to_string(replica.number) + " misses " +
        row.key.partition_key + "/" + row.key.row_key);
    ++counts_.deletions;
    ApplyRow(replica, row);
  }
  for (const EntityKey& key : pass->doubtful) ReadRow(replica, key);
}

void Simulation::ReadRow(Replica& replica, const EntityKey& key) {
  if (!remote_.has_table()) return;
  const sync::ReadRow read{key, remote_.Read(key), replica.table.sequence,
                           NowOf(replica)};
  Answer(replica, [this, &replica, read] { ApplyRow(replica, read); });
}

sync::RowOutcome Simulation::ApplyRow(Replica& replica,
                                      const sync::ReadRow& read) {
  sync::AppliedRow applied{.outcome = sync::RowOutcome::kHeldBack};
  const auto take = [&](sync::Resolver& resolver) {
    return Commit(replica, [&](MemoryRows& rows) -> Poll<void> {
      ENTITABLE_TRY(applied,
                    sync::ApplyRow(rows, read, resolver, NowOf(replica)));
      return {};
    });
  };
  if (!take(AnyResolver())) return sync::RowOutcome::kHeldBack;
  if (!applied.conflicts.empty() && (is_quiet_ || Percent(70))) {
    sync::DecidedResolver decided = Decide(applied.conflicts);
    if (!take(decided)) return sync::RowOutcome::kHeldBack;
  }
  if (applied.outcome == sync::RowOutcome::kRefused) ++counts_.refusals;
  return applied.outcome;
}

}  // namespace entitable::sync_check
