// request.h - an operation that has passed every check that needs no stored
// data.

#ifndef ENTITABLE_ENGINE_REQUEST_H_
#define ENTITABLE_ENGINE_REQUEST_H_

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "base/json_reader.h"
#include "entitable/engine.h"
#include "entitable/result.h"
#include "model/entity.h"
#include "model/entity_key.h"
#include "model/entity_writer.h"
#include "model/etag.h"
#include "model/key_range.h"
#include "model/table_name.h"
#include "query/filter.h"
#include "query/select.h"

namespace entitable {

// How to write the answer.
struct AnswerForm {
  MetadataLevel level;
  WireFormat format = WireFormat::kJson;
  std::string base_url = {};  // If empty, EngineOptions::base_url.

  PayloadContext ContextFor(const EngineOptions& options,
                            std::string_view table = {}) const {
    return {.level = level,
            .account = options.account,
            .base_url = base_url.empty() ? options.base_url : base_url,
            .table = table,
            .format = format};
  }
};

inline AnswerForm FormOf(const Operation& operation) {
  const bool is_archive = operation.format == WireFormat::kLines;
  return {is_archive ? MetadataLevel::kTyped : operation.level,
          operation.format, std::string(operation.base_url)};
}

// -------------------------------------------------------------------- writes

struct CreateTable {
  TableName name;
  AnswerForm form;
  bool echo;
  bool locate;
};

struct DeleteTable {
  // Any text.  A text that is not a valid name is simply not found.
  std::string name;
};

// Sets properties of a table or of the account.
struct SetSettings {
  std::optional<std::string> table;  // The account, or any text.
  PropertyList settings;
};

enum class WriteKind : std::uint8_t { kInsert, kReplace, kMerge, kDelete };

struct EntityWrite {
  WriteKind kind;
  EntityKey key;
  PropertyList properties;
  std::optional<EtagCondition> condition;  // None for inserts and upserts.
  MetadataLevel level;
  bool echo;
  bool locate;
  std::vector<Violation> warnings = {};
};

// One write, or an entity group transaction of several in one partition.
struct WriteEntities {
  std::string table;
  std::vector<EntityWrite> writes;
  bool is_transaction;
  std::string base_url = {};  // As in AnswerForm.
};

// --------------------------------------------------------------------- reads

struct GetTable {
  std::string name;
  AnswerForm form;
};

// The projection, and how the client wrote it.
struct Projection {
  Select select;
  std::optional<std::string> raw;
};

// Gets the settings of the account or of a table.
struct GetSettings {
  std::optional<std::string> table;
  WireFormat format;
};

struct QueryTables {
  Filter filter;
  std::size_t top;
  std::string first;  // The name, in lower case, at which the page begins.
  Projection projection;
  AnswerForm form;
};

struct GetEntity {
  std::string table;
  EntityKey key;
  std::optional<EtagCondition> unless;  // If-None-Match
  Projection projection;
  AnswerForm form;
};

struct QueryEntities {
  std::string table;
  Filter filter;
  // The ranges that the page may have to examine.
  std::vector<KeyRange> ranges;
  std::size_t top;
  Projection projection;
  AnswerForm form;
  // The answer also describes the plan, and there are no pages.
  bool only_counts;
  bool only_awaits;  // Changes after this record; nothing: unknown.
  std::optional<std::uint64_t> after;
};

// ------------------------------------------------------------------- reading

using WriteRequest =
    std::variant<CreateTable, DeleteTable, WriteEntities, SetSettings>;

// The bytes of all texts of an operation and of its parts.
std::size_t TextBytes(const Operation& operation);

// Whether the request only deletes.
bool IsDeletion(const WriteRequest& request);

// Fails with InvalidInput.  The functions below need text that passed this
// check.  They fail with the service's code for the first broken rule.
Result<void> CheckText(const Operation& operation);

// For a transaction, the error has the index of the operation.  Also fails if
// the operation does not write.
Result<WriteRequest> ReadWrite(const Operation& operation, Profile profile,
                               JsonReader& json);

// Writes to the place where the request will stay.  A read by key is so short
// that moving the request would take a similar time.
Result<void> ReadGetEntity(const Operation& operation, GetEntity& request);

Result<QueryEntities> ReadQueryEntities(const Operation& operation);
Result<QueryTables> ReadQueryTables(const Operation& operation);

}  // namespace entitable

#endif  // ENTITABLE_ENGINE_REQUEST_H_
