#include "engine/request.h"

#include <algorithm>
#include <string_view>
#include <utility>

#include "base/error_text.h"
#include "base/number.h"
#include "base/utf.h"
#include "engine/key_scope.h"
#include "model/continuation_token.h"
#include "model/entity_reader.h"
#include "model/limits.h"
#include "model/settings.h"
#include "query/parser.h"
#include "query/planner.h"

namespace entitable {
namespace {

using OptionalText = std::optional<std::string_view>;

// ---------------------------------------------------------------------- text

bool IsValid(OptionalText text) { return !text || IsValidUtf8(*text); }

JsonText BodyOf(const Operation& operation) {
  return {operation.body, operation.body_capacity};
}

// -------------------------------------------------------------------- writes

Result<WriteRequest> ReadCreateTable(const Operation& operation,
                                     JsonReader& json) {
  ENTITABLE_TRY(const std::string text, ReadTableName(json, BodyOf(operation)));
  ENTITABLE_TRY(TableName name, TableName::Parse(text));
  return CreateTable{std::move(name), FormOf(operation), operation.echo,
                     operation.locate};
}

Result<EntityKey> ReadUrlKey(const Operation& operation) {
  const EntityKeyView key{operation.partition_key, operation.row_key};
  if (!IsUrlKey(key.partition_key) || !IsUrlKey(key.row_key)) {
    return Fail(ErrorCode::kInvalidInput, kQuerySyntaxText);
  }
  return EntityKey{std::string(key.partition_key), std::string(key.row_key)};
}

bool IsInScope(const Operation& operation, const EntityKeyView& key) {
  return !operation.scope || Contains(RangeOf(*operation.scope), key);
}

// Source: operations, 2.11.4.
Result<std::optional<EtagCondition>> ReadCondition(const Operation& operation) {
  if (operation.if_none_match) return Fail(ErrorCode::kInvalidInput);
  if (!operation.if_match) return std::optional<EtagCondition>();
  ENTITABLE_TRY(EtagCondition condition,
                EtagCondition::Parse(*operation.if_match));
  return std::optional(std::move(condition));
}

Result<EntityWrite> ReadInsert(const Operation& operation, Profile profile,
                               JsonReader& json) {
  ENTITABLE_TRY(NewEntity entity,
                ReadNewEntity(json, BodyOf(operation), profile));
  if (!IsInScope(operation, entity.key.view())) {
    return Fail(ErrorCode::kAuthorizationFailure);
  }
  return EntityWrite{WriteKind::kInsert,
                     std::move(entity.key),
                     std::move(entity.properties),
                     std::nullopt,
                     operation.level,
                     operation.echo,
                     operation.locate,
                     std::move(entity.warnings)};
}

// The keys and the condition of a delete.
Result<void> CheckDelete(const WrittenKey& written, bool has_condition) {
  Report report;
  if (!CheckWrittenKey(written, report)) {
    return report.FirstError();
  }
  // Source: operations, 2.11.5.
  if (!has_condition) return Fail(ErrorCode::kInvalidInput);
  return {};
}

Result<EntityWrite> ReadKeyedWrite(const Operation& operation, WriteKind kind,
                                   Profile profile, JsonReader& json) {
  ENTITABLE_TRY(EntityKey key, ReadUrlKey(operation));
  if (!IsInScope(operation, key.view())) {
    return Fail(ErrorCode::kAuthorizationFailure);
  }
  ENTITABLE_TRY(auto condition, ReadCondition(operation));
  const bool is_delete = kind == WriteKind::kDelete;
  const WrittenKey written{key.view(), !is_delete && !condition, profile};
  Update update;
  if (is_delete) {
    ENTITABLE_TRY(CheckDelete(written, condition.has_value()));
  } else {
    ENTITABLE_TRY(update, ReadUpdate(json, BodyOf(operation), written));
  }
  return EntityWrite{kind,
                     std::move(key),
                     std::move(update.properties),
                     std::move(condition),
                     operation.level,
                     operation.echo,
                     operation.locate,
                     std::move(update.warnings)};
}

// Fails with InvalidInput if the operation does not write an entity.
Result<EntityWrite> ReadEntityWrite(const Operation& operation, Profile profile,
                                    JsonReader& json) {
  ENTITABLE_TRY(CheckText(operation));
  switch (operation.kind) {
    case OperationKind::kInsertEntity:
      return ReadInsert(operation, profile, json);
    case OperationKind::kReplaceEntity:
      return ReadKeyedWrite(operation, WriteKind::kReplace, profile, json);
    case OperationKind::kMergeEntity:
      return ReadKeyedWrite(operation, WriteKind::kMerge, profile, json);
    case OperationKind::kDeleteEntity:
      return ReadKeyedWrite(operation, WriteKind::kDelete, profile, json);
    default:
      return Fail(ErrorCode::kInvalidInput);
  }
}

Result<WriteRequest> ReadSingleWrite(const Operation& operation,
                                     Profile profile, JsonReader& json) {
  ENTITABLE_TRY(EntityWrite write, ReadEntityWrite(operation, profile, json));
  WriteEntities request{
      std::string(operation.table), {}, false, std::string(operation.base_url)};
  request.writes.push_back(std::move(write));
  return request;
}

// ------------------------------------------------------------------ settings

Result<WriteRequest> ReadSetSettings(const Operation& operation,
                                     JsonReader& json) {
  const bool is_table = operation.kind == OperationKind::kSetPolicies;
  SetSettings request;
  if (is_table) request.table = operation.table;
  ENTITABLE_TRY(request.settings,
                ReadSettings(json, BodyOf(operation), is_table));
  return request;
}

// -------------------------------------------------------------- transactions

Result<void> CheckTransactionSize(const Operation& operation) {
  const std::size_t count = operation.parts.size();
  if (count > kMaxTransactionParts) {
    return Fail(ErrorCode::kInvalidInput, kTooManyOperationsText);
  }
  std::size_t body_bytes = 0;
  for (const Operation& part : operation.parts) body_bytes += part.body.size();
  if (body_bytes > kMaxBodyBytes) return Fail(ErrorCode::kRequestBodyTooLarge);
  return {};
}

// Compares with all earlier operations.  Source: operations, 2.12.
Result<void> CheckSameGroup(const WriteEntities& earlier, const Operation& part,
                            const EntityWrite& write) {
  if (FoldTableName(part.table) != FoldTableName(earlier.table)) {
    return Fail(ErrorCode::kCommandsInBatchActOnDifferentPartitions);
  }
  for (const EntityWrite& other : earlier.writes) {
    if (other.key.partition_key != write.key.partition_key) {
      return Fail(ErrorCode::kCommandsInBatchActOnDifferentPartitions);
    }
    if (other.key.row_key == write.key.row_key) {
      return Fail(ErrorCode::kInvalidDuplicateRow);
    }
  }
  return {};
}

Result<EntityWrite> ReadPart(const WriteEntities& earlier,
                             const Operation& part, Profile profile,
                             JsonReader& json) {
  ENTITABLE_TRY(EntityWrite write, ReadEntityWrite(part, profile, json));
  ENTITABLE_TRY(CheckSameGroup(earlier, part, write));
  return write;
}

Result<WriteRequest> ReadTransaction(const Operation& operation,
                                     Profile profile, JsonReader& json) {
  if (auto size = CheckTransactionSize(operation); !size) {
    Error error = std::move(size).error();
    // The index in the service's recorded answer is the last allowed one.
    if (error.code == ErrorCode::kInvalidInput) {
      error.operation = kMaxTransactionParts - 1;
    }
    return error;
  }
  WriteEntities request{{}, {}, true, std::string(operation.base_url)};
  if (!operation.parts.empty()) request.table = operation.parts.front().table;
  for (const Operation& part : operation.parts) {
    auto write = ReadPart(request, part, profile, json);
    if (!write) {
      Error error = std::move(write).error();
      error.operation = static_cast<std::uint32_t>(request.writes.size());
      return error;
    }
    request.writes.push_back(*std::move(write));
  }
  return request;
}

// --------------------------------------------------------------------- reads

Result<Filter> ReadFilter(const Operation& operation) {
  return ParseFilter(operation.filter.value_or(""));
}

// A reader that awaits changes gets only the keys of entities that do not
// match.
Result<Projection> ReadProjection(const Operation& operation) {
  const bool only_awaits = operation.kind == OperationKind::kAwaitChanges;
  ENTITABLE_TRY(Select select,
                Select::Parse(only_awaits ? "PartitionKey,RowKey"
                                          : operation.select.value_or("")));
  return Projection{std::move(select),
                    operation.select.transform([](std::string_view text) {
                      return std::string(text);
                    })};
}

Result<std::size_t> ReadTop(const Operation& operation) {
  if (!operation.top) return kMaxPageResults;
  const auto top = ParseInt32(*operation.top);
  const bool is_allowed = top && operation.top->front() != '-' &&
                          static_cast<std::size_t>(*top) <= kMaxPageResults;
  if (!is_allowed) return Fail(ErrorCode::kInvalidInput);
  return static_cast<std::size_t>(*top);
}

// Where the page begins; nothing for the first page.
Result<std::optional<EntityKey>> ReadContinuation(const Operation& operation) {
  if (!operation.next_partition_key) {
    if (operation.next_row_key) return Fail(ErrorCode::kInvalidInput);
    return std::optional<EntityKey>();
  }
  EntityKey first;
  ENTITABLE_TRY(first.partition_key,
                DecodeToken(*operation.next_partition_key));
  if (operation.next_row_key) {
    ENTITABLE_TRY(first.row_key, DecodeToken(*operation.next_row_key));
  }
  return std::optional(std::move(first));
}

// Whether the range ends before the key.
bool EndsBefore(const KeyRange& range, const EntityKey& key) {
  if (!range.upper) return false;
  return range.upper->after ? range.upper->key < key : range.upper->key <= key;
}

bool BeginsBefore(const KeyRange& range, const EntityKey& key) {
  return !range.lower || range.lower->key < key;
}

// The parts of the ranges from the key on.
std::vector<KeyRange> RangesFrom(std::vector<KeyRange> ranges,
                                 const EntityKey& first) {
  std::erase_if(
      ranges, [&](const KeyRange& range) { return EndsBefore(range, first); });
  if (!ranges.empty() && BeginsBefore(ranges.front(), first)) {
    ranges.front().lower = KeyBound{first, false};
  }
  return ranges;
}

}  // namespace

// The JSON reader checks the body.
Result<void> CheckText(const Operation& operation) {
  const bool is_valid =
      IsValidUtf8(operation.table) && IsValidUtf8(operation.partition_key) &&
      IsValidUtf8(operation.row_key) && IsValid(operation.if_match) &&
      IsValid(operation.if_none_match) && IsValid(operation.filter) &&
      IsValid(operation.select) && IsValid(operation.top) &&
      IsValid(operation.next_partition_key) &&
      IsValid(operation.next_row_key) && IsValid(operation.next_table_name);
  if (!is_valid) return Fail(ErrorCode::kInvalidInput);
  return {};
}

Result<WriteRequest> ReadWrite(const Operation& operation, Profile profile,
                               JsonReader& json) {
  switch (operation.kind) {
    case OperationKind::kCreateTable:
      return ReadCreateTable(operation, json);
    case OperationKind::kDeleteTable:
      return DeleteTable{std::string(operation.table)};
    case OperationKind::kTransaction:
      return ReadTransaction(operation, profile, json);
    case OperationKind::kSetPolicies:
    case OperationKind::kSetServiceProperties:
      return ReadSetSettings(operation, json);
    default:
      return ReadSingleWrite(operation, profile, json);
  }
}

Result<void> ReadGetEntity(const Operation& operation, GetEntity& request) {
  ENTITABLE_TRY(request.key, ReadUrlKey(operation));
  if (!IsInScope(operation, request.key.view())) {
    return Fail(ErrorCode::kResourceNotFound);
  }
  ENTITABLE_TRY(request.projection, ReadProjection(operation));
  if (operation.if_none_match) {
    ENTITABLE_TRY(request.unless,
                  EtagCondition::Parse(*operation.if_none_match));
  }
  request.table = operation.table;
  request.form = FormOf(operation);
  return {};
}

Result<QueryEntities> ReadQueryEntities(const Operation& operation) {
  ENTITABLE_TRY(Filter filter, ReadFilter(operation));
  ENTITABLE_TRY(const std::size_t top, ReadTop(operation));
  ENTITABLE_TRY(Projection projection, ReadProjection(operation));
  ENTITABLE_TRY(const auto first, ReadContinuation(operation));
  std::vector<KeyRange> ranges = PlanRanges(filter);
  if (first) ranges = RangesFrom(std::move(ranges), *first);
  if (operation.scope) {
    ranges = Within(RangeOf(*operation.scope), std::move(ranges));
  }
  const bool only_awaits = operation.kind == OperationKind::kAwaitChanges;
  return QueryEntities{std::string(operation.table),
                       std::move(filter),
                       std::move(ranges),
                       top,
                       std::move(projection),
                       FormOf(operation),
                       operation.kind == OperationKind::kCountEntities,
                       only_awaits,
                       operation.position};
}

Result<QueryTables> ReadQueryTables(const Operation& operation) {
  ENTITABLE_TRY(Filter filter, ReadFilter(operation));
  ENTITABLE_TRY(const std::size_t top, ReadTop(operation));
  ENTITABLE_TRY(Projection projection, ReadProjection(operation));
  std::string first;
  if (operation.next_table_name) {
    ENTITABLE_TRY(const std::string name,
                  DecodeToken(*operation.next_table_name));
    first = FoldTableName(name);
  }
  return QueryTables{std::move(filter), top, std::move(first),
                     std::move(projection), FormOf(operation)};
}

std::size_t TextBytes(const Operation& operation) {
  const auto size = [](OptionalText text) { return text ? text->size() : 0; };
  std::size_t bytes =
      operation.table.size() + operation.partition_key.size() +
      operation.row_key.size() + operation.base_url.size() +
      operation.body.size() + size(operation.if_match) +
      size(operation.if_none_match) + size(operation.filter) +
      size(operation.select) + size(operation.next_partition_key) +
      size(operation.next_row_key) + size(operation.next_table_name);
  for (const Operation& part : operation.parts) bytes += TextBytes(part);
  return bytes;
}

bool IsDeletion(const WriteRequest& request) {
  const auto* entities = std::get_if<WriteEntities>(&request);
  if (entities == nullptr) return std::holds_alternative<DeleteTable>(request);
  return std::ranges::all_of(entities->writes, [](const EntityWrite& write) {
    return write.kind == WriteKind::kDelete;
  });
}

}  // namespace entitable
