#include "support/limited_host.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <utility>
#include <variant>

#include "support/heap_meter.h"
#include "support/make_engine.h"

namespace entitable {
namespace {

// As bindings/embind.cc has them.
constexpr std::size_t kBytesPerRequestByte = 4;
constexpr std::size_t kBytesPerSnapshotByte = 1;

std::size_t limit = LimitedHost::kLimit;
HeapMeter meter;
// What the engine held when the last call ended.
std::ptrdiff_t held_bytes = 0;

bool HasRoom(std::size_t bytes) {
  return held_bytes + meter.bytes() + static_cast<std::ptrdiff_t>(bytes) <=
         static_cast<std::ptrdiff_t>(limit);
}

std::size_t BytesOf(const OwnedOperation& operation) {
  std::size_t bytes = operation.body.size();
  for (const auto& part : operation.parts) bytes += part.body.size();
  return bytes;
}

std::size_t BytesOf(const Snapshot& snapshot) {
  std::size_t bytes = 0;
  for (const auto& value : snapshot.values) bytes += value ? value->size() : 0;
  for (const Record& record : snapshot.records) bytes += record.value.size();
  return bytes;
}

}  // namespace

LimitedHost::LimitedHost(std::shared_ptr<MemoryStorage> storage)
    : storage_(std::move(storage)) {
  set_limit(kLimit);
  Restart();
}

void LimitedHost::Restart() {
  Close();
  held_bytes = 0;
  static std::uint8_t count = 0;
  EngineOptions options{.session = {++count}, .new_store_id = {1}};
  options.has_room = HasRoom;
  options.store.idle_ms = 20;
  options.FitIntoMemory(EngineOptions::kLeastMemoryBytes);
  Call([&] { engine_.emplace(MakeEngine(options)); });
}

void LimitedHost::Close() {
  Call([this] { engine_.reset(); });
}

template <typename Work>
void LimitedHost::Call(Work work) {
  meter.Restart();
  work();
  most_ = std::max(most_, held_bytes + meter.most_bytes());
  held_bytes += meter.bytes();
  meter.Restart();
}

void LimitedHost::set_limit(std::size_t bytes) { limit = bytes; }

std::size_t LimitedHost::held() const {
  return static_cast<std::size_t>(held_bytes);
}

// ------------------------------------------------------------------- requests

RequestId LimitedHost::Submit(const OwnedOperation& operation) {
  const std::size_t bytes = BytesOf(operation);
  const Result<Operation> made = operation;
  RequestId id = 0;
  Call([&] {
    const std::size_t room = bytes + kBytesPerRequestByte * bytes;
    if (!engine_->MakeRoom(room + kStepBytes)) return;
    const Bytes frame(bytes, ' ');
    id = SubmitTo(*engine_, made);
  });
  if (id == 0) outcomes_[0] = "503 ServerBusy";
  return id;
}

std::string LimitedHost::Do(const OwnedOperation& operation) {
  const RequestId id = Submit(operation);
  Run();
  return OutcomeOf(id);
}

std::string LimitedHost::OutcomeOf(RequestId id) {
  const auto outcome = outcomes_.extract(id);
  return outcome.empty() ? "no answer" : outcome.mapped();
}

// ---------------------------------------------------------------------- steps

void LimitedHost::Run() {
  constexpr int kMaxSteps = 100'000;
  for (int i = 0; Step(); ++i) ASSERT_LT(i, kMaxSteps);
}

void LimitedHost::Wait() {
  Run();
  clock_ += wait_ms_;
  Run();
}

void LimitedHost::Rest() {
  constexpr int kMaxWaits = 1000;
  Run();
  for (int i = 0; wait_ms_ > 0; ++i) {
    ASSERT_LT(i, kMaxWaits);
    Wait();
  }
}

bool LimitedHost::Step() {
  entitable::Step step;
  Call([&] {
    engine_->MakeRoom(kStepBytes);
    step = engine_->Run(clock_);
  });
  const bool is_idle = std::holds_alternative<Idle>(step);
  if (is_idle) wait_ms_ = std::get<Idle>(step).background_work_in_ms;
  if (const auto* answer = std::get_if<Answer>(&step)) Take(*answer);
  if (const auto* read = std::get_if<Read>(&step)) Fulfil(*read);
  if (auto* commit = std::get_if<Commit>(&step)) Fulfil(*commit);
  Call([&] { step = Idle(); });
  return !is_idle;
}

// An answer is encoded before the host reads it.
void LimitedHost::Take(const Answer& answer) {
  std::size_t bytes = 0;
  if (answer.outcome) {
    last_ = *answer.outcome;
    bytes = answer.outcome->body.size();
    for (const auto& part : answer.outcome->parts) bytes += part.body.size();
  }
  Call([&] { const Bytes frame(bytes, ' '); });
  outcomes_[answer.request] = Outcome(answer.outcome);
}

void LimitedHost::Fulfil(const Read& read) {
  const Snapshot stored = storage_->Load(read);
  const std::size_t bytes = BytesOf(stored);
  Call([&] {
    const std::size_t room = bytes + kBytesPerSnapshotByte * bytes;
    if (!engine_->MakeRoom(room + kStepBytes)) {
      return engine_->ReadFailed(read.id, Error(ErrorCode::kServerBusy));
    }
    auto frame = std::make_unique<Bytes>(bytes, ' ');
    Snapshot snapshot = stored;
    frame.reset();
    engine_->Supply(read.id, std::move(snapshot));
  });
}

// The batch is copied out and freed before the host stores it.
void LimitedHost::Fulfil(Commit& commit) {
  const CommitId id = commit.id;
  const bool is_stored = storage_->Store(commit.batch);
  Call([&] { commit.batch = Batch(); });
  Call([&] {
    engine_->Complete(id,
                      is_stored ? CommitOutcome::kOk : CommitOutcome::kMoved);
  });
}

}  // namespace entitable
