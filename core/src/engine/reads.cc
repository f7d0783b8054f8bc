#include <algorithm>
#include <iterator>
#include <utility>

#include "engine/engine_impl.h"

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

void Engine::Impl::BeginSlice() { work_.Refill(options_.work.slice_units); }

// Paused reads continue after all new reads, because most new reads are short.
// After one slice of new reads it is the turn of the paused ones.
bool Engine::Impl::AdvanceReads() {
  reads_.Wake(state_->TakeTouched());
  if (work_.is_spent()) return false;
  const bool paused_first = std::exchange(is_turn_of_paused_, false);
  const auto next = NextRead(paused_first);
  if (!next) return false;
  const bool was_paused = next->list == &reads_.paused;
  ContinueRead(*next);
  is_turn_of_paused_ = !was_paused && is_read_paused_;
  return true;
}

std::optional<Engine::Impl::ReadPlace> Engine::Impl::NextRead(
    bool paused_first) {
  const auto ready = NextReady();
  const auto paused = NextPaused();
  return (paused_first && paused) || !ready ? paused : ready;
}

std::optional<Engine::Impl::ReadPlace> Engine::Impl::NextReady() {
  if (reads_.ready.empty() || !MayWait()) return std::nullopt;
  return ReadPlace{&reads_.ready, reads_.ready.begin()};
}

// If no more reads may wait for pages, the paused reads that already hold pages
// continue.
std::optional<Engine::Impl::ReadPlace> Engine::Impl::NextPaused() {
  PendingReads::List& paused = reads_.paused;
  const auto at =
      MayWait() ? paused.begin() : std::ranges::find_if(paused, IsHolding);
  if (at == paused.end()) return std::nullopt;
  return ReadPlace{&paused, at};
}

bool Engine::Impl::HasRunnableRead() {
  return state_ && (NextReady() || NextPaused());
}

// Whether another read may hold pages.
bool Engine::Impl::MayHoldPages() const {
  std::size_t others = stored_.window().held_bytes();
  if (compaction_window_) others += compaction_window_->held_bytes();
  const std::size_t held = cache_.held_bytes() - others;
  return held <
         std::max(options_.store.cache_bytes / kHeldPartOfCache, kMaxHeldBytes);
}

// Whether another read may wait for pages.  One read always may: short reads
// can then run even if paused reads hold many pages.
bool Engine::Impl::MayWait() const {
  const std::size_t waiting = reads_.waiting.size();
  return waiting == 0 || (waiting < kMaxWaitingReads && MayHoldPages());
}

// Nothing if the read moves to another list, or if it needs pages and may not
// wait for them yet.
std::optional<Result<Response>> Engine::Impl::AnswerOf(const ReadPlace& place) {
  ++visited_reads_;
  const auto [list, at] = place;
  const bool may_wait = list != &reads_.ready || MayWait();
  Query& query = *at->query;
  std::optional<Result<Response>> answer = Error(ErrorCode::kServerBusy);
  if (HasMemory()) {
    answer = query.Continue({options_, *state_, last_table_, examined_, work_});
  }
  is_read_paused_ = !answer && query.is_paused();
  if (answer) {
    list->erase(at);
  } else if (is_read_paused_) {
    // One read may always keep its pages.  Otherwise none might ever finish.
    PendingReads::List& paused = reads_.paused;
    paused.splice(paused.end(), *list, at);
    const bool holds_another =
        std::any_of(paused.begin(), std::prev(paused.end()), IsHolding);
    if (holds_another && !MayHoldPages()) query.LetGo();
  } else if (const auto table = query.followed()) {
    PendingReads::List& idle = reads_.idle[*table];
    idle.splice(idle.end(), *list, at);
  } else if (may_wait) {
    pages_.Want(query.window().TakeMissing());
    reads_.waiting.splice(reads_.waiting.end(), *list, at);
  } else {
    query.LetGo();
  }
  return answer;
}

void Engine::Impl::ContinueRead(const ReadPlace& place) {
  const RequestId id = place.at->id;
  auto answer = AnswerOf(place);
  if (answer) Reply(id, *std::move(answer));
}

// All reads that wait for pages look for them again.
void Engine::Impl::ContinueWaiting() {
  PendingReads::List waited = std::exchange(reads_.waiting, {});
  while (!waited.empty()) ContinueRead({&waited, waited.begin()});
}

// If the read cannot be answered here, it takes the usual way.
std::optional<Response> Engine::Impl::TakeAnswer() {
  PendingReads::List& ready = reads_.ready;
  const bool may_answer = state_ && !ready.empty() &&
                          ready.back().id == last_request_ && !work_.is_spent();
  if (!may_answer) return std::nullopt;
  auto answer = AnswerOf({&ready, std::prev(ready.end())});
  if (!answer) return std::nullopt;
  if (*answer) return **std::move(answer);
  Reply(last_request_, *std::move(answer));
  return std::nullopt;
}

void Engine::Impl::RefuseReads(const PendingReads::List& reads,
                               const Error& reason) {
  for (const PendingRead& read : reads) Refuse(read.id, reason);
}

}  // namespace entitable
