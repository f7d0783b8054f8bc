// How writes are evaluated.
//
// A write is evaluated against the state with the changes of all earlier writes
// of its group (Staging), perhaps several times: whenever pages were missing,
// and after a lost race.  So it must depend on nothing but its arguments, and a
// write that fails or waits leaves nothing behind.
//
// The checks come in the order of the service: the table, then the stored
// entity and the condition, then the result.  What needs no stored data was
// checked before (write_request.h).  An operation of a transaction whose row is
// pending does not end the evaluation: the others are evaluated as well, so
// that all rows that the transaction needs are asked for at once.

#include "write/write.h"

#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "base/http_status.h"
#include "base/json_writer.h"
#include "model/parts.h"
#include "wire/continuation_token.h"
#include "wire/entity_writer.h"
#include "write/account_transaction.h"
#include "write/indexed_rows.h"
#include "write/sync_support.h"

namespace entitable {
namespace {

// ------------------------------------------------------------------- results

using Stored = std::optional<EntityView>;

// Those of the properties that have one of these names, with commas between.
PropertyList Among(const std::string& names, const PropertyList& properties) {
  const std::string all = "," + names + ",";
  PropertyList some;
  for (PropertyCursor cursor(properties);
       const auto property = cursor.NextPacked();) {
    const std::string name = "," + std::string(property->name) + ",";
    if (all.contains(name)) some.Append(*property);
  }
  return some;
}

// The properties of the entity after the write.  An insert has them already.
//
// A merge may grow beyond the limits although what was given fits, so the
// result is checked as a whole.
Result<PropertyList> ResultingProperties(const EntityWrite& write,
                                         const Stored& stored) {
  const PropertyList* given = &write.properties;
  PropertyList merged_alone;
  if (write.merged && stored) {
    merged_alone = Among(*write.merged, *given);
    given = &merged_alone;
  }
  PropertyList with_doubles;
  if (write.keeps_doubles && stored) {
    with_doubles = WithStoredDoubles(*given, write.typed, stored->properties);
    given = &with_doubles;
  }
  if (write.kind == WriteKind::kReplace || !stored) return SortedByName(*given);
  PropertyList kept;
  std::string_view base = stored->properties;
  if (!write.removed.empty()) {
    kept = WithoutRemoved(base, write.removed);
    base = kept.bytes();
  }
  PropertyList merged = MergedByName(base, *given);
  ENTITABLE_TRY(CheckEntityLimits(write.key.view(), merged));
  return merged;
}

// Checks whether the entity may exist, and in which version.  An upsert has no
// condition, so it never fails here.  A condition on an entity that is missing
// fails with 404 and not with 412. Source: operations, 2.11.4.
Result<void> CheckPrecondition(const EntityWrite& write, const Stored& stored) {
  if (write.kind == WriteKind::kInsert) {
    if (stored) return Fail(ErrorCode::kEntityAlreadyExists);
    return {};
  }
  if (!write.condition) return {};
  if (!stored) return Fail(ErrorCode::kResourceNotFound);
  if (!write.condition->Matches(stored->timestamp)) {
    return Fail(ErrorCode::kUpdateConditionNotSatisfied);
  }
  return {};
}

std::string AbsoluteUrl(const PayloadContext& context,
                        const std::string& edit_link) {
  return std::string(context.base_url).append("/").append(edit_link);
}

Response InsertResponse(const EntityWrite& write, const EntityView& entity,
                        const PayloadContext& context) {
  Response response{.status = write.echo ? kCreated : kNoContent};
  if (write.echo) {
    AppendEntity(context, write.key.view(), entity, response.body);
  }
  if (write.locate) {
    response.location =
        AbsoluteUrl(context, EntityEditLink(context.table, write.key.view()));
  }
  return response;
}

// -------------------------------------------------------------------- writes

// What becomes of the rows of a table that is synced: its marks are staged
// first, which needs the rows as they were.  So the changes are collected, and
// staged at the end.
using LocalChanges = std::vector<sync::LocalChange>;

// Its answer has no etag yet.
Poll<Response> Write(const EntityWrite& write, const PayloadContext& context,
                     const Table& table, const std::optional<Schema>& given,
                     const Schemas& schemas, DateTime timestamp,
                     Staging& staging, LocalChanges& changes) {
  const bool is_synced = table.sync != kNoTable;
  const EntityKeyView key = write.key.view();
  const bool is_update =
      write.kind == WriteKind::kReplace || write.kind == WriteKind::kMerge;
  const bool has_version_check =
      is_update && given && given->looks_for_version();
  // An upsert that replaces does not depend on the stored entity, unless it
  // keeps Doubles or the entity may be of a later version.
  const bool is_blind = write.kind == WriteKind::kReplace && !write.condition &&
                        !write.keeps_doubles && !has_version_check;
  Stored stored;
  if (!is_blind) {
    const bool needs_properties =
        write.kind == WriteKind::kMerge || write.keeps_doubles ||
        has_version_check ||
        (write.kind != WriteKind::kInsert && !table.indexes.empty());
    const auto part = needs_properties ? StoredRows::Part::kProperties
                                       : StoredRows::Part::kTimestamp;
    ENTITABLE_TRY(stored, staging.FindEntity(table.id, key, part));
  }
  ENTITABLE_TRY(CheckPrecondition(write, stored));
  if (has_version_check && stored) {
    ENTITABLE_TRY(given->CheckVersion(stored->properties));
  }
  if (write.kind == WriteKind::kDelete) {
    if (is_synced) {
      changes.push_back({write.key, std::nullopt});
    } else {
      ENTITABLE_TRY(DeleteRow(staging, table, key));
    }
    return Response{.status = kNoContent};
  }
  PropertyList made;
  EntityView entity(timestamp, write.properties.bytes());
  if (write.kind != WriteKind::kInsert) {
    ENTITABLE_TRY(made, ResultingProperties(write, stored));
    entity.properties = made.bytes();
  }
  ENTITABLE_TRY(schemas.Check(key, entity.properties));
  if (is_synced) {
    changes.push_back({write.key, PropertyList::FromBytes(entity.properties)});
  } else {
    const auto before =
        write.kind == WriteKind::kInsert ? RowBefore::kAbsent : RowBefore::kAny;
    ENTITABLE_TRY(PutRow(staging, table, key, entity, before));
  }
  if (write.kind != WriteKind::kInsert) return Response{.status = kNoContent};
  return InsertResponse(write, entity, context);
}

// The marks, then the rows.
Poll<void> Stage(const LocalChanges& changes, const Table& table,
                 DateTime timestamp, const EngineOptions& options,
                 Staging& staging) {
  if (changes.empty()) return {};
  ENTITABLE_TRY(options.sync->mark(staging, table, timestamp, changes));
  for (const auto& [key, value] : changes) {
    if (value) {
      ENTITABLE_TRY(
          PutRow(staging, table, key.view(), {timestamp, value->bytes()}));
    } else {
      ENTITABLE_TRY(DeleteRow(staging, table, key.view()));
    }
  }
  return {};
}

// Whether the request may have this write.  Sync pushes the rows of a request
// together, so in a step they must be of one partition, as in a transaction.
Result<void> CheckMember(const EntityWrite& write,
                         const WriteEntitiesRequest& request,
                         const Table* table) {
  if (table == nullptr) return Fail(ErrorCode::kTableNotFound);
  if (!request.found || table->sync == kNoTable ||
      write.key.partition_key == request.parts.front().key.partition_key) {
    return {};
  }
  return Fail(ErrorCode::kCommandsInBatchActOnDifferentPartitions);
}

}  // namespace

Poll<Response> StageEntities(const WriteEntitiesRequest& request,
                             DateTime timestamp, const EngineOptions& options,
                             Staging& staging) {
  ENTITABLE_TRY(const Table* table, staging.FindTable(request.table));
  const bool has_table = table != nullptr;
  const Schemas schemas(request.schema,
                        has_table ? table->schema : std::string_view());
  if (has_table) ENTITABLE_TRY(CheckWritable(*table, options));
  LocalChanges changes;
  Response response;
  if (request.found) response = *request.found;
  response.status = kAccepted;
  if (request.is_transaction) response.parts.reserve(request.parts.size());
  std::uint32_t operation = 0;
  bool is_pending = false;
  for (const EntityWrite& write : request.writes()) {
    const std::string& own = request.base_url;
    const PayloadContext context{write.level, options.account,
                                 own.empty() ? options.base_url : own,
                                 request.table};
    const auto member = CheckMember(write, request, table);
    auto part = member ? Write(write, context, *table, request.schema, schemas,
                               timestamp, staging, changes)
                       : Poll<Response>(member.error());
    if (part.is_pending()) {
      is_pending = true;
      // What sync knows of the row is asked for, too.
      if (table->sync != kNoTable) changes.push_back({write.key, std::nullopt});
      continue;
    }
    if (!part && request.found && operation > 0) {
      // The next step begins here.
      response.next_partition_key = EncodeToken(write.key.partition_key);
      response.next_row_key = EncodeToken(write.key.row_key);
      break;
    }
    if (!part) {
      if (is_pending) return Pending::kPages;
      Error error = *std::move(part.error().error);
      // A lack of memory is not the fault of one operation, so that error has
      // no index.
      const bool is_of_memory = error.code == ErrorCode::kServerBusy ||
                                error.code == ErrorCode::kRequestBodyTooLarge;
      if (request.is_transaction && !is_of_memory) error.operation = operation;
      return error;
    }
    ++operation;
    if (request.is_transaction) {
      response.parts.push_back(*std::move(part));
    } else if (!request.found) {
      response = *std::move(part);
    }
  }
  Poll<void> staged;
  if (has_table) staged = Stage(changes, *table, timestamp, options, staging);
  if (is_pending) staged = Pending::kPages;
  ENTITABLE_TRY(std::move(staged));
  std::string etag = FormatEtag(timestamp);
  for (std::size_t i = 0; i < response.parts.size(); ++i) {
    if (request.parts[i].kind == WriteKind::kDelete) continue;
    response.parts[i].etag = etag;
  }
  if (request.found) {
    AppendUnsigned(operation, response.body);
  } else if (!request.is_transaction &&
             request.single.kind != WriteKind::kDelete) {
    response.etag = std::move(etag);
  }
  for (const EntityWrite& write : request.writes()) {
    response.warnings.insert(response.warnings.end(), write.warnings.begin(),
                             write.warnings.end());
  }
  return response;
}

namespace {

Poll<Response> Write(const WriteEntitiesRequest& request, DateTime now,
                     const EngineOptions& options, Staging& staging) {
  ENTITABLE_TRY(const DateTime timestamp, staging.NextTimestamp(now));
  auto response = StageEntities(request, timestamp, options, staging);
  if (!response) {
    staging.Undo();
  } else if (!request.writes().empty()) {
    staging.End(timestamp);
  }
  return response;
}

Poll<Response> Write(const CreateTableRequest& request, DateTime now,
                     const EngineOptions& options, Staging& staging) {
  ENTITABLE_TRY(const Table* taken, staging.FindTable(request.name.text()));
  if (taken != nullptr) return Fail(ErrorCode::kTableAlreadyExists);
  ENTITABLE_TRY(const DateTime timestamp, staging.NextTimestamp(now));
  std::vector<Change> changes;
  changes.push_back(TableCreated{staging.next_table_id(), request.name.text()});
  staging.Stage(changes, timestamp);
  Response response{.status = request.echo ? kCreated : kNoContent};
  const PayloadContext context = request.form.ContextFor(options);
  if (request.echo) {
    AppendTable(context, request.name.text(), response.body);
  }
  if (request.locate) {
    response.location =
        AbsoluteUrl(context, TableEditLink(request.name.text()));
  }
  return response;
}

// The rows are not touched: the id of the table is dropped, and compactions
// leave out the rows that have it.  The same holds for the entries of its
// indexes.
Poll<Response> Write(const DeleteTableRequest& request, DateTime now,
                     const EngineOptions& /*options*/, Staging& staging) {
  ENTITABLE_TRY(const Table* table, staging.FindTable(request.table));
  if (table == nullptr) return Fail(ErrorCode::kResourceNotFound);
  if (table->sync != kNoTable) return Fail(ErrorCode::kTableSynced);
  ENTITABLE_TRY(const DateTime timestamp, staging.NextTimestamp(now));
  std::vector<Change> changes;
  changes.push_back(TableDropped{table->id, table->name});
  for (const TableIndex& index : table->indexes) {
    changes.push_back(
        TableDropped{index.id, IndexTableName(table->name, index.id)});
  }
  staging.Stage(changes, timestamp);
  return Response{.status = kNoContent};
}

// Settings that are not named stay as they are, except the kind of setting of a
// table that the request replaces.
Poll<Response> Write(const SetSettingsRequest& request, DateTime now,
                     const EngineOptions& /*options*/, Staging& staging) {
  ENTITABLE_TRY(const DateTime timestamp, staging.NextTimestamp(now));
  std::vector<Change> changes;
  if (request.table) {
    ENTITABLE_TRY(const Table* table, staging.FindTable(*request.table));
    if (table == nullptr) return Fail(ErrorCode::kTableNotFound);
    const EntityKey key = TableRowEntityKey(table->name);
    ENTITABLE_TRY(const Stored row,
                  staging.FindEntity(kCatalogue, key.view(),
                                     StoredRows::Part::kProperties));
    // A table that was created in this commit has no settings yet.
    const Entity made = MakeTableRow(*table);
    const PropertyList before =
        Without(row.value_or(made).properties, request.kind);
    changes.push_back(SettingsChange(key.view(), before.bytes(),
                                     request.settings, timestamp));
  } else {
    ENTITABLE_TRY(changes, AccountChange(request.settings, timestamp, staging));
  }
  staging.Stage(changes, timestamp);
  return Response{.status = request.table ? kNoContent : kAccepted};
}

}  // namespace

Result<void> CheckWritable(const Table& table, const EngineOptions& options) {
  if (table.is_read_only) return Fail(ErrorCode::kTableReadOnly);
  if (table.sync == kNoTable || options.sync != nullptr) return {};
  return Fail(ErrorCode::kTableSynced,
              "The table is synced, and this module has no sync.");
}

Poll<std::vector<Change>> AccountChange(const PropertyList& given,
                                        DateTime timestamp,
                                        const Staging& staging) {
  ENTITABLE_TRY(const Stored stored,
                staging.FindEntity(kCatalogue, kAccountKey,
                                   StoredRows::Part::kProperties));
  std::vector<Change> changes;
  changes.push_back(SettingsChange(
      kAccountKey, stored.value_or(EntityView()).properties, given, timestamp));
  return changes;
}

Poll<Response> Execute(const WriteRequest& request, DateTime now,
                       const EngineOptions& options, Staging& staging) {
  if (const auto* create = std::get_if<CreateTableRequest>(&request)) {
    return Write(*create, now, options, staging);
  }
  if (const auto* drop = std::get_if<DeleteTableRequest>(&request)) {
    return Write(*drop, now, options, staging);
  }
  if (const auto* settings = std::get_if<SetSettingsRequest>(&request)) {
    return Write(*settings, now, options, staging);
  }
  if (const auto* indexes = std::get_if<SetIndexesRequest>(&request)) {
    return entitable::Execute(*indexes, now, staging);
  }
  if (const auto* all = std::get_if<AccountTransactionRequest>(&request)) {
    return ExecuteTransaction(*all, now, options, staging);
  }
  if (const auto* sync = std::get_if<std::unique_ptr<SyncTask>>(&request)) {
    return (*sync)->Execute(now, staging);
  }
  return Write(std::get<WriteEntitiesRequest>(request), now, options, staging);
}

}  // namespace entitable
