#include "commit/import_queue.h"

#include <algorithm>
#include <optional>
#include <string>
#include <utility>

#include "base/utf.h"

namespace entitable {

Import* ImportQueue::Find(std::uint32_t number) const {
  for (const auto& import : imports_) {
    if (import->number() == number) return import.get();
  }
  return nullptr;
}

void ImportQueue::AcceptPart(RequestId id, const ImportEntities& operation,
                             bool has_room) {
  const ImportPart& part = operation.part;
  Import* import = Find(part.import);
  const bool is_known = import != nullptr;
  const bool begins = !is_known && part.begins;
  if (begins && !has_room) {
    return host_.Refuse(id, Error(ErrorCode::kServerBusy));
  }
  const bool is_sound =
      is_known != part.begins && IsValidUtf8(operation.table) &&
      !(part.abandons && (part.begins || part.ends)) &&
      (!operation.schema || (begins && part.mode != ImportMode::kRestore)) &&
      (!is_known || part.abandons || import->waiting.empty());
  if (!is_sound) {
    return host_.Refuse(id, Error(ErrorCode::kInvalidInput));
  }
  if (!is_known) {
    std::optional<Schema> schema;
    if (operation.schema) {
      auto parsed = Schema::Parse(*operation.schema);
      if (!parsed) return host_.Refuse(id, parsed.error());
      schema = *std::move(parsed);
    }
    imports_.push_back(std::make_unique<Import>(std::string(operation.table),
                                                part, std::move(schema)));
    import = imports_.back().get();
  }
  import->waiting.push_back(id);
  Read(*import, operation);
  Advance(*import);
}

void ImportQueue::Read(Import& import, const ImportEntities& operation) {
  if (operation.part.abandons) return import.Stop(std::nullopt);
  import.Read(operation, json_, options_.profile);
  if (operation.part.ends) import.End();
}

// Queues the next step and answers the waiting parts.  The import may be gone
// afterwards.
void ImportQueue::Advance(Import& import) {
  const std::size_t max_bytes = options_.store.import_bytes;
  import.Advance(max_bytes);
  if (!import.is_answer_due(max_bytes) || import.waiting.empty()) return;
  for (const RequestId id : std::exchange(import.waiting, {})) {
    host_.Reply(id, import.Answer());
  }
  if (!import.is_done()) return;
  std::erase_if(imports_,
                [&](const auto& other) { return other.get() == &import; });
}

std::size_t ImportQueue::bytes() const {
  std::size_t bytes = 0;
  for (const auto& import : imports_) bytes += import->bytes();
  return bytes;
}

bool ImportQueue::is_step_waiting() const {
  return std::any_of(imports_.begin(), imports_.end(),
                     [](const auto& import) { return import->is_waiting(); });
}

// Imports also take turns with each other: the import moves to the end.
LoadStep* ImportQueue::TakeStep() {
  had_last_turn_ = true;
  const auto at =
      std::find_if(imports_.begin(), imports_.end(),
                   [](const auto& import) { return import->is_waiting(); });
  std::rotate(at, at + 1, imports_.end());
  return imports_.back()->StartStep();
}

void ImportQueue::Complete(const LoadStep& step, const Result<void>& outcome) {
  const auto owner =
      std::find_if(imports_.begin(), imports_.end(),
                   [&](const auto& import) { return import->Owns(&step); });
  (*owner)->Complete(outcome);
  Advance(**owner);
}

// Also fails imports of which no step waits, because the next store may be
// another one.
void ImportQueue::Fail(const Error& reason) {
  for (std::size_t i = imports_.size(); i-- > 0;) {
    imports_[i]->Stop(reason);
    Advance(*imports_[i]);
  }
}

}  // namespace entitable
