#include <algorithm>
#include <utility>

#include "base/utf.h"
#include "engine/engine_impl.h"
#include "engine/load_step.h"

namespace entitable {

Engine::Impl::Imports::iterator Engine::Impl::FindImport(std::uint32_t number) {
  return std::find_if(
      imports_.begin(), imports_.end(),
      [number](const Import& import) { return import.number() == number; });
}

void Engine::Impl::TakePart(RequestId id, const Operation& operation) {
  const ImportPart part = operation.import_part.value_or(ImportPart());
  auto import = FindImport(part.import);
  const bool is_known = import != imports_.end();
  const bool is_sound = operation.import_part && is_known != part.begins &&
                        IsValidUtf8(operation.table) &&
                        !(part.abandons && (part.begins || part.ends)) &&
                        (!is_known || part.abandons || import->waiting.empty());
  if (!is_sound) {
    steps_.push_back(Answer{id, Fail(ErrorCode::kInvalidInput)});
    return;
  }
  if (!is_known) {
    import =
        imports_.emplace(imports_.end(), std::string(operation.table), part);
  }
  import->waiting.push_back(id);
  if (part.abandons) {
    const auto waited = std::erase_if(loads_, [&](const Load& load) {
      return load->import() == part.import;
    });
    if (waited > 0) import->Withdraw();
    import->Stop(std::nullopt);
  } else {
    import->Read({operation.body, operation.body_capacity}, json_,
                 options_.profile);
    if (part.ends) import->End();
  }
  AdvanceImport(import);
}

// Sends the next step on its way, and tells those who wait how far it is.
void Engine::Impl::AdvanceImport(Imports::iterator import) {
  const std::size_t max_bytes = options_.store.import_bytes;
  if (Load step = import->TakeStep(max_bytes)) {
    loads_.push_back(std::move(step));
  }
  const bool is_done = import->is_done();
  const bool is_answer_due =
      import->is_ended() ? is_done : import->has_room(max_bytes);
  if (!is_answer_due || import->waiting.empty()) return;
  for (const RequestId id : std::exchange(import->waiting, {})) {
    steps_.push_back(Answer{id, import->Answer()});
  }
  if (is_done) imports_.erase(import);
}

// They take turns with what else waits.
bool Engine::Impl::IsTurnOfLoad() const {
  return !loads_.empty() && (writes_.empty() || !was_load_) &&
         !MustMergeFirst();
}

// Those of which no step waits, too: what is opened next may be another store.
void Engine::Impl::FailImports(const Error& reason) {
  for (auto at = imports_.begin(); at != imports_.end();) {
    const auto import = at++;
    import->Stop(reason);
    AdvanceImport(import);
  }
}

}  // namespace entitable
