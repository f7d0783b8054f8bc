#include "support/model_check/simulator.h"

#include <algorithm>
#include <iterator>
#include <utility>

#include "support/make_engine.h"
#include "support/model_check/reads.h"
#include "support/model_check/trace.h"

namespace entitable::model_check {
namespace {

// 2024-01-02T03:04:05.678Z
constexpr double kBeginning = 1'704'164'645'678;

// More than any engine needs for what a schedule asks of it.
constexpr int kMaxTurns = 1'000;
constexpr int kMaxRounds = 500;

Random128 IdentityOf(std::uint64_t number) {
  return {static_cast<std::uint8_t>(number),
          static_cast<std::uint8_t>(number >> 8)};
}

// The pick-th flight, in a circle, of those that are performed or are not.
template <typename Flights>
auto Choose(Flights& flights, bool is_performed, std::size_t pick) {
  std::vector<typename Flights::iterator> found;
  for (auto at = flights.begin(); at != flights.end(); ++at) {
    if (at->is_performed == is_performed) found.push_back(at);
  }
  return found.empty() ? flights.end() : found[pick % found.size()];
}

}  // namespace

Counts& Counts::operator+=(const Counts& other) {
  choices += other.choices;
  batches += other.batches;
  moves += other.moves;
  orphans += other.orphans;
  falls += other.falls;
  requests += other.requests;
  transactions += other.transactions;
  conflicts += other.conflicts;
  return *this;
}

Report Simulate(const Schedule& schedule, const Trace& trace) {
  return Simulator(schedule, trace).Run();
}

Simulator::Simulator(const Schedule& schedule, const Trace& trace)
    : schedule_(schedule),
      trace_(trace),
      storage_([this](const Batch& batch, const std::vector<Ticket*>& writes) {
        Stored(batch, writes);
      }) {}

Report Simulator::Run() {
  for (const Choice& choice : schedule_.choices) {
    time_ = choice.time;
    if (trace_) trace_(Describe(choice));
    if (Do(choice)) {
      ++report_.counts.choices;
    } else {
      Note("has nothing to act on");
    }
    if (judge_.violation()) break;
  }
  if (!judge_.violation()) ComeToAnEnd();
  report_.violation = judge_.violation();
  report_.counts.orphans = storage_.orphans();
  const auto& values = storage_.memory().values();
  const auto first = values.lower_bound(ValueKey::Record(0));
  report_.has_trimmed =
      first != values.end() && first->first != ValueKey::Record(1);
  return std::move(report_);
}

bool Simulator::Do(const Choice& choice) {
  switch (choice.kind) {
    case Choice::Kind::kOpen:
      return Open(choice.tab);
    case Choice::Kind::kCrash:
      return Crash(choice.tab, choice.pick);
    case Choice::Kind::kSubmit:
      return Submit(choice.tab, choice.request);
    case Choice::Kind::kWithdraw:
      return Withdraw(tabs_[choice.tab], choice.pick);
    case Choice::Kind::kTurn:
      return TakeTurn(choice.tab);
    case Choice::Kind::kWork:
      return Work(choice.tab);
    case Choice::Kind::kPerform:
      return Perform(choice.tab, choice.pick, choice.fault);
    case Choice::Kind::kDeliver:
      return Deliver(choice.tab, choice.pick);
    case Choice::Kind::kArrive:
      return storage_.Arrive(choice.pick);
    case Choice::Kind::kFallBack:
      return FallBack(choice.pick);
    case Choice::Kind::kSetClock:
      SetClock(tabs_[choice.tab], choice.clock_minutes);
      return true;
  }
  return false;
}

void Simulator::Note(const std::string& text) {
  if (trace_) trace_("    " + text);
}

// ---------------------------------------------------------------------- tabs

bool Simulator::Open(std::size_t tab) {
  // An engine that does not know what was lost would rightly continue without
  // it.
  if (tabs_[tab].engine || storage_.has_forgotten()) return false;
  EngineOptions options = schedule_.options;
  options.session = IdentityOf(++sessions_);
  options.new_store_id = IdentityOf(++sessions_);
  tabs_[tab].engine = MakeEngine(std::move(options));
  judge_.Opened(tab);
  return true;
}

// What the storage has not performed yet may come, or not: it was asked.
bool Simulator::Crash(std::size_t tab, std::size_t pick) {
  Tab& crashed = tabs_[tab];
  if (!crashed.engine || storage_.has_forgotten()) return false;
  for (Flight& flight : crashed.flights) {
    const bool is_commit = std::holds_alternative<Commit>(flight.wish);
    if (!is_commit || flight.is_performed || pick % 2 == 0) continue;
    Note("its commit is late");
    storage_.MakeLate(std::move(flight));
  }
  const double clock = crashed.clock_milliseconds;
  crashed = {};
  crashed.clock_milliseconds = clock;
  judge_.Crashed(tab);
  return true;
}

// Only if another tab still has what the storage forgets, and no tab is there
// that does not have it.
bool Simulator::FallBack(std::size_t pick) {
  bool is_open = false;
  for (const Tab& tab : tabs_) {
    is_open |= tab.engine.has_value();
    if (tab.engine && !KnowsAll(tab)) return false;
  }
  if (!is_open || !storage_.FallBack(pick)) return false;
  ++report_.counts.falls;
  for (Tab& tab : tabs_) {
    tab.has_lost_sight = tab.engine.has_value();
    for (Flight& flight : tab.flights) flight.is_blind = true;
  }
  return true;
}

bool Simulator::KnowsAll(const Tab& tab) const {
  return tab.last_record != 0 && tab.last_record >= storage_.last_record();
}

void Simulator::NoteRecords(Tab& tab, const Flight& flight) {
  if (flight.snapshot && std::get<Read>(flight.wish).records_after) {
    for (const Record& record : flight.snapshot->records) {
      tab.last_record = std::max(tab.last_record, record.number);
    }
  }
  const auto* commit = std::get_if<Commit>(&flight.wish);
  if (commit == nullptr || flight.outcome != CommitOutcome::kOk) return;
  for (const Put& put : commit->batch.puts) {
    if (put.key.kind != ValueKey::Kind::kRecord) continue;
    tab.last_record = std::max(tab.last_record, put.key.number);
  }
}

// On a new connection nothing is known of commits that were asked for before
// the engine knew of it.
std::string Simulator::PerformFor(Flight& flight, Fault fault) {
  const bool is_commit = std::holds_alternative<Commit>(flight.wish);
  if (is_commit && flight.is_blind) fault = Fault::kLost;
  return storage_.Perform(flight, fault);
}

void Simulator::SetClock(Tab& tab, int minutes) {
  tab.clock_milliseconds = minutes * 60'000.0;
}

// ------------------------------------------------------------------ requests

bool Simulator::Submit(std::size_t tab, Request request) {
  Tab& asking = tabs_[tab];
  if (!asking.engine) return false;
  if (request.goes_on) {
    if (!asking.next_page) return false;
    const std::uint64_t number = request.number;
    request = *asking.next_page;
    request.number = number;
  }
  if (IsImport(request)) {
    SubmitPart(tab, *judge_.Submitted(tab, std::move(request)));
    return true;
  }
  if (!JoinTransaction(asking, request)) return false;
  ResolveConditions(request);
  const OwnedOperation operation = OperationOf(request);
  const RequestId id = SubmitTo(*asking.engine, operation);
  asking.requests[id] = judge_.Submitted(tab, std::move(request));
  return true;
}

// Its requests come one after another.  Returns false if one of them waits.
bool Simulator::JoinTransaction(Tab& tab, Request& request) {
  const bool is_end = request.kind == OperationKind::kAccountTransaction;
  if (!is_end && !request.is_of_transaction) return true;
  for (const auto& [id, ticket] : tab.requests) {
    if (ticket->request.is_of_transaction) return false;
  }
  Request& transaction = tab.transaction;
  if (!transaction.reads) {
    transaction.reads = std::make_shared<TransactionReads>();
  }
  request.reads = transaction.reads;
  request.position = transaction.position;
  request.ranges = transaction.ranges;
  if (is_end) transaction = {};
  return true;
}

void Simulator::ReceiveOfTransaction(Tab& tab, const Ticket& ticket,
                                     const Result<Response>& answer) {
  if (Outcome(answer) == kConflict) ++report_.counts.conflicts;
  if (!ticket.request.is_of_transaction) {
    if (answer) ++report_.counts.transactions;
    return;
  }
  Request& transaction = tab.transaction;
  if (!answer) {
    transaction = {};
    return;
  }
  TransactionReads reads = *ticket.request.reads;
  reads.all.emplace_back(ticket.request, SeenIn(answer));
  // Those before it are those of the transaction.
  reads.all.back().first.reads.reset();
  transaction.reads = std::make_shared<TransactionReads>(std::move(reads));
  transaction.position = answer->position;
  transaction.ranges += answer->ranges;
}

void Simulator::SubmitPart(std::size_t tab, Ticket& ticket) {
  const OwnedOperation part = PartOf(ticket.request, ticket.sent);
  ticket.sent = std::min(ticket.sent + ticket.request.part_size,
                         ticket.request.writes.size());
  tabs_[tab].requests[SubmitTo(*tabs_[tab].engine, part)] = &ticket;
}

void Simulator::ResolveConditions(Request& request) const {
  for (Write& write : request.writes) {
    if (write.condition == Condition::kNone) continue;
    const std::string& table =
        write.table.empty() ? request.table : write.table;
    write.if_match = EtagFor(write.condition, table, write.key);
  }
}

std::string Simulator::EtagFor(Condition condition, const std::string& table,
                               const Key& key) const {
  if (condition == Condition::kAny) return "*";
  const History& history = judge_.history();
  std::string newest;
  for (Moment moment = history.now() + 1; moment-- > 0;) {
    const State& state = history.at(moment);
    const auto entities = state.find(table);
    if (entities == state.end()) continue;
    const auto entity = entities->second.find(key);
    if (entity == entities->second.end()) continue;
    const std::string& etag = entity->second.etag;
    if (condition == Condition::kRight) return etag;
    if (newest.empty()) newest = etag;
    if (etag != newest) return etag;
  }
  return "W/\"never\"";
}

bool Simulator::Withdraw(Tab& tab, std::size_t pick) {
  if (tab.requests.empty()) return false;
  const auto at =
      std::next(tab.requests.begin(),
                static_cast<std::ptrdiff_t>(pick % tab.requests.size()));
  if (IsImport(at->second->request)) {
    Abandon(tab, *at->second);
    return true;
  }
  if (!tab.engine->Cancel(at->first)) {
    Note("too late for #" + std::to_string(at->second->request.number));
    return true;
  }
  Note("#" + std::to_string(at->second->request.number));
  judge_.Withdrawn(*at->second);
  tab.requests.erase(at);
  return true;
}

void Simulator::Abandon(Tab& tab, Ticket& import) {
  if (std::exchange(import.is_abandoned, true)) return;
  Note("abandons #" + std::to_string(import.request.number));
  const RequestId id = SubmitTo(*tab.engine, AbandonmentOf(import.request));
  tab.requests[id] = &import;
  tab.abandonments.insert(id);
}

void Simulator::Receive(std::size_t tab, const Answer& answer) {
  auto found = tabs_[tab].requests.extract(answer.request);
  if (found.empty()) {
    return judge_.Accuse({"only what was submitted is answered",
                          std::to_string(answer.request)});
  }
  Ticket& ticket = *found.mapped();
  Note("answers #" + std::to_string(ticket.request.number) + ": " +
       Outcome(answer.outcome));
  ++report_.counts.requests;
  if (tabs_[tab].abandonments.erase(answer.request) > 0) {
    return judge_.Abandoned(ticket, answer.outcome);
  }
  judge_.Answered(ticket, answer.outcome);
  if (IsImport(ticket.request) && ticket.status == Ticket::Status::kWaiting &&
      !ticket.is_abandoned) {
    return SubmitPart(tab, ticket);
  }
  if (ticket.request.reads) {
    return ReceiveOfTransaction(tabs_[tab], ticket, answer.outcome);
  }
  if (ticket.request.kind != OperationKind::kQueryEntities) return;
  tabs_[tab].next_page.reset();
  if (!answer.outcome || !answer.outcome->next_partition_key) return;
  const auto next = SeenIn(answer.outcome).next;
  if (!next) return judge_.Accuse({"a continuation token names a key"});
  tabs_[tab].next_page = ticket.request;
  tabs_[tab].next_page->continuation = {
      *next, *answer.outcome->next_partition_key,
      answer.outcome->next_row_key.value_or("")};
}

// ------------------------------------------------------------------- engines

bool Simulator::TakeTurn(std::size_t tab) {
  Tab& running = tabs_[tab];
  if (!running.engine) return false;
  Step step = running.engine->Run(kBeginning + running.clock_milliseconds +
                                  static_cast<double>(time_));
  if (const auto* answer = std::get_if<Answer>(&step)) {
    Receive(tab, *answer);
  } else if (auto* read = std::get_if<Read>(&step)) {
    Ask(tab, std::move(*read));
  } else if (auto* commit = std::get_if<Commit>(&step)) {
    Ask(tab, std::move(*commit));
  } else if (std::holds_alternative<Yield>(step)) {
    // Otherwise the turn is for background work, and no read was interrupted.
    const std::uint64_t spent = running.engine->spent_units();
    if (std::exchange(running.spent_units, spent) != spent) {
      judge_.Yielded(tab);
    }
  } else {
    return false;
  }
  return true;
}

bool Simulator::Work(std::size_t tab) {
  if (!TakeTurn(tab)) return false;
  for (int turns = 0; !judge_.violation() && TakeTurn(tab); ++turns) {
    if (turns == kMaxTurns) judge_.Accuse({"an engine comes to rest"});
  }
  return true;
}

void Simulator::Ask(std::size_t tab, std::variant<Read, Commit> wish) {
  Note(std::visit([](const auto& one) { return Describe(one); }, wish));
  tabs_[tab].flights.push_back({.wish = std::move(wish),
                                .writes = judge_.WaitingWrites(tab),
                                .is_blind = tabs_[tab].has_lost_sight});
}

// ------------------------------------------------------------------- storage

bool Simulator::Perform(std::size_t tab, std::size_t pick, Fault fault) {
  auto& flights = tabs_[tab].flights;
  const auto flight = Choose(flights, /*is_performed=*/false, pick);
  if (flight == flights.end()) return false;
  const auto* read = std::get_if<Read>(&flight->wish);
  // Some hosts cannot hold others off.
  if (read != nullptr && read->is_exclusive && read->id % 4 != 0 &&
      fault != Fault::kRefused) {
    return PerformExclusively(tab, flight, fault);
  }
  Note(PerformFor(*flight, fault));
  // A read sees the state of this moment.
  flight->performed_at = judge_.history().now();
  return true;
}

// The read, its delivery and the commit that follows happen at one moment.
bool Simulator::PerformExclusively(std::size_t tab,
                                   std::deque<Flight>::iterator flight,
                                   Fault fault) {
  Flight read = std::move(*flight);
  auto& flights = tabs_[tab].flights;
  flights.erase(flight);
  Note(storage_.Perform(read, Fault::kNone) + ", while others wait");
  const Read& wish = std::get<Read>(read.wish);
  NoteRecords(tabs_[tab], read);
  judge_.Supplied(tab, wish, judge_.history().now());
  if (!tabs_[tab].engine->Supply(wish.id, *std::move(read.snapshot))) {
    return true;
  }
  const auto is_it = [](const Flight& one) {
    const auto* commit = std::get_if<Commit>(&one.wish);
    return commit != nullptr && commit->is_exclusive && !one.is_performed;
  };
  while (std::ranges::none_of(flights, is_it)) {
    if (TakeTurn(tab)) continue;
    judge_.Accuse({"an exclusive read is followed by what was promised"});
    return true;
  }
  Flight& commit = *std::ranges::find_if(flights, is_it);
  Note(PerformFor(commit, fault));
  if (commit.outcome == CommitOutcome::kMoved) {
    judge_.Accuse({"a commit that others wait for is not moved"});
  }
  return true;
}

void Simulator::Stored(const Batch& batch, const std::vector<Ticket*>& writes) {
  Note("stored");
  ++report_.counts.batches;
  if (!PutsRecord(batch)) ++report_.counts.moves;
  judge_.Stored(batch, writes, storage_.memory());
}

bool Simulator::Deliver(std::size_t tab, std::size_t pick) {
  auto& flights = tabs_[tab].flights;
  const auto found = Choose(flights, /*is_performed=*/true, pick);
  if (found == flights.end()) return false;
  Flight flight = std::move(*found);
  flights.erase(found);
  NoteRecords(tabs_[tab], flight);
  Engine& engine = *tabs_[tab].engine;
  if (const auto* read = std::get_if<Read>(&flight.wish)) {
    if (flight.snapshot) {
      judge_.Supplied(tab, *read, flight.performed_at);
      engine.Supply(read->id, *std::move(flight.snapshot));
    } else {
      judge_.Befell(tab, Trouble::kReadFailed);
      engine.ReadFailed(read->id, Error(ErrorCode::kStorageUnavailable));
    }
    return true;
  }
  Note(Describe(flight.outcome));
  if (flight.outcome == CommitOutcome::kQuota) {
    judge_.Befell(tab, Trouble::kQuota);
    // Or there is no store yet, or what was forgotten has to be stored first.
    const Batch& batch = std::get<Commit>(flight.wish).batch;
    if (batch.frees || !PutsRecord(batch) || storage_.has_forgotten()) {
      judge_.Befell(tab, Trouble::kNoReserve);
    }
  } else if (flight.outcome == CommitOutcome::kRefused) {
    judge_.Befell(tab, Trouble::kRefused);
  } else if (flight.outcome == CommitOutcome::kUnknown) {
    judge_.Befell(tab, Trouble::kUnknown);
    tabs_[tab].has_lost_sight = false;
  }
  engine.Complete(std::get<Commit>(flight.wish).id, flight.outcome);
  return true;
}

// ----------------------------------------------------------------------- end

void Simulator::ComeToAnEnd() {
  if (trace_) trace_("all is well from here on");
  Drain();
  while (storage_.Arrive(0)) {
  }
  Open(0);
  LastRequests();
  if (!judge_.violation()) judge_.Finish(storage_.memory());
}

// Each tab writes something, which makes it learn all that the others did, and
// then says what it sees.
void Simulator::LastRequests() {
  constexpr std::uint64_t kNumber = 1'000'000;
  for (std::size_t tab = 0; tab < kMaxTabs; ++tab) {
    const std::string number = std::to_string(kNumber + tab);
    const Write last{.kind = OperationKind::kInsertEntity,
                     .key = {"p0", "z" + number},
                     .values = {{"W", number}}};
    Submit(tab, {.number = kNumber + tab,
                 .kind = last.kind,
                 .table = "TabA",
                 .writes = {last}});
  }
  Drain();
  for (std::size_t tab = 0; tab < kMaxTabs; ++tab) {
    for (const char* table : {"TabA", "TabB"}) {
      Submit(tab, {.number = kNumber + 10 + tab,
                   .kind = OperationKind::kQueryEntities,
                   .table = table});
    }
  }
  Drain();
}

void Simulator::Drain() {
  for (int rounds = 0; !judge_.violation() && DoEverything(); ++rounds) {
    if (rounds == kMaxRounds) judge_.Accuse({"engines come to rest"});
  }
}

// In step, so that all tabs that want to commit are in each other's way.
bool Simulator::DoEverything() {
  bool has_done = false;
  for (std::size_t tab = 0; tab < kMaxTabs; ++tab) has_done |= Work(tab);
  for (std::size_t tab = 0; tab < kMaxTabs; ++tab) {
    while (Perform(tab, 0, Fault::kNone)) has_done = true;
  }
  for (std::size_t tab = 0; tab < kMaxTabs; ++tab) {
    while (Deliver(tab, 0)) has_done = true;
  }
  return has_done;
}

}  // namespace entitable::model_check
