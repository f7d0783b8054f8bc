// write_request.h - an operation that writes, and that has passed every check
// that needs no stored data.
//
// All that can fail without stored data fails here, at submission, so it costs
// no commit and no read of the log.  The order is that of the service: in a
// transaction, the number of operations and the size of the body, and then
// operation by operation the key, the body, and that they belong to one entity
// group.

#ifndef ENTITABLE_WRITE_WRITE_REQUEST_H_
#define ENTITABLE_WRITE_WRITE_REQUEST_H_

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "base/json_reader.h"
#include "entitable/engine.h"
#include "entitable/operation.h"
#include "entitable/result.h"
#include "entitable/storage.h"
#include "entitable/violation.h"
#include "model/entity.h"
#include "model/entity_key.h"
#include "model/etag.h"
#include "model/names.h"
#include "model/schema.h"
#include "request/operation_texts.h"
#include "write/index_request.h"
#include "write/sync_support.h"

namespace entitable {

struct CreateTableRequest {
  TableName name;
  OwnedAnswerForm form;
  bool echo;
  bool locate;
};

struct DeleteTableRequest {
  // Any text.  A text that is not a valid name is simply not found.
  std::string table;
};

// Sets properties of a table or of the account.
struct SetSettingsRequest {
  std::optional<std::string> table;  // The account, or any text.
  PropertyList settings;
  // Of a table: the property that is removed if the settings do not have it.
  std::string_view kind = {};
};

enum class WriteKind : std::uint8_t { kInsert, kReplace, kMerge, kDelete };

struct EntityWrite {
  WriteKind kind = WriteKind::kInsert;
  EntityKey key = {};
  PropertyList properties = {};
  std::string typed = {};                       // As in model/entity.h.
  std::string removed = {};                     // As in model/parts.h.
  std::optional<std::string> merged = {};       // As in UpdateEntity.
  std::optional<EtagCondition> condition = {};  // None: inserts and upserts.
  MetadataLevel level = MetadataLevel::kMinimal;
  bool echo = false;
  bool locate = false;
  bool keeps_doubles = false;  // And has numbers that may become Doubles.
  std::vector<Violation> warnings = {};
};

// One write, an entity group transaction of several in one partition, or a step
// of a change.
struct WriteEntitiesRequest {
  std::string table = {};
  bool is_transaction = false;
  EntityWrite single = {};              // Of a step: its change.
  std::vector<EntityWrite> parts = {};  // Of a transaction or a step.
  std::optional<Schema> schema = {};
  std::string base_url = {};  // As in OwnedAnswerForm.

  // Of a step: the tokens of the read that has found the entities.
  std::unique_ptr<const Response> found = {};

  std::span<const EntityWrite> writes() const {
    if (is_transaction || found) return parts;
    return {&single, 1};
  }
};

// Its writes are evaluated group by group.  A group is what sync may push
// together: of one table and partition, at most kMaxTransactionParts, and no
// key twice.
struct AccountTransactionRequest {
  std::string reads = {};      // For a RangeSet.
  std::uint64_t position = 0;  // They are unchanged up to this record.
  std::vector<WriteEntitiesRequest> groups = {};
};

// Fails like ReadWrite().
Result<AccountTransactionRequest> ReadAccountTransaction(
    const TransactionSoFar& so_far, const EngineOptions& options,
    JsonReader& json);

// Makes a step of the change of an entity, for what a read has found
// (MakeSearchOfStep() of read/query.h).
void MakeStep(Response found, WriteEntitiesRequest& change);

using WriteRequest =
    std::variant<CreateTableRequest, DeleteTableRequest, WriteEntitiesRequest,
                 AccountTransactionRequest, SetSettingsRequest,
                 SetIndexesRequest, std::unique_ptr<SyncTask>>;

// Whether the request only deletes.
bool IsDeletion(const WriteRequest& request);

// Fails with the service's code for the first broken rule; in a transaction,
// the error has the index of the part.  Texts must be valid
// (operation_texts.h), except those of the parts of a transaction.  `base_url`
// is as in Engine::Submit().
Result<WriteRequest> ReadWrite(const WriteOperation& operation,
                               std::string_view base_url,
                               const EngineOptions& options, JsonReader& json);

}  // namespace entitable

#endif  // ENTITABLE_WRITE_WRITE_REQUEST_H_
