#include "entitable/engine.h"

#include <algorithm>
#include <utility>

#include "base/keyed_hash.h"
#include "engine/catch_up.h"
#include "engine/engine_impl.h"
#include "engine/options.h"
#include "entitable/frame.h"

namespace entitable {
namespace {

// How often the engine tries to create a store before it gives up.
constexpr int kMaxCreations = 3;

// The memory of a request without its texts, and of each part of a request.
constexpr std::size_t kRequestOverhead = 512;

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
  // 0 is not a valid id.
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
    const std::uint64_t refresh = operation.fresh ? refreshes_begun_ + 1 : 0;
    auto& list =
        refresh > refreshes_done_ ? reads_.awaiting_refresh : reads_.ready;
    list.push_back(
        {id, std::move(query), Charge(waiting_bytes_, bytes), refresh});
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

bool Engine::Impl::Cancel(RequestId request) {
  return reads_.Remove(request) ||
         std::erase_if(writes_, [request](const PendingWrite& write) {
           return write.id == request;
         }) > 0;
}

// --------------------------------------------------------------------- steps

Step Engine::Impl::Run(double unix_milliseconds) {
  now_ =
      std::min(DateTime::FromUnixMilliseconds(unix_milliseconds), kLatestClock);
  if (std::exchange(must_yield_, false)) BeginSlice();
  do {
    background_work_in_ms_ = 0;
    if (!steps_.empty()) {
      Step step = std::move(steps_.front());
      steps_.pop_front();
      return step;
    }
  } while (Advance());
  must_yield_ = work_.is_spent() && HasRunnableRead();
  if (must_yield_) return Yield{};
  return Idle{background_work_in_ms_};
}

// Requests come first, then the pages that they need, then background work.
bool Engine::Impl::Advance() {
  if (phase_ == Phase::kClosed) {
    if (!HasRequests()) return false;
    StartReading(Phase::kOpening, 0);
    return true;
  }
  if (!state_) return false;
  if (AdvanceReads()) return true;
  if (phase_ == Phase::kEvicted) {
    if (!HasRequests() || HasRunnableRead()) return false;
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
  if (is_turn_of_write && !MustFlushFirst()) {
    StartGroup();
    return true;
  }
  return FetchPages() || StartBackgroundWork();
}

bool Engine::Impl::HasRequests() const {
  return !reads_.is_empty() || !writes_.empty() || IsLoadWaiting();
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
  ++refreshes_begun_;
  if (state_) asked_at_ = state_->progress();
  steps_.push_back(
      Read{log_io_, CheckpointAndManifestKeys(), records_after, is_exclusive});
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
  refreshes_done_ = refreshes_begun_;
  reads_.EndRefresh(refreshes_done_);
  is_held_ = is_log_io_exclusive_;
  switch (phase_) {
    case Phase::kOpening:
      Open(snapshot);
      break;
    case Phase::kChecking:
    case Phase::kRecovering:
      ContinueGroup(snapshot);
      break;
    case Phase::kRefreshing:
      Refresh(snapshot);
      break;
    default:
      break;
  }
  const bool is_committing =
      phase_ == Phase::kCommitting || phase_ == Phase::kRepairingLog;
  return std::exchange(is_held_, false) && is_committing;
}

void Engine::Impl::ReadFailed(ReadId id, const Error& reason) {
  if (id == pages_io_) return PagesCannotBeRead(reason);
  if (id != log_io_) return;
  switch (phase_) {
    case Phase::kOpening:
      return FailAll(reason);
    case Phase::kChecking:
    case Phase::kRecovering:
      contended_until_ = {};
      return FailGroup(reason);
    case Phase::kRefreshing:
      // The next commit finds out whether anything is new.
      phase_ = Phase::kReady;
      EndRefresh(reason);
      return RefuseReads(reads_.TakeAwaitingRefresh(refreshes_begun_), reason);
    default:
      return;
  }
}

void Engine::Impl::Complete(CommitId id, CommitOutcome outcome) {
  if (id == background_io_) return CompleteBackgroundStep(outcome);
  if (id != log_io_) return;
  if (phase_ == Phase::kCreating) CompleteCreation(outcome);
  if (phase_ == Phase::kCommitting) CompleteGroup(outcome);
  if (phase_ == Phase::kRepairingLog) CompleteLogRepair(outcome);
}

// Takes back the commit of the log, if the host has not received it yet.
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
  // The store existed when the commit failed, but no read finds it.
  if (++creations_ > kMaxCreations) {
    return FailAll(Error(ErrorCode::kStorageUnavailable));
  }
  const Checkpoint checkpoint{.store_id = options_.new_store_id};
  Batch batch;
  batch.expect.push_back({ValueKey::Checkpoint(), std::nullopt});
  batch.puts.push_back({ValueKey::Checkpoint(), EncodeCheckpoint(checkpoint)});
  Send(Phase::kCreating, std::move(batch));
}

void Engine::Impl::CompleteCreation(CommitOutcome outcome) {
  const bool is_there =
      outcome == CommitOutcome::kOk || outcome == CommitOutcome::kMoved;
  const bool may_be_there =
      outcome == CommitOutcome::kUnknown && creations_ < kMaxCreations;
  // Requests that come later did not cause this, so they are not answered with
  // it.
  if (!is_there && !may_be_there) return FailAll(ErrorFor(outcome));
  // It does not matter which engine created the store.  The one in storage
  // counts.
  StartReading(Phase::kOpening, 0);
}

// The storage may still store what it was handed.
void Engine::Impl::FailAll(const Error& reason) {
  if (phase_ == Phase::kCommitting && !RecallCommit())
    group_.is_in_doubt = true;
  std::erase_if(steps_, [](const Step& step) {
    return !std::holds_alternative<Answer>(step);
  });
  FailGroup(reason);
  FailWaiting(reason);
  RefuseReads(reads_.TakeAll(), reason);
  pages_.Abandon();
  background_step_.reset();
  compaction_window_.reset();
  is_compaction_waiting_ = is_refresh_due_ = must_recover_ = false;
  background_work_paused_until_ = 0;
  creations_ = 0;
  log_io_ = pages_io_ = background_io_ = 0;
  // An empty store must not be taken for this one.  The memory of this engine
  // may hold all that is left of the store.
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

// --------------------------------------------------------------------- pages

bool Engine::Impl::FetchPages() {
  // If the state is behind, the pages may only be missing because of that.  The
  // refresh comes first.
  const bool is_too_early = is_refresh_due_ && state_->is_behind();
  if (!pages_.is_due() || is_too_early) return false;
  pages_io_ = ++last_io_;
  steps_.push_back(Read{pages_io_, pages_.Begin(*state_), std::nullopt});
  return true;
}

// All waiting reads look for their pages again, before any fetched page can
// leave the cache.
void Engine::Impl::TakePages(Snapshot snapshot) {
  pages_io_ = 0;
  const auto taken = pages_.Finish(std::move(snapshot), *state_, cache_);
  if (!taken) return FailAll(taken.error());
  is_refresh_due_ |= state_->is_behind();
  ContinueWaiting();
  if (phase_ == Phase::kFetching) {
    if (state_->is_behind()) {
      StartReading(Phase::kChecking, state_->head());
    } else {
      ContinueFetching();
    }
  }
  if (is_compaction_waiting_) ContinueCompaction();
  cache_.Trim();
}

void Engine::Impl::PagesCannotBeRead(const Error& reason) {
  pages_io_ = 0;
  // There was not enough memory for all of the pages.
  if (reason.code == ErrorCode::kServerBusy && pages_.Narrow()) return;
  pages_.Abandon();
  RefuseReads(std::exchange(reads_.waiting, {}), reason);
  if (phase_ == Phase::kFetching) FailGroup(reason);
  if (is_compaction_waiting_) FailBackgroundStep(reason);
}

// -------------------------------------------------------------------- engine

Result<Engine> Engine::Create(EngineOptions options) {
  ENTITABLE_TRY(CheckOptions(options));
  const Random128& random = options.session;
  KeyedHash::Stir(
      {reinterpret_cast<const char*>(random.data()), random.size()});
  return Engine(std::make_unique<Impl>(std::move(options)));
}

Engine::Engine(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {}
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

void Engine::Complete(CommitId id, CommitOutcome outcome) {
  impl_->Complete(id, outcome);
}

void Engine::StopBackgroundWork() { impl_->StopBackgroundWork(); }

std::uint64_t Engine::examined_entities() const {
  return impl_->examined_entities();
}

std::uint64_t Engine::spent_units() const { return impl_->spent_units(); }

std::uint64_t Engine::visited_reads() const { return impl_->visited_reads(); }

std::size_t Engine::waiting_bytes() const { return impl_->waiting_bytes(); }

std::size_t Engine::page_bytes() const { return impl_->page_bytes(); }

bool Engine::MakeRoom(std::size_t bytes) { return impl_->MakeRoom(bytes); }

}  // namespace entitable
