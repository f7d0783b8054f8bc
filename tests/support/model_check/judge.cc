#include "support/model_check/judge.h"

#include <algorithm>
#include <utility>

#include "store/opening_pages.h"
#include "support/model_check/observer.h"
#include "support/model_check/reads.h"

namespace entitable::model_check {
namespace {

bool FetchesPages(const Read& read) {
  return std::ranges::any_of(read.keys, [](const ValueKey& key) {
    return key.kind == ValueKey::Kind::kPage && key != kOpeningPagesKey;
  });
}

// The etag of an answer, or of the first part that has one.
std::string EtagOf(const Response& response) {
  for (const Response& part : response.parts) {
    if (!part.etag.empty()) return part.etag;
  }
  return response.etag;
}

// Whether all that is in the state was in the one before.
bool IsPartOf(const State& state, const State& before) {
  return std::ranges::all_of(state, [&](const auto& table) {
    const auto old = before.find(table.first);
    return old != before.end() &&
           std::ranges::all_of(table.second, [&](const auto& entity) {
             const auto at = old->second.find(entity.first);
             return at != old->second.end() && at->second == entity.second;
           });
  });
}

bool IsStorageError(ErrorCode code) {
  return code >= ErrorCode::kAccountClosed;
}

}  // namespace

void Judge::Accuse(Violation violation) {
  if (!violation_) violation_ = std::move(violation);
}

void Judge::Accuse(const std::string& rule, const Ticket& ticket,
                   const std::string& what) {
  Accuse({rule, "#" + std::to_string(ticket.request.number) + " " +
                    Describe(ticket.request) + " -> " + what});
}

// ---------------------------------------------------------------------- tabs

void Judge::Opened(std::size_t tab) {
  tabs_[tab] = {};
  // Its first read comes after this.
  tabs_[tab].known = history_.now();
}

void Judge::Crashed(std::size_t tab) {
  for (Ticket* ticket : tabs_[tab].waiting) {
    ticket->status = Ticket::Status::kLost;
  }
  tabs_[tab].waiting.clear();
}

void Judge::Befell(std::size_t tab, Trouble trouble) {
  tabs_[tab].troubles[static_cast<std::size_t>(trouble)] = tickets_.size();
}

void Judge::Supplied(std::size_t tab, const Read& read, Moment read_at) {
  Tab& one = tabs_[tab];
  if (read.records_after) one.known = std::max(one.known, read_at);
  if (FetchesPages(read)) ++one.page_reads;
}

// What a read finds in two slices may be of two moments, as what it finds
// before and after two reads of pages.
void Judge::Yielded(std::size_t tab) { tabs_[tab].page_reads += 2; }

// ------------------------------------------------------------------ requests

Ticket* Judge::Submitted(std::size_t tab, Request request) {
  const bool is_fresh = request.is_fresh;
  tickets_.push_back({.request = std::move(request),
                      .tab = tab,
                      .serial = tickets_.size() + 1,
                      .submitted_at = history_.now(),
                      .known = is_fresh ? history_.now() : tabs_[tab].known,
                      .page_reads = tabs_[tab].page_reads});
  tabs_[tab].waiting.push_back(&tickets_.back());
  return &tickets_.back();
}

void Judge::Withdrawn(Ticket& ticket) {
  std::erase(tabs_[ticket.tab].waiting, &ticket);
  ticket.status = Ticket::Status::kFailed;
  if (ticket.effect) Accuse("a withdrawn write changes nothing", ticket, "");
}

void Judge::Answered(Ticket& ticket, const Result<Response>& answer) {
  const std::string outcome = Outcome(answer);
  if (ticket.status != Ticket::Status::kWaiting) {
    return Accuse("a request is answered once", ticket, outcome);
  }
  if (IsImport(ticket.request)) return JudgeImport(ticket, answer);
  std::erase(tabs_[ticket.tab].waiting, &ticket);
  if (outcome == kConflict) return JudgeConflict(ticket);
  if (!answer && IsStorageError(answer.error().code)) {
    return JudgeFailure(ticket, answer.error().code, outcome);
  }
  if (!IsWrite(ticket.request)) return JudgeRead(ticket, answer);
  if (answer) return JudgeSuccess(ticket, *answer);
  JudgeRefusal(ticket, outcome);
}

bool Judge::MaySay(const Ticket& ticket, ErrorCode code) const {
  const auto befell = [&](Trouble trouble) {
    const auto index = static_cast<std::size_t>(trouble);
    return tabs_[ticket.tab].troubles[index] >= ticket.serial;
  };
  switch (code) {
    case ErrorCode::kStorageQuotaExceeded:
      return befell(IsDeletion(ticket.request) ? Trouble::kNoReserve
                                               : Trouble::kQuota);
    case ErrorCode::kStorageUnavailable:
      return befell(Trouble::kRefused) || befell(Trouble::kReadFailed);
    case ErrorCode::kStorageOutcomeUnknown:
      return befell(Trouble::kUnknown);
    default:
      return false;
  }
}

void Judge::JudgeFailure(Ticket& ticket, ErrorCode code,
                         const std::string& outcome) {
  if (!MaySay(ticket, code)) {
    return Accuse("an error of the storage is one that befell it", ticket,
                  outcome);
  }
  if (code == ErrorCode::kStorageOutcomeUnknown) {
    ticket.status = Ticket::Status::kUnknown;
    return;
  }
  ticket.status = Ticket::Status::kFailed;
  if (ticket.effect) {
    Accuse("a write that was answered with an error changes nothing", ticket,
           outcome);
  }
}

// The engine may take a change for one of what was read although it is not.
void Judge::JudgeConflict(Ticket& ticket) {
  const bool is_read = ticket.request.is_of_transaction;
  ticket.status = Ticket::Status::kFailed;
  const auto& reads = ticket.request.reads;
  if (ticket.effect || !reads || (!is_read && reads->all.empty())) {
    Accuse("a transaction that fails changes nothing, and has read something",
           ticket, kConflict);
  }
}

void Judge::JudgeSuccess(Ticket& ticket, const Response& response) {
  ticket.status = Ticket::Status::kDone;
  const std::string outcome = std::to_string(response.status);
  // If the indexes are complete, it only reads.
  const bool needs_nothing =
      ticket.request.kind == OperationKind::kSetTableIndexes &&
      WasTrue(ticket, outcome, ticket.known);
  if (!ticket.possible_outcomes.contains(outcome) && !needs_nothing) {
    return Accuse("an acknowledged write is in the storage", ticket, outcome);
  }
  if (!ticket.effect) return;
  const std::string etag = EtagOf(response);
  if (ticket.effect->etag && *ticket.effect->etag != etag) {
    return Accuse("an acknowledged write has the etag it was stored with",
                  ticket, etag + " not " + *ticket.effect->etag);
  }
  Tab& tab = tabs_[ticket.tab];
  tab.acknowledged = std::max(tab.acknowledged, ticket.effect->moment);
  tab.known = std::max(tab.known, ticket.effect->moment);
}

// Of one of its parts: after the last one, or an error, it has ended.
void Judge::JudgeImport(Ticket& ticket, const Result<Response>& answer) {
  Tab& tab = tabs_[ticket.tab];
  if (ticket.effect) {
    tab.acknowledged = std::max(tab.acknowledged, ticket.effect->moment);
  }
  const bool is_last = ticket.sent == ticket.request.writes.size();
  if (answer && (!is_last || ticket.is_abandoned)) return;
  std::erase(tab.waiting, &ticket);
  ticket.status = answer ? Ticket::Status::kDone
                  : answer.error().code == ErrorCode::kStorageOutcomeUnknown
                      ? Ticket::Status::kUnknown
                      : Ticket::Status::kFailed;
  if (answer) {
    const std::string all = std::to_string(ticket.request.writes.size());
    if (answer->body != "{\"read\":" + all + ",\"stored\":" + all + "}" ||
        ticket.stored != ticket.request.writes.size()) {
      Accuse("an import that succeeds stores all", ticket, answer->body);
    }
    tab.known = std::max(tab.known, ticket.effect->moment);
    return;
  }
  const Error& error = answer.error();
  const bool is_exact = error.operation == ticket.stored ||
                        (ticket.status == Ticket::Status::kUnknown &&
                         error.operation && *error.operation <= ticket.stored);
  if (!is_exact) {
    Accuse("an import says how much it stored", ticket,
           Outcome(answer) + ", not " + std::to_string(ticket.stored));
  }
  const bool is_true = IsStorageError(error.code) ? MaySay(ticket, error.code)
                                                  : MayStop(ticket, error);
  if (!is_true) {
    Accuse("an import stops for a reason that was true", ticket,
           Outcome(answer));
  }
}

void Judge::Abandoned(Ticket& ticket, const Result<Response>& answer) {
  const bool was_over = ticket.status != Ticket::Status::kWaiting;
  if (!answer && answer.error().code != ErrorCode::kInvalidInput) {
    if (!was_over) JudgeImport(ticket, answer);
    return;
  }
  const std::size_t all = ticket.request.writes.size();
  // The engine does not know an import that has ended.
  const bool is_true =
      answer ? !was_over &&
                   answer->body.ends_with(
                       "\"stored\":" + std::to_string(ticket.stored) + "}")
             : was_over || ticket.stored == all;
  if (!is_true) {
    Accuse("an import that is abandoned says how much it stored", ticket,
           Outcome(answer) + ", not " + std::to_string(ticket.stored));
  }
  if (was_over) return;
  std::erase(tabs_[ticket.tab].waiting, &ticket);
  ticket.status = Ticket::Status::kDone;
}

// Whether a table of that name may have been dropped since the submission, be
// it within a batch that made it anew.
bool Judge::MayBeDropped(const Ticket& ticket) const {
  return std::ranges::any_of(tickets_, [&](const Ticket& other) {
    return other.request.kind == OperationKind::kDeleteTable &&
           other.request.table == ticket.request.table &&
           other.possible_outcomes.contains("204") &&
           (!other.effect || other.effect->moment >= ticket.submitted_at);
  });
}

// Whether the next entity failed at some moment since the last step.
bool Judge::MayStop(const Ticket& ticket, const Error& error) const {
  const Request& request = ticket.request;
  const bool is_table_missing = error.code == ErrorCode::kTableNotFound;
  if (is_table_missing && ticket.stored > 0 && MayBeDropped(ticket)) {
    return true;
  }
  const Moment from =
      std::max(ticket.effect ? ticket.effect->moment : ticket.submitted_at,
               tabs_[ticket.tab].acknowledged);
  for (Moment moment = from; moment <= history_.now(); ++moment) {
    const State& state = history_.at(moment);
    const auto table = state.find(request.table);
    if (is_table_missing) {
      if (table == state.end()) return true;
      continue;
    }
    if (error.code != ErrorCode::kEntityAlreadyExists) return false;
    if (request.writes.front().kind != OperationKind::kInsertEntity) {
      return false;
    }
    if (table != state.end() &&
        table->second.contains(request.writes[ticket.stored].key)) {
      return true;
    }
  }
  return false;
}

void Judge::JudgeRefusal(Ticket& ticket, const std::string& outcome) {
  ticket.status = Ticket::Status::kFailed;
  if (ticket.effect) {
    return Accuse("a write that was answered with an error changes nothing",
                  ticket, outcome);
  }
  if (ticket.possible_outcomes.contains(outcome)) return;
  if (WasTrue(ticket, outcome,
              std::max(ticket.submitted_at, tabs_[ticket.tab].acknowledged))) {
    return;
  }
  Accuse("a refusal was true at some moment since the submission", ticket,
         outcome);
}

bool Judge::WasTrue(const Ticket& ticket, const std::string& outcome,
                    Moment from) const {
  for (Moment moment = from; moment <= history_.now(); ++moment) {
    if (OutcomeOf(ticket.request, history_.at(moment)) == outcome) return true;
  }
  return false;
}

void Judge::JudgeRead(Ticket& ticket, const Result<Response>& answer) {
  ticket.status = Ticket::Status::kDone;
  Tab& tab = tabs_[ticket.tab];
  const Seen seen = SeenIn(answer);
  const bool goes_through_rows =
      ticket.request.kind == OperationKind::kQueryTables ||
      ticket.request.kind == OperationKind::kQueryEntities ||
      ticket.request.kind == OperationKind::kCountEntities;
  const bool is_of_one_moment = ticket.request.is_of_transaction ||
                                tab.page_reads <= ticket.page_reads + 1 ||
                                !goes_through_rows;
  const auto moment =
      is_of_one_moment
          ? FindMoment(ticket.request, seen, history_, ticket.known)
          : FindMomentsByKey(ticket.request, seen, history_, ticket.known);
  if (!moment) {
    return Accuse("a read sees what was there", ticket,
                  answer ? answer->body : Outcome(answer));
  }
  tab.known = std::max(tab.known, *moment);
}

// ------------------------------------------------------------------- storage

std::vector<Ticket*> Judge::WaitingWrites(std::size_t tab) const {
  std::vector<Ticket*> writes;
  std::ranges::copy_if(
      tabs_[tab].waiting, std::back_inserter(writes),
      [](const Ticket* ticket) { return IsWrite(ticket->request); });
  return writes;
}

void Judge::Stored(const Batch& batch, const std::vector<Ticket*>& writes,
                   const MemoryStorage& storage) {
  if (auto broken = rules_.Check(batch, storage)) Accuse(*std::move(broken));
  auto observed = Observe(storage);
  if (!observed) {
    return Accuse({"a newcomer can read the store", observed.error()});
  }
  // A batch without a record only moves things about.
  auto broken =
      history_.Add(*std::move(observed),
                   PutsRecord(batch) ? writes : std::vector<Ticket*>());
  if (broken) return Accuse(*std::move(broken));
  if (batch.frees &&
      !IsPartOf(history_.newest(), history_.at(history_.now() - 1))) {
    Accuse({"a batch that frees room adds nothing"});
  }
}

void Judge::Finish(const MemoryStorage& storage) {
  for (const Tab& tab : tabs_) {
    for (const Ticket* ticket : tab.waiting) {
      Accuse("every request is answered", *ticket, "nothing");
    }
  }
  if (auto broken = CheckAtEnd(storage)) Accuse(*std::move(broken));
}

}  // namespace entitable::model_check
