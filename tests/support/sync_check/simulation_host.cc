// The steps of sync, as the host of a store carries them out.

#include <utility>

#include "support/sync_check/simulation.h"
#include "sync/reconcile.h"
#include "sync/records.h"

namespace entitable::sync_check {
namespace {

using State = sync::Settled::State;

constexpr int kBusy = 503;

}  // namespace

DateTime Simulation::NowOf(const Replica& replica) const {
  return {remote_.now().ticks + replica.skew};
}

// Returns whether the change is stored: a replica may crash before.
bool Simulation::Commit(Replica& replica, const Change& change) {
  StoredTable staged = replica.table;
  MemoryRows rows(staged);
  const Result<void> done = change(rows);
  if (!done) {
    failure_ = "an operation fails: " + done.error().message;
    return false;
  }
  if (!is_quiet_ && Percent(2)) {
    Say("replica " + std::to_string(replica.number) +
        " crashes before the commit");
    ++counts_.crashes;
    replica.answers.clear();
    return false;
  }
  const std::size_t known = replica.table.conflicts.size();
  replica.table = std::move(staged);
  for (std::size_t i = known; i < replica.table.conflicts.size(); ++i) {
    const auto conflict = sync::DecodeConflict(replica.table.conflicts[i]);
    if (!conflict) {
      failure_ = "a conflict cannot be read";
    } else {
      Say("a conflict of " + conflict->key.row_key);
      ++counts_.conflicts;
      judge_.NoteConflict(replica.number, *conflict);
    }
  }
  return true;
}

// An answer that arrives, or gets lost.
void Simulation::Answer(Replica& replica, std::function<void()> answer) {
  if (!is_quiet_ && Percent(10)) return;
  replica.answers.push_back(std::move(answer));
}

// ---------------------------------------------------------------------- push

// Returns whether there was anything to send.
bool Simulation::Push(Replica& replica, const std::string& partition_key) {
  std::optional<sync::PushRequest> request;
  const bool is_stored = Commit(replica, [&](MemoryRows& rows) -> Result<void> {
    ENTITABLE_TRY(request, sync::BeginPush(rows, partition_key, NowOf(replica),
                                           {.rows = 4, .bytes = 4U << 20}));
    return {};
  });
  if (!is_stored || !request) return false;
  Send(replica, *request);
  return true;
}

void Simulation::Send(Replica& replica, const sync::PushRequest& request) {
  std::string line = "replica " + std::to_string(replica.number) + " sends " +
                     std::to_string(request.number) + ":";
  for (const sync::PushOperation& operation : request.operations) {
    line += " " + operation.key.row_key + "(" +
            std::to_string(static_cast<int>(operation.kind)) + ")";
  }
  const std::uint64_t fate = is_quiet_ ? 100 : Below(100);
  if (fate < 6) return Say(line + ", which is lost");
  if (fate < 18) {
    Say(line + ", which is late");
    late_.emplace_back(DateTime{remote_.now().ticks +
                                Seconds(static_cast<double>(Below(119)))},
                       [this, request] { remote_.Push(request, Lag()); });
    return;
  }
  if (fate < 24) {
    Say(line + ", busy");
    return Answer(replica, [this, &replica, request] {
      TakeOutcome(replica, request, {.answer = {kBusy, ""}});
    });
  }
  const sync::PushOutcome outcome = remote_.Push(request, Lag());
  Say(line + ", " + std::to_string(outcome.answer.status));
  Answer(replica, [this, &replica, request, outcome] {
    TakeOutcome(replica, request, outcome);
  });
}

void Simulation::TakeOutcome(Replica& replica, const sync::PushRequest& request,
                             const sync::PushOutcome& told) {
  std::optional<sync::NextStep> next;
  const bool is_stored = Commit(replica, [&](MemoryRows& rows) -> Result<void> {
    ENTITABLE_TRY(next,
                  sync::CompletePush(rows, request, told, NowOf(replica)));
    return {};
  });
  Say("replica " + std::to_string(replica.number) + " learns of " +
      std::to_string(request.number));
  if (!is_stored || !next) return;
  if (*next == sync::NextStep::kReject) ++counts_.rejections;
  if (*next == sync::NextStep::kReadAndSettle) {
    ReadForSettling(replica, request);
  }
}

void Simulation::ReadForSettling(Replica& replica,
                                 const sync::PushRequest& request) {
  if (!remote_.has_table()) return;
  sync::RowsRead read{.sequence = replica.table.sequence};
  for (const sync::PushOperation& operation : request.operations) {
    read.rows[operation.key.row_key] = remote_.Read(operation.key);
  }
  Answer(replica, [this, &replica, request, read] {
    sync::Settled settled;
    const bool is_stored =
        Commit(replica, [&](MemoryRows& rows) -> Result<void> {
          ENTITABLE_TRY(settled, sync::Settle(rows, request, read, resolver_,
                                              NowOf(replica)));
          return {};
        });
    Say("replica " + std::to_string(replica.number) + " settles " +
        std::to_string(request.number));
    if (is_stored && settled.state == State::kReadAgain) {
      ReadForSettling(replica, request);
    }
  });
}

// ---------------------------------------------------------------------- pull

void Simulation::Pull(Replica& replica, const std::string& partition_key) {
  MemoryRows rows(replica.table);
  const auto request =
      sync::NextPull(rows, partition_key, is_quiet_ || Percent(20));
  if (!request) return;
  auto page = remote_.Query(partition_key, *request);
  if (!page) return;
  page->sequence = replica.table.sequence;
  Answer(replica, [this, &replica, partition_key, page] {
    if (!page->rows.empty()) {
      Say("replica " + std::to_string(replica.number) + " takes a page of " +
          std::to_string(page->rows.size()));
    }
    Commit(replica, [&](MemoryRows& staged) -> Result<void> {
      ENTITABLE_TRY(sync::ApplyPage(staged, partition_key, *page, resolver_,
                                    NowOf(replica)));
      return {};
    });
  });
}

// ----------------------------------------------------------------- reconcile

// A remote that sorts is compared page by page, another one as a whole.
void Simulation::Reconcile(Replica& replica, const std::string& partition_key) {
  std::string& token = replica.list_tokens[partition_key];
  if (!is_sorted_) token.clear();
  sync::Listing listing{.sequence = replica.table.sequence};
  if (!token.empty()) listing.after = token;
  do {
    auto keys = remote_.List(partition_key, token);
    if (!keys) return;
    listing.date = keys->listing.date;
    for (sync::ListedRow& row : keys->listing.rows) {
      listing.rows.push_back(std::move(row));
    }
    token = keys->next_token;
  } while (!is_sorted_ && !token.empty());
  listing.is_end = token.empty();
  if (!is_sorted_) sync::SortListing(listing);
  Answer(replica, [this, &replica, partition_key, listing] {
    TakeListing(replica, partition_key, listing);
  });
}

void Simulation::TakeListing(Replica& replica, const std::string& partition_key,
                             const sync::Listing& listing) {
  sync::Findings findings;
  Commit(replica, [&](MemoryRows& rows) -> Result<void> {
    ENTITABLE_TRY(findings, sync::Compare(rows, partition_key, listing));
    return {};
  });
  if (findings.is_unsorted) failure_ = "a sorted listing is not sorted";
  for (const std::string& row_key : findings.missing) {
    Say("replica " + std::to_string(replica.number) + " misses " +
        partition_key + "/" + row_key);
    ++counts_.deletions;
    TakeRow(replica,
            {{partition_key, row_key}, std::nullopt, listing.sequence});
  }
  for (const std::string& row_key : findings.doubtful) {
    ReadRow(replica, {partition_key, row_key});
  }
  for (const std::string& row_key : findings.unknown) {
    ReadRow(replica, {partition_key, row_key});
  }
}

void Simulation::ReadRow(Replica& replica, const EntityKey& key) {
  if (!remote_.has_table()) return;
  const sync::ReadRow read{key, remote_.Read(key), replica.table.sequence};
  Answer(replica, [this, &replica, read] { TakeRow(replica, read); });
}

void Simulation::TakeRow(Replica& replica, const sync::ReadRow& read) {
  Commit(replica, [&](MemoryRows& rows) -> Result<void> {
    ENTITABLE_TRY(sync::TakeRow(rows, read, resolver_, NowOf(replica)));
    return {};
  });
}

}  // namespace entitable::sync_check
