#include "support/memory_host.h"

#include <cstdint>
#include <utility>
#include <variant>

#include "support/make_engine.h"
#include "support/operations.h"

namespace entitable {
namespace {

// A real host takes these from a source of random bytes.  Tests repeat better
// with bytes that are merely different each time.
Random128 NeverUsedBefore() {
  static std::uint64_t count = 0;
  Random128 bytes{};
  std::uint64_t rest = ++count;
  for (auto& byte : bytes) {
    byte = static_cast<std::uint8_t>(rest & 0xFF);
    rest >>= 8;
  }
  return bytes;
}

EngineOptions NewOptions(Profile profile, const StoreLimits& limits,
                         const WorkLimits& work) {
  return {.account = "acct",
          .base_url = "https://acct.table.core.windows.net",
          .profile = profile,
          .session = NeverUsedBefore(),
          .new_store_id = NeverUsedBefore(),
          .store = limits,
          .work = work};
}

}  // namespace

MemoryHost::MemoryHost() : MemoryHost(std::make_shared<MemoryStorage>()) {}

MemoryHost::MemoryHost(std::shared_ptr<MemoryStorage> storage, Profile profile,
                       StoreLimits limits, WorkLimits work)
    : storage_(std::move(storage)),
      faults_(*storage_),
      profile_(profile),
      limits_(limits),
      work_(work),
      engine_(MakeEngine(NewOptions(profile, limits, work))) {}

Result<Response> MemoryHost::Do(const Result<Operation>& operation) {
  return Await(Submit(operation));
}

RequestId MemoryHost::Submit(const Result<Operation>& operation) {
  return SubmitTo(engine_, operation);
}

Result<Response> MemoryHost::Await(RequestId request) {
  Run();
  auto answer = answers_.extract(request);
  if (answer.empty()) {
    return Fail(ErrorCode::kInternalError, "The engine has not answered.");
  }
  return std::move(answer.mapped());
}

void MemoryHost::Run() {
  for (;;) {
    const Step wish = NextWish();
    if (const auto* read = std::get_if<Read>(&wish)) {
      Fulfil(*read);
    } else if (const auto* commit = std::get_if<Commit>(&wish)) {
      Fulfil(*commit);
    } else {
      return;
    }
  }
}

Step MemoryHost::NextWish() {
  for (;;) {
    Step step = engine_.Run(clock_);
    // This host has nothing else to do.
    if (std::holds_alternative<Yield>(step)) continue;
    auto* answer = std::get_if<Answer>(&step);
    if (answer == nullptr) return step;
    answers_.insert_or_assign(answer->request, std::move(answer->outcome));
  }
}

void MemoryHost::Fulfil(const Read& read) {
  Result<Snapshot> snapshot = faults_.Load(read);
  if (snapshot) {
    engine_.Supply(read.id, *std::move(snapshot));
  } else {
    engine_.ReadFailed(read.id, std::move(snapshot).error());
  }
}

void MemoryHost::Fulfil(const Commit& commit) {
  engine_.Complete(commit.id, faults_.Store(commit.batch));
}

void MemoryHost::Restart() {
  engine_ = MakeEngine(NewOptions(profile_, limits_, work_));
  answers_.clear();
}

}  // namespace entitable
