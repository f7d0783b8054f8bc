#include "read/read_scheduler.h"

#include <algorithm>
#include <iterator>
#include <utility>

namespace entitable {

void PendingReads::Add(PendingRead read, List& to) {
  read.list = &to;
  to.push_back(std::move(read));
  by_id_.emplace(to.back().id, std::prev(to.end()));
}

void PendingReads::Erase(Iterator at) {
  by_id_.erase(at->id);
  at->list->erase(at);
}

void PendingReads::Move(Iterator at, List& to) {
  to.splice(to.end(), *std::exchange(at->list, &to), at);
}

void PendingReads::MoveAll(List& from, List& to) {
  for (PendingRead& read : from) read.list = &to;
  to.splice(to.end(), from);
}

void PendingReads::Wake(const RecentChanges::Touched& touched) {
  const auto wake = [&](List& list) {
    for (PendingRead& read : list) read.query->SkipTo(touched.after);
    MoveAll(list, ready);
  };
  if (touched.are_all) {
    for (auto& [table, list] : idle) wake(list);
    return idle.clear();
  }
  for (const TableId table : touched.tables) {
    const auto found = idle.find(table);
    if (found == idle.end()) continue;
    wake(found->second);
    idle.erase(found);
  }
}

// The list of a table goes with its last follower, or lists of dropped tables
// would add up.
bool PendingReads::Remove(RequestId id) {
  const auto found = by_id_.find(id);
  if (found == by_id_.end()) return false;
  const Iterator at = found->second;
  const List* list = at->list;
  const TableId table = at->query->followed().value_or(kNoTable);
  Erase(at);
  const auto followers = idle.find(table);
  const bool was_last =
      followers != idle.end() && &followers->second == list && list->empty();
  if (was_last) idle.erase(followers);
  return true;
}

void PendingReads::MoveAwaitingRefresh(std::uint64_t refresh, List& to) {
  while (!awaiting_refresh.empty() &&
         awaiting_refresh.front().refresh <= refresh) {
    Move(awaiting_refresh.begin(), to);
  }
}

void PendingReads::MoveEverything(List& to) {
  for (List* list : {&awaiting_refresh, &ready, &paused, &waiting}) {
    MoveAll(*list, to);
  }
  for (auto& [table, list] : idle) MoveAll(list, to);
  idle.clear();
}

// -------------------------------------------------------------- read scheduler

namespace {

// The most reads that may wait for pages at a time.  Each of them holds pages.
constexpr std::size_t kMaxWaitingReads = 16;

// Reads that wait or are paused may together hold this many bytes of pages, or
// a quarter of the cache if that is more, before other reads begin.
constexpr std::size_t kMaxHeldBytes = std::size_t{4} << 20;
constexpr std::size_t kHeldPartOfCache = 4;

bool IsHolding(const PendingRead& read) {
  return read.query->window().held_bytes() > 0;
}

}  // namespace

ReadScheduler::ReadScheduler(const EngineOptions& options,
                             const HostMemory& memory, Store& store,
                             PageReader& pages, HostLink& host,
                             WorkBudget& work, const PageWindow& of_writes,
                             const PageWindow& of_compaction)
    : options_(options),
      memory_(memory),
      store_(store),
      pages_(pages),
      host_(host),
      work_(work),
      of_writes_(of_writes),
      of_compaction_(of_compaction) {}

void ReadScheduler::Add(RequestId id, std::unique_ptr<Query> query,
                        bool is_fresh, std::size_t bytes,
                        std::unique_ptr<FoundReceiver> receiver) {
  const std::uint64_t refresh = is_fresh ? host_.log_reads_begun() + 1 : 0;
  auto& list =
      refresh > host_.log_reads_done() ? reads_.awaiting_refresh : reads_.ready;
  reads_.Add({id, std::move(query), Charge(waiting_bytes_, bytes), refresh,
              std::move(receiver)},
             list);
}

// --------------------------------------------------------------------- turns

// Paused reads continue after all new reads, because most new reads are short.
// After one slice of new reads it is the turn of the paused ones.
bool ReadScheduler::Advance() {
  reads_.Wake(store_.TakeTouched());
  if (work_.is_spent()) return false;
  const bool paused_first = std::exchange(is_turn_of_paused_, false);
  const auto next = Next(paused_first);
  if (!next) return false;
  const bool was_paused = (*next)->list == &reads_.paused;
  Continue(*next);
  is_turn_of_paused_ = !was_paused && is_paused_;
  return true;
}

std::optional<ReadScheduler::Iterator> ReadScheduler::Next(bool paused_first) {
  const auto ready = NextReady();
  const auto paused = NextPaused();
  return (paused_first && paused) || !ready ? paused : ready;
}

std::optional<ReadScheduler::Iterator> ReadScheduler::NextReady() {
  if (reads_.ready.empty() || !MayWait()) return std::nullopt;
  return reads_.ready.begin();
}

// If no more reads may wait for pages, the paused reads that already hold pages
// continue.
std::optional<ReadScheduler::Iterator> ReadScheduler::NextPaused() {
  PendingReads::List& paused = reads_.paused;
  const auto at =
      MayWait() ? paused.begin() : std::ranges::find_if(paused, IsHolding);
  if (at == paused.end()) return std::nullopt;
  return at;
}

bool ReadScheduler::HasRunnable() {
  return store_.is_open() && (NextReady() || NextPaused());
}

// --------------------------------------------------------------------- pages

// Whether another read may hold pages.  Pages of writes and of compactions do
// not count: those users have limits of their own.
bool ReadScheduler::MayHoldPages() const {
  const std::size_t others =
      of_writes_.held_bytes() + of_compaction_.held_bytes();
  const std::size_t held = store_.cache().held_bytes() - others;
  return held <
         std::max(options_.store.cache_bytes / kHeldPartOfCache, kMaxHeldBytes);
}

// Whether another read may wait for pages.  One read always may: short reads
// can then run even if paused reads hold many pages.
bool ReadScheduler::MayWait() const {
  const std::size_t waiting = reads_.waiting.size();
  return waiting == 0 || (waiting < kMaxWaitingReads && MayHoldPages());
}

// Reads that wait again are appended to the list of waiting reads, so the list
// that is gone through here is another one.
void ReadScheduler::ContinueWithPages() {
  PendingReads::List waited;
  reads_.MoveAll(reads_.waiting, waited);
  while (!waited.empty()) Continue(waited.begin());
}

// ------------------------------------------------------------------- answers

// A read that waits moves to another list, unless it needs pages and may not
// wait for them yet.
//
// A read that cannot get memory for one more step fails with ServerBusy, unless
// it is a list that can end here.
Poll<Response> ReadScheduler::AnswerOf(Iterator at) {
  ++visited_;
  const bool may_wait = at->list != &reads_.ready || MayWait();
  Query& query = *at->query;
  const bool may_continue = MakeRoom(at) || query.EndEarly();
  auto answer =
      may_continue ? query.Continue({options_, store_.state(), last_table_,
                                     buffers_, ordered_rest_, examined_, work_})
                   : Poll<Response>(Error(ErrorCode::kServerBusy));
  is_paused_ = answer.is_pending(Pending::kSlice);
  if (answer.is_pending()) {
    PutAside(at, answer.error().pending, may_wait);
  } else {
    reads_.Erase(at);
  }
  return answer;
}

// Other reads give up their pages, if there is too little memory.  Cached pages
// remain while a read continues with fetched pages, because it may need them.
//
// What is easiest to get back goes first: cached pages, then what an ordered
// query has left over, then the pages of reads that can fetch them again.
bool ReadScheduler::MakeRoom(Iterator at) {
  const bool is_of_lists =
      at->list == &reads_.ready || at->list == &reads_.paused;
  if (is_of_lists ? memory_.MakeRoom(kStepBytes)
                  : memory_.HasRoom(kStepBytes)) {
    return true;
  }
  ordered_rest_.reset();
  for (PendingReads::List* list : {&reads_.ready, &reads_.paused}) {
    for (const PendingRead& read : *list) {
      if (read.query != at->query) read.query->LetGo();
    }
  }
  return memory_.HasRoom(kStepBytes) || memory_.NoteShortage();
}

// A read that needs pages and may not wait for them stays where it is, without
// its pages, and tries again at its next turn.
void ReadScheduler::PutAside(Iterator at, Pending reason, bool may_wait) {
  Query& query = *at->query;
  switch (reason) {
    case Pending::kSlice:
      return Pause(at);
    case Pending::kChange:
      return reads_.Move(at, reads_.idle[*query.followed()]);
    case Pending::kPages:
      if (!may_wait) return query.LetGo();
      pages_.Want(query.window().TakeMissing());
      return reads_.Move(at, reads_.waiting);
  }
}

// One read may always keep its pages.  Otherwise none might ever finish.
void ReadScheduler::Pause(Iterator at) {
  PendingReads::List& paused = reads_.paused;
  reads_.Move(at, paused);
  const bool holds_another =
      std::any_of(paused.begin(), std::prev(paused.end()), IsHolding);
  if (holds_another && !MayHoldPages()) at->query->LetGo();
}

void ReadScheduler::Continue(Iterator at) {
  const RequestId id = at->id;
  auto receiver = std::move(at->receiver);
  auto answer = AnswerOf(at);
  if (answer.is_pending()) {
    at->receiver = std::move(receiver);
  } else if (receiver && answer) {
    receiver->Receive(id, *std::move(answer));
  } else {
    host_.Reply(id, std::move(answer).Take());
  }
}

std::optional<Response> ReadScheduler::AnswerAtOnce(RequestId id) {
  PendingReads::List& ready = reads_.ready;
  const bool may_answer = store_.is_open() && !ready.empty() &&
                          ready.back().id == id && !ready.back().receiver &&
                          !work_.is_spent();
  if (!may_answer) return std::nullopt;
  auto answer = AnswerOf(std::prev(ready.end()));
  if (answer) return *std::move(answer);
  if (answer.has_failed()) host_.Reply(id, std::move(answer).Take());
  return std::nullopt;
}

// ------------------------------------------------------------------ failures

// Reads that were added after the last read of the log has begun wait for the
// next one, so they do not fail with this one.
void ReadScheduler::FailAwaitingRefresh(const Error& reason) {
  PendingReads::List failed;
  reads_.MoveAwaitingRefresh(host_.log_reads_begun(), failed);
  Fail(failed, reason);
}

void ReadScheduler::FailWaitingForPages(const Error& reason) {
  PendingReads::List waiting;
  reads_.MoveAll(reads_.waiting, waiting);
  // There was too little memory, which does not end what a list has already.
  if (reason.code == ErrorCode::kServerBusy) {
    memory_.NoteShortage();
    for (auto next = waiting.begin(); next != waiting.end();) {
      const auto at = next++;
      if (at->query->EndEarly()) reads_.Move(at, reads_.ready);
    }
  }
  Fail(waiting, reason);
}

void ReadScheduler::FailAll(const Error& reason) {
  PendingReads::List all;
  reads_.MoveEverything(all);
  Fail(all, reason);
}

void ReadScheduler::Fail(PendingReads::List& reads, const Error& reason) {
  for (; !reads.empty(); reads_.Erase(reads.begin())) {
    host_.Refuse(reads.front().id, reason);
  }
}

}  // namespace entitable
