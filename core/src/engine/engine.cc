#include "entitable/engine.h"

#include <algorithm>
#include <utility>

#include "engine/catch_up.h"
#include "engine/engine_impl.h"
#include "entitable/frame.h"

namespace entitable {
namespace {

// How often a new store is made before we give up and say so.
constexpr int kMaxCreations = 3;

// What is kept of a request beside its texts, and of each part of one.
constexpr std::size_t kRequestOverhead = 512;

// So many reads may wait for pages at a time, because each holds on to some.
constexpr int kMaxWaitingQueries = 16;

}  // namespace

Error ErrorFor(CommitOutcome outcome) {
  switch (outcome) {
    case CommitOutcome::kQuota:
      return Error(ErrorCode::kStorageQuotaExceeded);
    case CommitOutcome::kUnknown:
      return Error(ErrorCode::kStorageOutcomeUnknown);
    default:
      return Error(ErrorCode::kStorageUnavailable);
  }
}

Engine::Impl::Impl(EngineOptions options)
    : options_(std::move(options)),
      cache_(options_.store.cache_bytes),
      stored_(cache_) {
  BeginSlice();
}

// ------------------------------------------------------------------ requests

RequestId Engine::Impl::Submit(const Result<Operation>& operation) {
  // 0 is none.
  if (++last_request_ == 0) ++last_request_;
  const RequestId id = last_request_;
  if (!operation) {
    Refuse(id, operation.error());
    return id;
  }
  if (operation->kind == OperationKind::kImportEntities) {
    TakePart(id, *operation);
    return id;
  }
  if (auto taken = Take(id, *operation); !taken) Refuse(id, taken.error());
  return id;
}

Result<void> Engine::Impl::Take(RequestId id, const Operation& operation) {
  const std::size_t text_bytes = TextBytes(operation);
  const std::size_t bytes =
      text_bytes + kRequestOverhead * (1 + operation.parts.size());
  if (!HasRoomFor(bytes)) return Fail(ErrorCode::kServerBusy);
  ENTITABLE_TRY(CheckText(operation));
  ENTITABLE_TRY(auto query, MakeQuery(operation, cache_));
  if (query != nullptr) {
    const std::uint64_t look = operation.fresh ? looks_begun_ + 1 : 0;
    queries_.push_back(
        {id, std::move(query), Charge(waiting_bytes_, bytes), look});
  } else {
    ENTITABLE_TRY(auto write, ReadWrite(operation, options_.profile, json_));
    writes_.push_back(
        {id, std::move(write), text_bytes, Charge(waiting_bytes_, bytes)});
  }
  return {};
}

std::size_t Engine::Impl::waiting_bytes() const {
  std::size_t bytes = waiting_bytes_;
  for (const auto& import : imports_) bytes += import->bytes();
  return bytes;
}

bool Engine::Impl::HasRoomFor(std::size_t bytes) const {
  return waiting_bytes() + bytes <= options_.max_waiting_bytes;
}

// What it does not answer goes the way of all requests.
std::optional<Response> Engine::Impl::TakeAnswer() {
  const bool may_answer =
      state_ && !queries_.empty() && queries_.back().id == last_request_ &&
      !MustLook(queries_.back()) && !work_.is_spent() && !IsCrowdWaiting();
  if (!may_answer) return std::nullopt;
  auto answer = AnswerOf(queries_.back());
  if (!answer) return std::nullopt;
  queries_.pop_back();
  if (*answer) return **std::move(answer);
  Reply(last_request_, *std::move(answer));
  return std::nullopt;
}

bool Engine::Impl::Cancel(RequestId request) {
  const auto is_it = [request](const auto& pending) {
    return pending.id == request;
  };
  return std::erase_if(queries_, is_it) + std::erase_if(writes_, is_it) > 0;
}

// --------------------------------------------------------------------- steps

Step Engine::Impl::Run(double unix_milliseconds) {
  now_ =
      std::min(DateTime::FromUnixMilliseconds(unix_milliseconds), kLatestClock);
  if (std::exchange(must_yield_, false)) BeginSlice();
  do {
    upkeep_in_ms_ = 0;
    if (!steps_.empty()) {
      Step step = std::move(steps_.front());
      steps_.pop_front();
      return step;
    }
  } while (Advance());
  must_yield_ = work_.is_spent() && HasRunnableQuery();
  if (must_yield_) return Yield{};
  return Idle{upkeep_in_ms_};
}

// Requests come first, then the pages they lack, then upkeep.
bool Engine::Impl::Advance() {
  if (phase_ == Phase::kClosed) {
    if (!HasRequests()) return false;
    StartReading(Phase::kOpening, 0);
    return true;
  }
  if (!state_) return false;
  if (AdvanceQueries()) return true;
  if (phase_ == Phase::kEvicted) {
    if (!HasRequests() || HasRunnableQuery()) return false;
    FailAll(Error(ErrorCode::kStorageEvicted));
    return true;
  }
  if (phase_ == Phase::kReady && IsRefreshDue()) {
    StartReading(Phase::kRefreshing, state_->head());
    return true;
  }
  const bool is_turn_of_write =
      phase_ == Phase::kReady && (!writes_.empty() || IsTurnOfLoad());
  if (is_turn_of_write && !HasMemory()) {
    RefuseWrite(Error(ErrorCode::kServerBusy));
    return true;
  }
  if (is_turn_of_write && !MustFoldFirst()) {
    StartRound();
    return true;
  }
  return FetchPages() || StartUpkeep();
}

bool Engine::Impl::HasRequests() const {
  return !queries_.empty() || !writes_.empty() || IsLoadWaiting();
}

void Engine::Impl::Reply(RequestId request, Result<Response> outcome) {
  steps_.emplace_back(Answer{request, std::move(outcome)});
}

void Engine::Impl::Refuse(RequestId request, const Error& reason) {
  Reply(request, reason);
}

void Engine::Impl::StartReading(Phase phase, std::uint64_t records_after,
                                bool is_exclusive) {
  phase_ = phase;
  is_log_io_exclusive_ = is_exclusive;
  log_io_ = ++last_io_;
  ++looks_begun_;
  if (state_) asked_at_ = state_->progress();
  steps_.push_back(Read{log_io_, TopKeys(), records_after, is_exclusive});
}

void Engine::Impl::Send(Phase phase, Batch batch) {
  phase_ = phase;
  log_io_ = ++last_io_;
  steps_.push_back(Commit{log_io_, std::move(batch), is_held_});
}

bool Engine::Impl::Supply(ReadId id, Snapshot snapshot) {
  if (id == pages_io_) {
    TakePages(std::move(snapshot));
    return false;
  }
  if (id != log_io_) return false;
  looks_done_ = looks_begun_;
  is_held_ = is_log_io_exclusive_;
  switch (phase_) {
    case Phase::kOpening:
      Open(snapshot);
      break;
    case Phase::kChecking:
    case Phase::kHealing:
      ContinueRound(snapshot);
      break;
    case Phase::kRefreshing:
      Refresh(snapshot);
      break;
    default:
      break;
  }
  const bool is_committing =
      phase_ == Phase::kCommitting || phase_ == Phase::kRestoring;
  return std::exchange(is_held_, false) && is_committing;
}

template <typename Predicate>
void Engine::Impl::FailQueries(const Error& reason, Predicate fails) {
  std::erase_if(queries_, [&](const PendingQuery& query) {
    if (!fails(query)) return false;
    Refuse(query.id, reason);
    return true;
  });
}

void Engine::Impl::ReadFailed(ReadId id, const Error& reason) {
  if (id == pages_io_) return PagesCannotBeRead(reason);
  if (id != log_io_) return;
  switch (phase_) {
    case Phase::kOpening:
      return FailAll(reason);
    case Phase::kChecking:
    case Phase::kHealing:
      crowded_until_ = {};
      return FailRound(reason);
    case Phase::kRefreshing:
      // The next commit finds out, if anything is new.
      is_refresh_due_ = false;
      phase_ = Phase::kReady;
      return FailQueries(reason, [this](const PendingQuery& query) {
        return MustLook(query) && query.look <= looks_begun_;
      });
    default:
      return;
  }
}

void Engine::Impl::Settle(CommitId id, CommitOutcome outcome) {
  if (id == upkeep_io_) return SettleUpkeep(outcome);
  if (id != log_io_) return;
  if (phase_ == Phase::kCreating) SettleCreation(outcome);
  if (phase_ == Phase::kCommitting) SettleRound(outcome);
  if (phase_ == Phase::kRestoring) SettleRestoring(outcome);
}

// Takes back the commit of the log that the host was not handed yet.
bool Engine::Impl::RecallCommit() {
  return std::erase_if(steps_, [this](const Step& step) {
           const Commit* const commit = std::get_if<Commit>(&step);
           return commit != nullptr && commit->id == log_io_;
         }) > 0;
}

// ------------------------------------------------------------------- opening

void Engine::Impl::Open(const Snapshot& snapshot) {
  auto state = OpenStore(snapshot);
  if (!state) return FailAll(state.error());
  if (!*state) return CreateStore();
  state_ = *std::move(state);
  last_table_ = {};
  last_change_ = now_;
  creations_ = 0;
  phase_ = Phase::kReady;
}

void Engine::Impl::CreateStore() {
  // It was there when we were told so, and is gone each time we look.
  if (++creations_ > kMaxCreations) {
    return FailAll(Error(ErrorCode::kStorageUnavailable));
  }
  const LogBase base{.store_id = options_.new_store_id};
  Batch batch;
  batch.expect.push_back({ValueKey::Base(), std::nullopt});
  batch.puts.push_back({ValueKey::Base(), EncodeLogBase(base)});
  Send(Phase::kCreating, std::move(batch));
}

void Engine::Impl::SettleCreation(CommitOutcome outcome) {
  const bool is_there =
      outcome == CommitOutcome::kOk || outcome == CommitOutcome::kMoved;
  const bool may_be_there =
      outcome == CommitOutcome::kUnknown && creations_ < kMaxCreations;
  // Who asks later has not met with this, and is not answered with it.
  if (!is_there && !may_be_there) return FailAll(ErrorFor(outcome));
  // Whoever made it, we or another: what counts is what is there now.
  StartReading(Phase::kOpening, 0);
}

// What the storage was handed may be stored all the same.
void Engine::Impl::FailAll(const Error& reason) {
  if (phase_ == Phase::kCommitting && !RecallCommit())
    round_.is_in_doubt = true;
  std::erase_if(steps_, [](const Step& step) {
    return !std::holds_alternative<Answer>(step);
  });
  FailRound(reason);
  FailWaiting(reason);
  for (const PendingQuery& query : queries_) {
    Refuse(query.id, reason);
  }
  queries_.clear();
  pages_.Abandon();
  upkeep_.reset();
  merge_window_.reset();
  is_merge_waiting_ = is_refresh_due_ = must_heal_ = false;
  upkeep_paused_until_ = 0;
  creations_ = 0;
  log_io_ = pages_io_ = upkeep_io_ = 0;
  // An empty store must not be taken for ours; what we know of ours may be all
  // that is left of it.
  if (reason.code == ErrorCode::kStorageEvicted) {
    phase_ = Phase::kEvicted;
    return;
  }
  state_.reset();
  cache_.Clear();
  phase_ = Phase::kClosed;
}

// -------------------------------------------------------------------- memory

bool Engine::Impl::HasMemory() const {
  return options_.has_room == nullptr || options_.has_room(kStepBytes);
}

bool Engine::Impl::MakeRoom(std::size_t bytes) {
  if (options_.has_room == nullptr || options_.has_room(bytes)) return true;
  cache_.Clear();
  return options_.has_room(bytes);
}

// ------------------------------------------------------------------- queries

void Engine::Impl::BeginSlice() { work_.Refill(options_.work.slice_units); }

// Those that were paused go on after all that are new, which mostly need
// little; but not for ever.
bool Engine::Impl::AdvanceQueries() {
  if (work_.is_spent()) return false;
  const bool paused_first = std::exchange(is_turn_of_paused_, false);
  auto next = NextQuery(paused_first);
  if (next == queries_.end()) next = NextQuery(!paused_first);
  if (next == queries_.end()) return false;
  const bool was_paused = next->was_paused;
  if (ContinueQuery(*next)) {
    queries_.erase(next);
  } else if (next->query->is_paused()) {
    is_turn_of_paused_ = !was_paused;
    queries_.splice(queries_.end(), queries_, next);
  }
  return true;
}

// The first that can go on, of those that were paused before or of the others.
Engine::Impl::Queries::iterator Engine::Impl::NextQuery(bool was_paused) {
  int waiting = 0;
  for (auto at = queries_.begin(); at != queries_.end(); ++at) {
    if (MustLook(*at) || at->seen == state_->version()) continue;
    if (at->is_waiting && ++waiting == kMaxWaitingQueries) break;
    if (!at->is_waiting && at->was_paused == was_paused) return at;
  }
  return queries_.end();
}

// Whether so many reads wait for pages that no further one may begin.
bool Engine::Impl::IsCrowdWaiting() const {
  if (pages_.is_idle()) return false;
  int waiting = 0;
  return std::ranges::any_of(queries_, [&](const PendingQuery& query) {
    return query.is_waiting && ++waiting == kMaxWaitingQueries;
  });
}

bool Engine::Impl::HasRunnableQuery() {
  return state_ && (NextQuery(false) != queries_.end() ||
                    NextQuery(true) != queries_.end());
}

bool Engine::Impl::IsRefreshDue() const {
  return is_refresh_due_ ||
         std::any_of(queries_.begin(), queries_.end(),
                     [this](const auto& query) { return MustLook(query); });
}

// Nothing when pages lack, which are then fetched, or when it is paused.
std::optional<Result<Response>> Engine::Impl::AnswerOf(PendingQuery& pending) {
  ++visited_reads_;
  if (!HasMemory()) return Error(ErrorCode::kServerBusy);
  auto answer = pending.query->Continue(
      {options_, *state_, last_table_, examined_, work_});
  pending.was_paused |= pending.query->is_paused();
  if (!answer && !pending.query->is_paused()) {
    const auto missing = pending.query->window().TakeMissing();
    pending.is_waiting = !missing.empty();
    if (missing.empty()) pending.seen = state_->version();
    pages_.Want(missing);
  }
  return answer;
}

// True when it was answered.
bool Engine::Impl::ContinueQuery(PendingQuery& pending) {
  auto answer = AnswerOf(pending);
  if (!answer) return false;
  Reply(pending.id, *std::move(answer));
  return true;
}

// --------------------------------------------------------------------- pages

bool Engine::Impl::FetchPages() {
  // Pages that are missing because of what is to be read first come after it.
  const bool is_too_early = is_refresh_due_ && state_->is_behind();
  if (!pages_.is_due() || is_too_early) return false;
  pages_io_ = ++last_io_;
  steps_.push_back(Read{pages_io_, pages_.Begin(*state_), std::nullopt});
  return true;
}

// All who wait look again, before anything that was fetched can leave memory.
void Engine::Impl::TakePages(Snapshot snapshot) {
  pages_io_ = 0;
  const auto taken = pages_.Finish(std::move(snapshot), *state_, cache_);
  if (!taken) return FailAll(taken.error());
  is_refresh_due_ |= state_->is_behind();
  for (auto at = queries_.begin(); at != queries_.end();) {
    const bool is_answered =
        std::exchange(at->is_waiting, false) && ContinueQuery(*at);
    at = is_answered ? queries_.erase(at) : std::next(at);
  }
  if (phase_ == Phase::kGathering) {
    if (state_->is_behind()) {
      StartReading(Phase::kChecking, state_->head());
    } else {
      ContinueGathering();
    }
  }
  if (is_merge_waiting_) ContinueMerge();
  cache_.Trim();
}

void Engine::Impl::PagesCannotBeRead(const Error& reason) {
  pages_io_ = 0;
  pages_.Abandon();
  FailQueries(reason,
              [](const PendingQuery& query) { return query.is_waiting; });
  if (phase_ == Phase::kGathering) FailRound(reason);
  if (is_merge_waiting_) FailUpkeep(CommitOutcome::kUnknown);
}

// -------------------------------------------------------------------- engine

Engine::Engine(EngineOptions options)
    : impl_(std::make_unique<Impl>(std::move(options))) {}
Engine::~Engine() = default;
Engine::Engine(Engine&&) noexcept = default;
Engine& Engine::operator=(Engine&&) noexcept = default;

RequestId Engine::Submit(const Operation& operation) {
  return impl_->Submit(operation);
}

RequestId Engine::SubmitFrame(BytesView frame, std::size_t capacity) {
  return impl_->Submit(DecodeOperation(frame, capacity));
}

std::optional<Response> Engine::TakeAnswer() { return impl_->TakeAnswer(); }

RequestId Engine::Refuse(Error reason) {
  return impl_->Submit(std::move(reason));
}

bool Engine::Cancel(RequestId request) { return impl_->Cancel(request); }

Step Engine::Run(double unix_milliseconds) {
  return impl_->Run(unix_milliseconds);
}

bool Engine::Supply(ReadId id, Snapshot snapshot) {
  return impl_->Supply(id, std::move(snapshot));
}

void Engine::ReadFailed(ReadId id, const Error& reason) {
  impl_->ReadFailed(id, reason);
}

void Engine::Settle(CommitId id, CommitOutcome outcome) {
  impl_->Settle(id, outcome);
}

void Engine::StopUpkeep() { impl_->StopUpkeep(); }

std::uint64_t Engine::examined_entities() const {
  return impl_->examined_entities();
}

std::uint64_t Engine::spent_units() const { return impl_->spent_units(); }

std::uint64_t Engine::visited_reads() const { return impl_->visited_reads(); }

std::size_t Engine::waiting_bytes() const { return impl_->waiting_bytes(); }

std::size_t Engine::page_bytes() const { return impl_->page_bytes(); }

bool Engine::MakeRoom(std::size_t bytes) { return impl_->MakeRoom(bytes); }

}  // namespace entitable
