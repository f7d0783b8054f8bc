#include "write/write_request.h"

#include <algorithm>
#include <span>
#include <utility>

#include "base/coding.h"
#include "base/error_text.h"
#include "base/key_table.h"
#include "base/visit.h"
#include "model/entity_reader.h"
#include "model/limits.h"
#include "model/settings.h"
#include "request/key_scope.h"
#include "request/operation_texts.h"
#include "store/range_set.h"

namespace entitable {
namespace {

constexpr char kNoSyncText[] =
    "This module has no sync: open the account with entitable/sync.";

// Source: operations, 2.11.4.
Result<void> ReadCondition(std::string_view if_match, EntityWrite& write) {
  ENTITABLE_TRY(write.condition, EtagCondition::Parse(if_match));
  return {};
}

Result<void> ReadKey(const EntityAddress& entity,
                     const std::optional<KeyScope>& scope, EntityWrite& write) {
  ENTITABLE_TRY(write.key, ReadUrlKey({entity.partition_key, entity.row_key}));
  if (!IsInScope(write.key.view(), scope)) {
    return Fail(ErrorCode::kAuthorizationFailure);
  }
  return {};
}

// Compares the last write with all earlier ones; `row_keys` has those of the
// earlier ones.  Source: operations, 2.12.
Result<void> CheckSameGroup(const WriteEntitiesRequest& request,
                            std::string_view table, KeyTable& row_keys) {
  const bool is_same_table =
      table == request.table ||
      FoldTableName(table) == FoldTableName(request.table);
  const EntityKey& first = request.parts.front().key;
  const EntityKey& last = request.parts.back().key;
  if (!is_same_table || last.partition_key != first.partition_key) {
    return Fail(ErrorCode::kCommandsInBatchActOnDifferentPartitions);
  }
  const std::size_t earlier = row_keys.size();
  if (row_keys.FindOrAdd(last.row_key) != earlier) {
    return Fail(ErrorCode::kInvalidDuplicateRow);
  }
  return {};
}

std::string_view TableOf(const TransactionPart& part) {
  if (const auto* insert = std::get_if<InsertEntity>(&part)) {
    return insert->table;
  }
  const auto* update = std::get_if<UpdateEntity>(&part);
  return update == nullptr ? std::get_if<DeleteEntity>(&part)->entity.table
                           : update->entity.table;
}

std::optional<std::string_view> SchemaOf(const TransactionPart& part) {
  if (const auto* insert = std::get_if<InsertEntity>(&part)) {
    return insert->schema;
  }
  const auto* update = std::get_if<UpdateEntity>(&part);
  return update == nullptr ? std::nullopt : update->schema;
}

Result<void> ReadSchema(const std::optional<std::string_view>& bytes,
                        WriteEntitiesRequest& request) {
  if (!bytes) return {};
  ENTITABLE_TRY(request.schema, Schema::Parse(*bytes));
  return {};
}

std::size_t BodyBytes(const TransactionPart& part) {
  if (const auto* insert = std::get_if<InsertEntity>(&part)) {
    return insert->body.text.size();
  }
  const auto* update = std::get_if<UpdateEntity>(&part);
  return update == nullptr ? 0 : update->body.text.size();
}

// Bodies count as they are in a request, before anything is decoded.  Source:
// operations, 2.12, rule 5.
Result<void> CheckTransactionSize(std::span<const TransactionPart> parts) {
  if (parts.size() > kMaxTransactionParts) {
    Error error(ErrorCode::kInvalidInput, kTooManyOperationsText);
    // The index in the service's recorded answer is the last allowed one.
    error.operation = kMaxTransactionParts - 1;
    return error;
  }
  std::size_t body_bytes = 0;
  for (const TransactionPart& part : parts) body_bytes += BodyBytes(part);
  if (body_bytes > kMaxBodyBytes) return Fail(ErrorCode::kRequestBodyTooLarge);
  return {};
}

// Reads each kind of write.
class WriteReader {
 public:
  WriteReader(std::string_view base_url, const EngineOptions& options,
              JsonReader& json)
      : base_url_(base_url), options_(options), json_(json) {}

  // ------------------------------------------------------------------ entities

  Result<WriteRequest> operator()(const TransactionPart& part) const {
    WriteEntitiesRequest request{.table = std::string(TableOf(part)),
                                 .base_url = std::string(base_url_)};
    ENTITABLE_TRY(Read(part, request.single));
    ENTITABLE_TRY(ReadSchema(SchemaOf(part), request));
    return request;
  }

  Result<WriteRequest> operator()(const SubmitTransaction& transaction) const {
    ENTITABLE_TRY(CheckTransactionSize(transaction.parts));
    WriteEntitiesRequest request{.is_transaction = true,
                                 .base_url = std::string(base_url_)};
    if (!transaction.parts.empty()) {
      request.table = TableOf(transaction.parts.front());
    }
    ENTITABLE_TRY(ReadSchema(transaction.schema, request));
    KeyTable row_keys;
    request.parts.reserve(transaction.parts.size());
    for (const TransactionPart& part : transaction.parts) {
      auto read = ReadPart(part, request, row_keys);
      if (!read) {
        Error error = std::move(read).error();
        error.operation = static_cast<std::uint32_t>(request.parts.size() - 1);
        return error;
      }
    }
    return request;
  }

  Result<WriteRequest> operator()(
      const SubmitAccountTransaction& transaction) const {
    ENTITABLE_TRY(AccountTransactionRequest request, Read(transaction.so_far));
    return request;
  }

  Result<AccountTransactionRequest> Read(const TransactionSoFar& so_far) const {
    const std::string_view reads = so_far.ranges.value_or("");
    if (!RangeSet::Check(reads)) return Fail(ErrorCode::kInvalidInput);
    AccountTransactionRequest request{.reads = std::string(reads),
                                      .position = so_far.position.value_or(0)};
    KeyTable row_keys;  // Of the last group.
    for (const TransactionPart& part : so_far.parts) {
      if (!TextsOf(part).are_valid) return Fail(ErrorCode::kInvalidInput);
      EntityWrite write;
      ENTITABLE_TRY(Read(part, write));
      write.echo = write.locate = false;
      auto& groups = request.groups;
      if (groups.empty() || !BelongsTo(groups.back(), part, write, row_keys)) {
        row_keys.Clear();
        row_keys.FindOrAdd(write.key.row_key);
        groups.push_back(
            {.table = std::string(TableOf(part)), .is_transaction = true});
        ENTITABLE_TRY(ReadSchema(SchemaOf(part), groups.back()));
      }
      groups.back().parts.push_back(std::move(write));
    }
    return request;
  }

  // ------------------------------------------------------ tables and settings

  Result<WriteRequest> operator()(const CreateTable& create) const {
    ENTITABLE_TRY(const std::string text, ReadTableName(json_, create.body));
    ENTITABLE_TRY(TableName name, TableName::Parse(text));
    return CreateTableRequest{std::move(name),
                              {{create.level}, std::string(base_url_)},
                              create.echo,
                              create.locate};
  }

  Result<WriteRequest> operator()(const DeleteTable& drop) const {
    return DeleteTableRequest{std::string(drop.table)};
  }

  Result<WriteRequest> operator()(const SetPolicies& set) const {
    return ReadSet(std::string(set.table), set.lines);
  }

  Result<WriteRequest> operator()(const SetServiceProperties& set) const {
    return ReadSet(std::nullopt, set.lines);
  }

  Result<WriteRequest> operator()(const SetTableSchema& set) const {
    PropertyList settings;
    if (!set.schema.empty()) {
      ENTITABLE_TRY(const Schema schema, Schema::Parse(set.schema));
      settings.Append(kSchema, Value::Binary(schema.bytes()));
    }
    return SetSettingsRequest{std::string(set.table), std::move(settings),
                              kSchema};
  }

  Result<WriteRequest> operator()(const SetTableIndexes& set) const {
    ENTITABLE_TRY(SetIndexesRequest request, ReadSetIndexes(set));
    return request;
  }

  Result<WriteRequest> operator()(const SyncTable& sync) const {
    if (options_.sync == nullptr) {
      return Fail(ErrorCode::kNotImplemented, kNoSyncText);
    }
    ENTITABLE_TRY(std::unique_ptr<SyncTask> task,
                  options_.sync->read(sync, json_));
    return task;
  }

 private:
  // A part has a place in the request before it is read, so that an error can
  // tell its index.
  Result<void> ReadPart(const TransactionPart& part,
                        WriteEntitiesRequest& request,
                        KeyTable& row_keys) const {
    EntityWrite& write = request.parts.emplace_back();
    if (!TextsOf(part).are_valid) return Fail(ErrorCode::kInvalidInput);
    ENTITABLE_TRY(Read(part, write));
    return CheckSameGroup(request, TableOf(part), row_keys);
  }

  // Then it also adds the key of the write.
  static bool BelongsTo(const WriteEntitiesRequest& group,
                        const TransactionPart& part, const EntityWrite& write,
                        KeyTable& row_keys) {
    const auto schema = SchemaOf(part);
    const bool has_its_schema =
        group.schema ? schema == group.schema->bytes() : !schema;
    const std::size_t count = group.parts.size();
    return TableOf(part) == group.table && has_its_schema &&
           write.key.partition_key == group.parts.front().key.partition_key &&
           count < kMaxTransactionParts &&
           row_keys.FindOrAdd(write.key.row_key) == count;
  }

  Result<void> Read(const TransactionPart& part, EntityWrite& write) const {
    return Visit([&](const auto& one) { return Read(one, write); }, part);
  }

  Result<void> Read(const InsertEntity& insert, EntityWrite& write) const {
    ENTITABLE_TRY(NewEntity entity,
                  ReadNewEntity(json_, insert.body, options_.profile));
    if (!IsInScope(entity.key.view(), insert.scope)) {
      return Fail(ErrorCode::kAuthorizationFailure);
    }
    write.kind = WriteKind::kInsert;
    write.key = std::move(entity.key);
    write.properties = std::move(entity.properties);
    write.level = insert.level;
    write.echo = insert.echo;
    write.locate = insert.locate;
    write.warnings = std::move(entity.warnings);
    return {};
  }

  Result<void> Read(const UpdateEntity& update, EntityWrite& write) const {
    const bool is_merge = update.mode == UpdateMode::kMerge;
    write.kind = is_merge ? WriteKind::kMerge : WriteKind::kReplace;
    ENTITABLE_TRY(ReadKey(update.entity, update.scope, write));
    if (update.if_match) ENTITABLE_TRY(ReadCondition(*update.if_match, write));
    ENTITABLE_TRY(Update read, ReadUpdate(json_, update.body,
                                          {write.key.view(), !write.condition,
                                           options_.profile}));
    write.properties = std::move(read.properties);
    write.typed = std::move(read.typed);
    write.removed = std::move(read.removed);
    if (is_merge) write.merged = update.merged;
    write.keeps_doubles =
        update.keeps_doubles && HasPlainNumbers(write.properties, write.typed);
    write.warnings = std::move(read.warnings);
    return {};
  }

  Result<void> Read(const DeleteEntity& remove, EntityWrite& write) const {
    write.kind = WriteKind::kDelete;
    ENTITABLE_TRY(ReadKey(remove.entity, remove.scope, write));
    ENTITABLE_TRY(ReadCondition(remove.if_match, write));
    Report report;
    if (!CheckWrittenKey(
            {write.key.view(), /*may_insert=*/false, options_.profile},
            report)) {
      return report.FirstError();
    }
    return {};
  }

  Result<WriteRequest> ReadSet(std::optional<std::string> table,
                               JsonText lines) const {
    const auto owner =
        table ? SettingsOf::kAccessPolicies : SettingsOf::kAccount;
    ENTITABLE_TRY(PropertyList settings, ReadSettings(json_, lines, owner));
    return SetSettingsRequest{std::move(table), std::move(settings), kPolicies};
  }

  std::string_view base_url_;
  const EngineOptions& options_;
  JsonReader& json_;
};

}  // namespace

Result<WriteRequest> ReadWrite(const WriteOperation& operation,
                               std::string_view base_url,
                               const EngineOptions& options, JsonReader& json) {
  return Visit(WriteReader(base_url, options, json), operation);
}

Result<AccountTransactionRequest> ReadAccountTransaction(
    const TransactionSoFar& so_far, const EngineOptions& options,
    JsonReader& json) {
  return WriteReader({}, options, json).Read(so_far);
}

void MakeStep(Response found, WriteEntitiesRequest& change) {
  const std::string body = std::exchange(found.body, {});
  Decoder rows(body);
  while (!rows.at_end()) {
    EntityWrite& write = change.parts.emplace_back(change.single);
    write.key.partition_key = rows.ReadText();
    write.key.row_key = rows.ReadText();
    const DateTime timestamp{static_cast<std::int64_t>(rows.ReadU64())};
    write.condition = *EtagCondition::Parse(FormatEtag(timestamp));
    // Those of the change are reported once.
    change.single.warnings.clear();
  }
  change.found = std::make_unique<Response>(std::move(found));
}

namespace {

bool IsDeletion(const WriteEntitiesRequest& request) {
  return std::ranges::all_of(request.writes(), [](const EntityWrite& write) {
    return write.kind == WriteKind::kDelete;
  });
}

}  // namespace

bool IsDeletion(const WriteRequest& request) {
  if (const auto* entities = std::get_if<WriteEntitiesRequest>(&request)) {
    return IsDeletion(*entities);
  }
  if (const auto* all = std::get_if<AccountTransactionRequest>(&request)) {
    return std::ranges::all_of(
        all->groups, [](const auto& group) { return IsDeletion(group); });
  }
  return std::holds_alternative<DeleteTableRequest>(request);
}

}  // namespace entitable
