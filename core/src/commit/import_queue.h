// import_queue.h - the imports in progress, and whose turn it is.

#ifndef ENTITABLE_COMMIT_IMPORT_QUEUE_H_
#define ENTITABLE_COMMIT_IMPORT_QUEUE_H_

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "base/json_reader.h"
#include "entitable/engine.h"
#include "entitable/operation.h"
#include "entitable/result.h"
#include "host/host_link.h"
#include "load/import.h"
#include "load/load_step.h"

namespace entitable {

// Invariant: an import is here from its first part until its last answer.  So
// the step that a commit group stores belongs to an import in this queue.
class ImportQueue {
 public:
  ImportQueue(const EngineOptions& options, JsonReader& json, HostLink& host)
      : options_(options), json_(json), host_(host) {}

  // Takes a part of an import, and answers it when the next part may come.
  // `has_room`: another import may begin.
  void AcceptPart(RequestId id, const ImportEntities& operation, bool has_room);

  bool is_empty() const { return imports_.empty(); }

  // Of what was read and is not stored yet.
  std::size_t bytes() const;

  // Whether a step waits to be stored.
  bool is_step_waiting() const;

  // Steps of imports take turns with other writes.
  bool IsTurn(bool are_writes_waiting) const {
    return is_step_waiting() && (!are_writes_waiting || !had_last_turn_);
  }
  LoadStep* TakeStep();
  void PassTurn() { had_last_turn_ = false; }

  // A step that was taken is stored, or has failed.
  void Complete(const LoadStep& step, const Result<void>& outcome);

  // Ends all imports.
  void Fail(const Error& reason);

 private:
  Import* Find(std::uint32_t number) const;
  void Read(Import& import, const ImportEntities& operation);
  void Advance(Import& import);

  const EngineOptions& options_;
  JsonReader& json_;
  HostLink& host_;
  std::vector<std::unique_ptr<Import>> imports_;
  bool had_last_turn_ = false;
};

}  // namespace entitable

#endif  // ENTITABLE_COMMIT_IMPORT_QUEUE_H_
