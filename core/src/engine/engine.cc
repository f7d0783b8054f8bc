#include "entitable/engine.h"

#include <utility>
#include <vector>

#include "base/keyed_hash.h"
#include "engine/engine_impl.h"
#include "engine/options.h"
#include "entitable/frame.h"

namespace entitable {

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

RequestId Engine::Submit(const Operation& operation,
                         std::string_view base_url) {
  return impl_->Submit(operation, base_url);
}

RequestId Engine::SubmitFrame(BytesView frame, std::size_t capacity) {
  std::vector<TransactionPart> parts;
  return impl_->Submit(DecodeOperation(frame, capacity, parts));
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

void Engine::StopBackgroundWork() { impl_->AllowBackgroundWork(false); }

void Engine::ResumeBackgroundWork() { impl_->AllowBackgroundWork(true); }

std::uint64_t Engine::examined_entities() const {
  return impl_->examined_entities();
}

std::uint64_t Engine::spent_units() const { return impl_->spent_units(); }

std::uint64_t Engine::visited_reads() const { return impl_->visited_reads(); }

std::size_t Engine::waiting_bytes() const { return impl_->waiting_bytes(); }

std::size_t Engine::page_bytes() const { return impl_->page_bytes(); }

bool Engine::MakeRoom(std::size_t bytes) { return impl_->MakeRoom(bytes); }

}  // namespace entitable
