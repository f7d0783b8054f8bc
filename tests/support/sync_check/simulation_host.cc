// Commits and pushes, as the host of a store carries them out.

#include <utility>

#include "support/sync_check/simulation.h"
#include "sync/records.h"

namespace entitable::sync_check {
namespace {

using State = sync::Settled::State;

// An app that needs time to decide.
class UndecidedResolver final : public sync::Resolver {
 public:
  std::vector<sync::Resolution> Resolve(
      std::span<const sync::Conflict> conflicts) override {
    return std::vector<sync::Resolution>(conflicts.size());
  }
};

}  // namespace

DateTime Simulation::NowOf(const Replica& replica) const {
  return {remote_.now().ticks + replica.skew};
}

// Returns whether the change is stored: a replica may crash before.
bool Simulation::Commit(Replica& replica, const Change& change, Writer writer) {
  StoredTable staged = replica.table;
  MemoryRows rows(staged);
  const Result<void> done = change(rows).Take();
  const bool is_refused = !done && writer == Writer::kApp &&
                          done.error().code == ErrorCode::kSchemaViolation;
  if (is_refused) return false;
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
  const std::vector<EntityKey> deleted =
      history_.NoteCommit(replica.number, writer, replica.table, staged);
  for (const EntityKey& key : deleted) {
    judge_.NoteDeleted(replica.number, key);
  }
  const std::size_t known = replica.table.conflicts.size();
  replica.table = std::move(staged);
  NoteConflicts(replica, known);
  return true;
}

void Simulation::NoteConflicts(Replica& replica, std::size_t known) {
  for (std::size_t i = known; i < replica.table.conflicts.size(); ++i) {
    const auto conflict = sync::DecodeConflict(replica.table.conflicts[i]);
    if (!conflict) {
      failure_ = "a conflict cannot be read";
      return;
    }
    Say("a conflict of " + conflict->key.partition_key + "/" +
        conflict->key.row_key);
    ++counts_.conflicts;
    judge_.NoteConflict(replica.number, *conflict);
  }
}

// An answer that arrives, or gets lost.
void Simulation::Answer(Replica& replica, std::function<void()> answer) {
  if (!is_quiet_ && Percent(10)) return;
  replica.answers.push_back(std::move(answer));
}

sync::Resolver& Simulation::AnyResolver() {
  static UndecidedResolver undecided;
  if (asks_app_) return undecided;
  return policy_;
}

sync::DecidedResolver Simulation::Decide(
    const std::vector<sync::Conflict>& asked) {
  ++counts_.decisions;
  std::vector<sync::RowValue> decided;
  for (const sync::Resolution& one : policy_.Resolve(asked)) {
    decided.push_back(*one);
  }
  return {asked, std::move(decided)};
}

// ---------------------------------------------------------------------- push

sync::Scope Simulation::ScopeOf(const std::string& partition_key) const {
  if (scopes_.size() == 1) return {};
  return {partition_key};
}

// Returns whether there was anything to send.
bool Simulation::Push(Replica& replica, const std::string& partition_key) {
  std::optional<sync::PushRequest> request;
  const bool is_stored = Commit(replica, [&](MemoryRows& rows) -> Poll<void> {
    ENTITABLE_TRY(auto begun, sync::BeginPush(rows, ScopeOf(partition_key),
                                              partition_key, NowOf(replica),
                                              {.rows = 4, .bytes = 4U << 20}));
    request = std::move(begun.request);
    return {};
  });
  if (is_stored && !request) ReadBeforePush(replica, partition_key);
  if (!is_stored || !request) return false;
  const auto pull = MemoryRows(replica.table).FindPull(ScopeOf(partition_key));
  if (!pull || !pull->is_complete) failure_ = "a push before the first pull";
  history_.NoteRequest(replica.number, *request);
  Send(replica, *request);
  return true;
}

void Simulation::ReadBeforePush(Replica& replica,
                                const std::string& partition_key) {
  MemoryRows rows(replica.table);
  const auto keys = sync::RowsToRead(rows, partition_key, NowOf(replica));
  if (!keys) return;
  for (const EntityKey& key : *keys) ReadRow(replica, key);
}

// Answers that say nothing of the rows.
sync::PushOutcome Simulation::Refusal() {
  switch (Below(5)) {
    case 0:
      return {.answer = {401, ""}};
    case 1:
      return {.answer = {403, ""}, .is_forbidden = Percent(70)};
    case 2:
      return {.answer = {429, ""}};
    case 3:
      return {.answer = {500, "InternalError"}};
    default:
      return {.answer = {503, "ServerBusy"}};
  }
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
  if (fate < 9) {
    Say(line + ", which does not leave");
    ++counts_.unsent;
    return Answer(replica, [this, &replica, request] {
      TakeOutcome(replica, request, {.is_unsent = true});
    });
  }
  if (fate < 20) {
    Say(line + ", which is late");
    late_.emplace_back(DateTime{remote_.now().ticks +
                                Seconds(static_cast<double>(Below(119)))},
                       [this, request, author = replica.number] {
                         remote_.Push(request, Lag(), author);
                       });
    return;
  }
  if (fate < 30) {
    const sync::PushOutcome refusal = Refusal();
    Say(line + ", " + std::to_string(refusal.answer.status));
    return Answer(replica, [this, &replica, request, refusal] {
      TakeOutcome(replica, request, refusal);
    });
  }
  const sync::PushOutcome outcome =
      remote_.Push(request, Lag(), replica.number);
  Say(line + ", " + std::to_string(outcome.answer.status));
  Answer(replica, [this, &replica, request, outcome] {
    TakeOutcome(replica, request, outcome);
  });
}

void Simulation::TakeOutcome(Replica& replica, const sync::PushRequest& request,
                             const sync::PushOutcome& told) {
  std::optional<sync::PushVerdict> next;
  const bool is_stored = Commit(replica, [&](MemoryRows& rows) -> Poll<void> {
    ENTITABLE_TRY(next,
                  sync::CompletePush(rows, request, told, NowOf(replica)));
    return {};
  });
  Say("replica " + std::to_string(replica.number) + " learns of " +
      std::to_string(request.number));
  if (!is_stored || !next) return;
  if (*next == sync::PushVerdict::kReject) ++counts_.rejections;
  if (*next == sync::PushVerdict::kReadAndSettle) {
    ReadForSettling(replica, request);
  }
}

// The rows are read in two pages, with time between them.
void Simulation::ReadForSettling(Replica& replica,
                                 const sync::PushRequest& request) {
  sync::RowsRead read{.sequence = replica.table.sequence,
                      .asked_at = NowOf(replica)};
  if (!remote_.has_table()) return;
  const std::size_t half = (request.operations.size() + 1) / 2;
  for (std::size_t i = 0; i < half; ++i) {
    const EntityKey& key = request.operations[i].key;
    read.rows[key.row_key] = remote_.Read(key);
  }
  Answer(replica,
         [this, &replica, request, read] { ReadOn(replica, request, read); });
}

void Simulation::ReadOn(Replica& replica, const sync::PushRequest& request,
                        const sync::RowsRead& read) {
  if (!remote_.has_table()) return;
  sync::RowsRead all = read;
  for (const sync::PushOperation& operation : request.operations) {
    if (all.rows.contains(operation.key.row_key)) continue;
    all.rows[operation.key.row_key] = remote_.Read(operation.key);
  }
  Answer(replica, [this, &replica, request, all] {
    Settle(replica, request, all, AnyResolver());
  });
}

void Simulation::Settle(Replica& replica, const sync::PushRequest& request,
                        const sync::RowsRead& read, sync::Resolver& resolver) {
  sync::Settled settled;
  const bool is_stored = Commit(replica, [&](MemoryRows& rows) -> Poll<void> {
    ENTITABLE_TRY(settled,
                  sync::Settle(rows, request, read, resolver, NowOf(replica)));
    return {};
  });
  Say("replica " + std::to_string(replica.number) + " settles " +
      std::to_string(request.number));
  if (!is_stored) return;
  counts_.refusals += settled.refused.size();
  if (settled.state == State::kReadAgain) ReadForSettling(replica, request);
  if (settled.state != State::kUnresolved) return;
  if (!is_quiet_ && Percent(30)) {
    Commit(replica, [&](MemoryRows& rows) {
      return sync::Postpone(rows, request, NowOf(replica));
    });
    return;
  }
  Answer(replica, [this, &replica, request, read, asked = settled.unresolved] {
    sync::DecidedResolver decided = Decide(asked);
    Settle(replica, request, read, decided);
  });
}

}  // namespace entitable::sync_check
