// request.h - an operation that has passed every check that needs no data.

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

// How the answer is to be written.
struct AnswerForm {
  MetadataLevel level;
  std::string base_url = {};  // Empty: EngineOptions::base_url.

  PayloadContext ContextFor(const EngineOptions& options,
                            std::string_view table = {}) const {
    return {level, options.account,
            base_url.empty() ? options.base_url : base_url, table};
  }
};

inline AnswerForm FormOf(const Operation& operation) {
  return {operation.level, std::string(operation.base_url)};
}

// -------------------------------------------------------------------- writes

struct CreateTable {
  TableName name;
  AnswerForm form;
  bool echo;
  bool locate;
};

struct DeleteTable {
  std::string name;  // Any text: what is no name is no table.
};

// Of a table, or of the account.
struct SetSettings {
  std::optional<std::string> table;  // Any text, too.
  PropertyList settings;
};

enum class WriteKind : std::uint8_t { kInsert, kReplace, kMerge, kDelete };

struct EntityWrite {
  WriteKind kind;
  EntityKey key;
  PropertyList properties;
  std::optional<EtagCondition> condition;  // None on an insert or an upsert.
  MetadataLevel level;
  bool echo;
  bool locate;
  std::vector<Violation> warnings = {};
};

// One write, or an entity group transaction of several to one partition.
struct WriteEntities {
  std::string table;
  std::vector<EntityWrite> writes;
  bool is_transaction;
  std::string base_url = {};  // As AnswerForm.
};

// --------------------------------------------------------------------- reads

struct GetTable {
  std::string name;
  AnswerForm form;
};

// What a projection was, and how the client wrote it.
struct Projection {
  Select select;
  std::optional<std::string> raw;
};

// What the account is set to, or a table.
struct GetSettings {
  std::optional<std::string> table;
  MetadataLevel level;
};

struct QueryTables {
  Filter filter;
  std::size_t top;
  std::string first;  // The folded name where the page begins.
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
  std::vector<KeyRange> ranges;  // What the page may have to look at.
  std::size_t top;
  Projection projection;
  AnswerForm form;
  bool only_counts;  // And tells of the plan; then there are no pages.
  bool only_awaits;  // Changes after this record; nothing: it is not known.
  std::optional<std::uint64_t> after;
};

// ------------------------------------------------------------------- reading

using WriteRequest =
    std::variant<CreateTable, DeleteTable, WriteEntities, SetSettings>;

// How long the texts of an operation and of its parts are, in bytes.
std::size_t TextBytes(const Operation& operation);

// Whether it takes away, and adds nothing.
bool IsDeletion(const WriteRequest& request);

// Fails with InvalidInput.  The functions below take text that passed, and fail
// under the service's code for the first broken rule.
Result<void> CheckText(const Operation& operation);

// Of a transaction, with the index of the operation that broke it; also of an
// operation that is none that writes.
Result<WriteRequest> ReadWrite(const Operation& operation, Profile profile,
                               JsonReader& json);

// Into the place where it stays: a read by key takes not much longer than moves
// of what it asks for.
Result<void> ReadGetEntity(const Operation& operation, GetEntity& request);

Result<QueryEntities> ReadQueryEntities(const Operation& operation);
Result<QueryTables> ReadQueryTables(const Operation& operation);

}  // namespace entitable

#endif  // ENTITABLE_ENGINE_REQUEST_H_
