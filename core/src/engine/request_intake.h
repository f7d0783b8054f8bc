// request_intake.h - takes requests, and passes each to the part that answers
// it.

#ifndef ENTITABLE_ENGINE_REQUEST_INTAKE_H_
#define ENTITABLE_ENGINE_REQUEST_INTAKE_H_

#include <cstddef>
#include <memory>
#include <string_view>

#include "base/json_reader.h"
#include "commit/commit_pipeline.h"
#include "commit/import_queue.h"
#include "entitable/engine.h"
#include "entitable/operation.h"
#include "entitable/result.h"
#include "host/host_link.h"
#include "host/memory.h"
#include "read/query.h"
#include "read/read_scheduler.h"
#include "store/store.h"

namespace entitable {

// Invariant: a request that it passes on is valid as far as that can be known
// without stored data, and all waiting requests together fit into
// EngineOptions::max_waiting_bytes.
class RequestIntake {
 public:
  RequestIntake(const EngineOptions& options, const HostMemory& memory,
                JsonReader& json, Store& store, ReadScheduler& reads,
                CommitPipeline& commits, ImportQueue& imports, HostLink& host)
      : options_(options),
        memory_(memory),
        json_(json),
        store_(store),
        reads_(reads),
        commits_(commits),
        imports_(imports),
        host_(host) {}

  RequestId Submit(const Result<Operation>& operation,
                   std::string_view base_url);
  bool Cancel(RequestId request);
  RequestId last_request() const { return last_request_; }

  std::size_t waiting_bytes() const;

 private:
  class StepOfChange;

  Result<std::unique_ptr<Query>> MakeRead(const ReadOperation& operation,
                                          std::string_view base_url);
  Result<void> Accept(RequestId id, const ReadOperation& operation,
                      std::string_view base_url);
  Result<void> Accept(RequestId id, const WriteOperation& operation,
                      std::string_view base_url);
  Result<void> Accept(RequestId id, const ChangeEntities& operation,
                      std::string_view base_url);
  Result<void> Accept(RequestId id, const ImportEntities& operation,
                      std::string_view base_url);
  bool HasRoomFor(std::size_t bytes) const;

  const EngineOptions& options_;
  const HostMemory& memory_;
  JsonReader& json_;
  Store& store_;
  ReadScheduler& reads_;
  CommitPipeline& commits_;
  ImportQueue& imports_;
  HostLink& host_;
  RequestId last_request_ = 0;
};

}  // namespace entitable

#endif  // ENTITABLE_ENGINE_REQUEST_INTAKE_H_
