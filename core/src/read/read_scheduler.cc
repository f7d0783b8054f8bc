#include "read/read_scheduler.h"

#include <algorithm>
#include <iterator>
#include <utility>

namespace entitable {
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

ReadScheduler::ReadScheduler(const EngineOptions& options, const Memory& memory,
                             Store& store, PageReader& pages, HostLink& host,
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
                        bool is_fresh, std::size_t bytes) {
  const std::uint64_t refresh = is_fresh ? host_.log_reads_begun() + 1 : 0;
  auto& list =
      refresh > host_.log_reads_done() ? reads_.awaiting_refresh : reads_.ready;
  list.push_back(
      {id, std::move(query), Charge(waiting_bytes_, bytes), refresh});
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
  const bool was_paused = next->list == &reads_.paused;
  Continue(*next);
  is_turn_of_paused_ = !was_paused && is_paused_;
  return true;
}

std::optional<ReadScheduler::Place> ReadScheduler::Next(bool paused_first) {
  const auto ready = NextReady();
  const auto paused = NextPaused();
  return (paused_first && paused) || !ready ? paused : ready;
}

std::optional<ReadScheduler::Place> ReadScheduler::NextReady() {
  if (reads_.ready.empty() || !MayWait()) return std::nullopt;
  return Place{&reads_.ready, reads_.ready.begin()};
}

// If no more reads may wait for pages, the paused reads that already hold pages
// continue.
std::optional<ReadScheduler::Place> ReadScheduler::NextPaused() {
  PendingReads::List& paused = reads_.paused;
  const auto at =
      MayWait() ? paused.begin() : std::ranges::find_if(paused, IsHolding);
  if (at == paused.end()) return std::nullopt;
  return Place{&paused, at};
}

bool ReadScheduler::HasRunnable() {
  return store_.is_open() && (NextReady() || NextPaused());
}

// --------------------------------------------------------------------- pages

// Whether another read may hold pages.
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

void ReadScheduler::ContinueWithPages() {
  PendingReads::List waited = std::exchange(reads_.waiting, {});
  while (!waited.empty()) Continue({&waited, waited.begin()});
}

// ------------------------------------------------------------------- answers

// Nothing if the read moves to another list, or if it needs pages and may not
// wait for them yet.
std::optional<Result<Response>> ReadScheduler::AnswerOf(const Place& place) {
  ++visited_;
  const bool may_wait = place.list != &reads_.ready || MayWait();
  Query& query = *place.at->query;
  const bool may_continue = MakeRoom(place) || query.EndEarly();
  auto answer =
      may_continue
          ? query.Continue({options_, store_.state(), last_table_, buffers_,
                            found_rows_, examined_, work_})
          : std::optional<Result<Response>>(Error(ErrorCode::kServerBusy));
  is_paused_ = !answer && query.is_paused();
  if (answer) {
    place.list->erase(place.at);
  } else {
    PutAside(place, may_wait);
  }
  return answer;
}

// Other reads give up their pages, if there is too little memory.  Cached pages
// remain while a read continues with fetched pages, because it may need them.
bool ReadScheduler::MakeRoom(const Place& place) {
  const bool is_of_lists =
      place.list == &reads_.ready || place.list == &reads_.paused;
  if (is_of_lists ? memory_.MakeRoom(kStepBytes)
                  : memory_.HasRoom(kStepBytes)) {
    return true;
  }
  found_rows_.reset();
  for (PendingReads::List* list : {&reads_.ready, &reads_.paused}) {
    for (const PendingRead& read : *list) {
      if (read.query != place.at->query) read.query->LetGo();
    }
  }
  return memory_.HasRoom(kStepBytes) || memory_.NoteShortage();
}

void ReadScheduler::PutAside(const Place& place, bool may_wait) {
  const auto [list, at] = place;
  Query& query = *at->query;
  if (query.is_paused()) {
    Pause(place);
  } else if (const auto table = query.followed()) {
    PendingReads::List& idle = reads_.idle[*table];
    idle.splice(idle.end(), *list, at);
  } else if (may_wait) {
    pages_.Want(query.window().TakeMissing());
    reads_.waiting.splice(reads_.waiting.end(), *list, at);
  } else {
    query.LetGo();
  }
}

// One read may always keep its pages.  Otherwise none might ever finish.
void ReadScheduler::Pause(const Place& place) {
  PendingReads::List& paused = reads_.paused;
  paused.splice(paused.end(), *place.list, place.at);
  const bool holds_another =
      std::any_of(paused.begin(), std::prev(paused.end()), IsHolding);
  if (holds_another && !MayHoldPages()) place.at->query->LetGo();
}

void ReadScheduler::Continue(const Place& place) {
  const RequestId id = place.at->id;
  auto answer = AnswerOf(place);
  if (answer) host_.Reply(id, *std::move(answer));
}

std::optional<Response> ReadScheduler::TakeAnswer(RequestId id) {
  PendingReads::List& ready = reads_.ready;
  const bool may_answer = store_.is_open() && !ready.empty() &&
                          ready.back().id == id && !work_.is_spent();
  if (!may_answer) return std::nullopt;
  auto answer = AnswerOf({&ready, std::prev(ready.end())});
  if (!answer) return std::nullopt;
  if (*answer) return **std::move(answer);
  host_.Reply(id, *std::move(answer));
  return std::nullopt;
}

// ------------------------------------------------------------------ failures

void ReadScheduler::FailAwaitingRefresh(const Error& reason) {
  Fail(reads_.TakeAwaitingRefresh(host_.log_reads_begun()), reason);
}

void ReadScheduler::FailWaitingForPages(const Error& reason) {
  PendingReads::List waiting = std::exchange(reads_.waiting, {});
  // There was too little memory, which does not end what a list has already.
  if (reason.code == ErrorCode::kServerBusy) {
    memory_.NoteShortage();
    for (auto next = waiting.begin(); next != waiting.end();) {
      const auto at = next++;
      if (!at->query->EndEarly()) continue;
      reads_.ready.splice(reads_.ready.end(), waiting, at);
    }
  }
  Fail(waiting, reason);
}

void ReadScheduler::FailAll(const Error& reason) {
  Fail(reads_.TakeAll(), reason);
}

void ReadScheduler::Fail(const PendingReads::List& reads, const Error& reason) {
  for (const PendingRead& read : reads) host_.Refuse(read.id, reason);
}

}  // namespace entitable
