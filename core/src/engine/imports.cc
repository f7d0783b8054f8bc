#include <algorithm>
#include <memory>
#include <utility>

#include "base/utf.h"
#include "engine/engine_impl.h"

namespace entitable {

Import* Engine::Impl::FindImport(std::uint32_t number) const {
  for (const auto& import : imports_) {
    if (import->number() == number) return import.get();
  }
  return nullptr;
}

void Engine::Impl::TakePart(RequestId id, const Operation& operation) {
  const ImportPart part = operation.import_part.value_or(ImportPart());
  Import* import = FindImport(part.import);
  const bool is_known = import != nullptr;
  const bool begins = !is_known && part.begins;
  if (begins && !HasRoomFor(operation.body.size())) {
    Reply(id, Fail(ErrorCode::kServerBusy));
    return;
  }
  const bool is_sound = operation.import_part && is_known != part.begins &&
                        IsValidUtf8(operation.table) &&
                        !(part.abandons && (part.begins || part.ends)) &&
                        (!is_known || part.abandons || import->waiting.empty());
  if (!is_sound) {
    Reply(id, Fail(ErrorCode::kInvalidInput));
    return;
  }
  if (!is_known) {
    imports_.push_back(
        std::make_unique<Import>(std::string(operation.table), part));
    import = imports_.back().get();
  }
  import->waiting.push_back(id);
  if (part.abandons) {
    import->Stop(std::nullopt);
  } else {
    const JsonText body{operation.body, operation.body_capacity};
    if (operation.level == MetadataLevel::kValues) {
      import->ReadValues(body, json_, options_.profile);
    } else {
      import->Read(body, json_, options_.profile);
    }
    if (part.ends) import->End();
  }
  AdvanceImport(*import);
}

// Queues the next step and answers the waiting parts.  The import may be gone
// afterwards.
void Engine::Impl::AdvanceImport(Import& import) {
  const std::size_t max_bytes = options_.store.import_bytes;
  import.Advance(max_bytes);
  if (!import.is_answer_due(max_bytes) || import.waiting.empty()) return;
  for (const RequestId id : std::exchange(import.waiting, {})) {
    Reply(id, import.Answer());
  }
  if (!import.is_done()) return;
  std::erase_if(imports_,
                [&](const auto& other) { return other.get() == &import; });
}

bool Engine::Impl::IsLoadWaiting() const {
  return std::any_of(imports_.begin(), imports_.end(),
                     [](const auto& import) { return import->is_waiting(); });
}

// Steps of imports take turns with other writes.
bool Engine::Impl::IsTurnOfLoad() const {
  return IsLoadWaiting() && (writes_.empty() || !was_load_) &&
         !MustCompactFirst();
}

// Imports also take turns with each other: the import moves to the end.
LoadStep* Engine::Impl::TakeLoad() {
  const auto at =
      std::find_if(imports_.begin(), imports_.end(),
                   [](const auto& import) { return import->is_waiting(); });
  std::rotate(at, at + 1, imports_.end());
  return imports_.back()->TakeStep();
}

void Engine::Impl::CompleteLoad(const Result<Response>& outcome) {
  const LoadStep* load = std::exchange(group_.load, nullptr);
  if (load == nullptr) return;
  const auto owner =
      std::find_if(imports_.begin(), imports_.end(),
                   [&](const auto& import) { return import->Owns(load); });
  (*owner)->Complete(outcome);
  AdvanceImport(**owner);
}

// Also fails imports of which no step waits, because the next store may be
// another one.
void Engine::Impl::FailImports(const Error& reason) {
  for (std::size_t i = imports_.size(); i-- > 0;) {
    imports_[i]->Stop(reason);
    AdvanceImport(*imports_[i]);
  }
}

}  // namespace entitable
