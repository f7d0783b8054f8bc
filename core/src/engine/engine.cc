#include "entitable/engine.h"

#include <algorithm>
#include <cassert>
#include <deque>
#include <utility>

#include "engine/log_reader.h"
#include "engine/query.h"
#include "engine/request.h"
#include "engine/staging.h"
#include "engine/write.h"
#include "entitable/frame.h"
#include "store/envelope.h"

namespace entitable {
namespace {

// Requests that wait together share a record until it is this long.
constexpr std::size_t kMaxRecordBytes = std::size_t{1} << 20;

// How often a commit of unknown outcome is looked for, or a new store made,
// before we give up and say so.
constexpr int kMaxAttempts = 3;

// A year before the last time there is.  Later timestamps rise tick by tick
// whatever the clock says, and none may become one that cannot be read back.
constexpr DateTime kLatestClock{kMaxDateTime.ticks -
                                std::int64_t{365} * 24 * 3600 * 10'000'000};

Error ErrorFor(CommitOutcome outcome) {
  switch (outcome) {
    case CommitOutcome::kQuota:
      return ErrorOf(ErrorCode::kStorageQuotaExceeded);
    case CommitOutcome::kUnknown:
      return ErrorOf(ErrorCode::kStorageOutcomeUnknown);
    default:
      return ErrorOf(ErrorCode::kStorageUnavailable);
  }
}

// What the engine waits for, or that it does not.
enum class Phase : std::uint8_t {
  kClosed,      // Nothing is known; the next request opens the log.
  kOpening,     // Reads the whole log.
  kCreating,    // Commits the base of a new store.
  kReady,       // Waits for nothing.
  kCommitting,  // Commits the round.
  kChecking,    // Reads what is new, to evaluate the round again.
  kHealing,     // Reads what is new, to learn what became of the round.
};

struct PendingQuery {
  RequestId id;
  QueryRequest request;
};

struct PendingWrite {
  RequestId id;
  WriteRequest request;
};

// The writes that are being made together.
struct Round {
  std::vector<PendingWrite> writes;
  std::vector<Result<Response>> outcomes;  // One a write, once evaluated.
  std::uint64_t commit = 0;                // Its number among our commits.
  LogRecord record;
  Bytes value;  // The record as it was sent.

  // Nobody said what became of it: it may be stored, or be so yet.
  bool is_in_doubt = false;
};

}  // namespace

class Engine::Impl {
 public:
  explicit Impl(EngineOptions options) : options_(std::move(options)) {}

  RequestId Submit(const Result<Operation>& operation);
  bool Cancel(RequestId request);
  Step Run(double unix_milliseconds);
  void Supply(ReadId id, const Snapshot& snapshot);
  void ReadFailed(ReadId id, const Error& reason);
  void Settle(CommitId id, CommitOutcome outcome);
  std::uint64_t examined_entities() const { return examined_; }

 private:
  // Works on, and says whether there was anything to do without the host.
  bool Advance();
  void AnswerQuery();

  void StartReading(Phase phase, std::uint64_t records_after);
  void StartCommitting(Phase phase, ValueKey key, Bytes value);

  void Open(const Snapshot& snapshot);
  void CreateStore();
  void SettleCreation(CommitOutcome outcome);

  void StartRound();
  void EvaluateRoundAgain();
  void FinishEvaluation(Staging staging, bool is_head_checked);
  void CommitRound(Staging staging);
  void SettleRound(CommitOutcome outcome);
  void ContinueRound(const Snapshot& snapshot);
  void ConfirmRound();
  void AbandonRound(const Error& reason);
  void FailRound(const Error& reason);
  Error ErrorOfStored(const Error& reason) const;
  void EndRound();
  void HandleUnknownOutcome();

  // Everything that waits is answered with the reason, and the log is opened
  // afresh by the next request.
  void FailAll(const Error& reason);

  EngineOptions options_;
  JsonReader json_;
  DateTime now_;

  Phase phase_ = Phase::kClosed;
  std::optional<Step> outgoing_;  // What the host is told next.
  std::uint32_t io_id_ = 0;       // Of the last read or commit.
  std::optional<AccountState> state_;

  RequestId last_request_ = 0;
  std::uint64_t examined_ = 0;
  std::deque<Answer> answers_;
  std::deque<PendingQuery> queries_;
  std::deque<PendingWrite> writes_;

  Round round_;
  std::uint64_t last_commit_ = 0;
  int attempts_ = 0;  // Of unknown outcome, or to make a store.
};

// ------------------------------------------------------------------ requests

RequestId Engine::Impl::Submit(const Result<Operation>& operation) {
  const RequestId id = ++last_request_;
  Result<Request> request =
      operation ? ParseRequest(*operation, options_.profile, json_)
                : Result<Request>(std::unexpected(operation.error()));
  if (!request) {
    answers_.push_back({id, std::unexpected(std::move(request).error())});
  } else if (auto* query = std::get_if<QueryRequest>(&*request)) {
    queries_.push_back({id, std::move(*query)});
  } else {
    writes_.push_back({id, std::get<WriteRequest>(*std::move(request))});
  }
  return id;
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
  do {
    if (!answers_.empty()) {
      Step answer = std::move(answers_.front());
      answers_.pop_front();
      return answer;
    }
    if (outgoing_) return *std::exchange(outgoing_, std::nullopt);
  } while (Advance());
  return Idle{};
}

bool Engine::Impl::Advance() {
  if (state_ && !queries_.empty()) {
    AnswerQuery();
    return true;
  }
  const bool is_wanted = !queries_.empty() || !writes_.empty();
  if (phase_ == Phase::kClosed && is_wanted) {
    StartReading(Phase::kOpening, 0);
    return true;
  }
  if (phase_ == Phase::kReady && !writes_.empty()) {
    StartRound();
    return true;
  }
  return false;
}

void Engine::Impl::AnswerQuery() {
  const PendingQuery query = std::move(queries_.front());
  queries_.pop_front();
  answers_.push_back(
      {query.id, Execute(query.request, options_, *state_, examined_)});
}

void Engine::Impl::StartReading(Phase phase, std::uint64_t records_after) {
  phase_ = phase;
  outgoing_ = Read{++io_id_, {ValueKey::Base()}, records_after};
}

void Engine::Impl::StartCommitting(Phase phase, ValueKey key, Bytes value) {
  phase_ = phase;
  Batch batch;
  // Or a store that was deleted or replaced under us would take our records.
  if (state_) batch.expect.push_back({ValueKey::Base(), state_->base_value()});
  batch.expect.push_back({key, std::nullopt});
  batch.puts.push_back({key, std::move(value)});
  outgoing_ = Commit{++io_id_, std::move(batch)};
}

void Engine::Impl::Supply(ReadId id, const Snapshot& snapshot) {
  if (id != io_id_) return;
  switch (phase_) {
    case Phase::kOpening:
      return Open(snapshot);
    case Phase::kChecking:
    case Phase::kHealing:
      return ContinueRound(snapshot);
    default:
      return;
  }
}

void Engine::Impl::ReadFailed(ReadId id, const Error& reason) {
  if (id != io_id_) return;
  switch (phase_) {
    case Phase::kOpening:
      return FailAll(reason);
    case Phase::kChecking:
    case Phase::kHealing:
      return FailRound(reason);
    default:
      return;
  }
}

void Engine::Impl::Settle(CommitId id, CommitOutcome outcome) {
  if (id != io_id_) return;
  if (phase_ == Phase::kCreating) SettleCreation(outcome);
  if (phase_ == Phase::kCommitting) SettleRound(outcome);
}

// ------------------------------------------------------------------- opening

void Engine::Impl::Open(const Snapshot& snapshot) {
  auto state = OpenLog(snapshot);
  if (!state) return FailAll(state.error());
  if (!*state) return CreateStore();
  state_ = *std::move(state);
  attempts_ = 0;
  phase_ = Phase::kReady;
}

void Engine::Impl::CreateStore() {
  const LogBase base{.store_id = options_.new_store_id};
  StartCommitting(Phase::kCreating, ValueKey::Base(), EncodeLogBase(base));
}

void Engine::Impl::SettleCreation(CommitOutcome outcome) {
  const bool is_refused =
      outcome == CommitOutcome::kQuota || outcome == CommitOutcome::kRefused;
  if (is_refused || ++attempts_ > kMaxAttempts) {
    return FailAll(ErrorFor(outcome));
  }
  // Whoever made it, we or another: what counts is what is there now.
  StartReading(Phase::kOpening, 0);
}

void Engine::Impl::FailAll(const Error& reason) {
  FailRound(reason);
  for (const PendingWrite& write : writes_) {
    answers_.push_back({write.id, std::unexpected(reason)});
  }
  for (const PendingQuery& query : queries_) {
    answers_.push_back({query.id, std::unexpected(reason)});
  }
  writes_.clear();
  queries_.clear();
  state_.reset();
  phase_ = Phase::kClosed;
}

// -------------------------------------------------------------------- rounds

void Engine::Impl::StartRound() {
  Staging staging(*state_);
  round_.commit = ++last_commit_;
  while (!writes_.empty() && staging.approximate_bytes() < kMaxRecordBytes) {
    round_.writes.push_back(std::move(writes_.front()));
    writes_.pop_front();
    round_.outcomes.push_back(
        Execute(round_.writes.back().request, now_, options_, staging));
  }
  FinishEvaluation(std::move(staging), /*is_head_checked=*/false);
}

// After the head moved: what was evaluated against the old one is void, and can
// no longer be stored, because its place in the log is taken.
void Engine::Impl::EvaluateRoundAgain() {
  Staging staging(*state_);
  round_.is_in_doubt = false;
  round_.outcomes.clear();
  for (const PendingWrite& write : round_.writes) {
    round_.outcomes.push_back(Execute(write.request, now_, options_, staging));
  }
  FinishEvaluation(std::move(staging), /*is_head_checked=*/true);
}

void Engine::Impl::FinishEvaluation(Staging staging, bool is_head_checked) {
  if (!staging.is_empty()) return CommitRound(std::move(staging));
  const bool has_refusal =
      std::any_of(round_.outcomes.begin(), round_.outcomes.end(),
                  [](const auto& outcome) { return !outcome; });
  // A commit that succeeds proves that the state it was evaluated against was
  // the newest; where there is nothing to commit, a read has to.
  if (has_refusal && !is_head_checked) {
    return StartReading(Phase::kChecking, state_->head());
  }
  ConfirmRound();
}

void Engine::Impl::CommitRound(Staging staging) {
  round_.record = LogRecord{.previous_crc = state_->head_crc(),
                            .number = state_->head() + 1,
                            .session = options_.session,
                            .commit = round_.commit,
                            .last_timestamp = staging.last_timestamp(),
                            .changes = staging.TakeChanges()};
  round_.value = EncodeLogRecord(round_.record);
  StartCommitting(Phase::kCommitting, ValueKey::Record(round_.record.number),
                  round_.value);
}

void Engine::Impl::SettleRound(CommitOutcome outcome) {
  switch (outcome) {
    case CommitOutcome::kOk: {
      const auto applied =
          state_->Apply(std::move(round_.record), EnvelopeCrc(round_.value));
      assert(applied);  // We made the record for this very state.
      static_cast<void>(applied);
      return ConfirmRound();
    }
    case CommitOutcome::kMoved:
      return StartReading(Phase::kChecking, state_->head());
    case CommitOutcome::kQuota:
    case CommitOutcome::kRefused:
      return AbandonRound(ErrorFor(outcome));
    case CommitOutcome::kUnknown:
      return HandleUnknownOutcome();
  }
}

void Engine::Impl::HandleUnknownOutcome() {
  round_.is_in_doubt = true;
  if (++attempts_ > kMaxAttempts) {
    return AbandonRound(ErrorFor(CommitOutcome::kUnknown));
  }
  StartReading(Phase::kHealing, state_->head());
}

// With the newest records in hand.
void Engine::Impl::ContinueRound(const Snapshot& snapshot) {
  const auto tail =
      ContinueLog(snapshot, {options_.session, round_.commit}, *state_);
  if (!tail) return FailAll(tail.error());
  if (tail->has_record_of_author) return ConfirmRound();
  // An attempt whose place is still free may yet arrive there.  The same bytes
  // are sent again, so that it does not matter which of the two does.
  if (phase_ == Phase::kHealing && !tail->has_records) {
    return StartCommitting(Phase::kCommitting,
                           ValueKey::Record(round_.record.number),
                           round_.value);
  }
  const bool was_moved_by_nothing = !tail->has_records && !round_.value.empty();
  if (was_moved_by_nothing) {
    return AbandonRound(ErrorFor(CommitOutcome::kMoved));
  }
  EvaluateRoundAgain();
}

void Engine::Impl::ConfirmRound() {
  for (std::size_t i = 0; i < round_.writes.size(); ++i) {
    answers_.push_back({round_.writes[i].id, std::move(round_.outcomes[i])});
  }
  EndRound();
}

// The writes that were to be stored are answered with the reason.  Those that
// were refused may have been refused because of them: they are evaluated again.
void Engine::Impl::AbandonRound(const Error& reason) {
  const Error of_stored = ErrorOfStored(reason);
  std::vector<PendingWrite> refused;
  for (std::size_t i = 0; i < round_.writes.size(); ++i) {
    if (round_.outcomes[i]) {
      answers_.push_back({round_.writes[i].id, std::unexpected(of_stored)});
    } else {
      refused.push_back(std::move(round_.writes[i]));
    }
  }
  writes_.insert(writes_.begin(), std::make_move_iterator(refused.begin()),
                 std::make_move_iterator(refused.end()));
  EndRound();
}

// All are answered: also those whose refusal could not be checked.
void Engine::Impl::FailRound(const Error& reason) {
  const Error of_stored = ErrorOfStored(reason);
  for (std::size_t i = 0; i < round_.writes.size(); ++i) {
    answers_.push_back(
        {round_.writes[i].id,
         std::unexpected(round_.outcomes[i] ? of_stored : reason)});
  }
  EndRound();
}

// A write may be said to have failed only where it cannot come true.
Error Engine::Impl::ErrorOfStored(const Error& reason) const {
  return round_.is_in_doubt ? ErrorFor(CommitOutcome::kUnknown) : reason;
}

void Engine::Impl::EndRound() {
  round_ = {};
  attempts_ = 0;
  phase_ = Phase::kReady;
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

RequestId Engine::Refuse(Error reason) {
  return impl_->Submit(std::unexpected(std::move(reason)));
}

bool Engine::Cancel(RequestId request) { return impl_->Cancel(request); }

Step Engine::Run(double unix_milliseconds) {
  return impl_->Run(unix_milliseconds);
}

void Engine::Supply(ReadId id, Snapshot snapshot) {
  impl_->Supply(id, snapshot);
}

void Engine::ReadFailed(ReadId id, Error reason) {
  impl_->ReadFailed(id, reason);
}

void Engine::Settle(CommitId id, CommitOutcome outcome) {
  impl_->Settle(id, outcome);
}

std::uint64_t Engine::examined_entities() const {
  return impl_->examined_entities();
}

}  // namespace entitable
