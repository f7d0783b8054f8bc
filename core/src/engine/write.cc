#include "engine/write.h"

#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "wire/entity_writer.h"

namespace entitable {
namespace {

constexpr int kCreated = 201;
constexpr int kAccepted = 202;
constexpr int kNoContent = 204;

// One change, and the answer to its operation.
struct Effect {
  Change change;
  Response response;
};

// ------------------------------------------------------------------- results

// The properties of the entity after the write.
Result<PropertyList> ResultingProperties(const EntityWrite& write,
                                         const Entity* stored) {
  switch (write.kind) {
    case WriteKind::kInsert:
      return write.properties;
    case WriteKind::kReplace:
      return SortedByName(write.properties);
    case WriteKind::kMerge:
    case WriteKind::kDelete:
      break;
  }
  if (stored == nullptr) return SortedByName(write.properties);
  PropertyList merged = MergedByName(stored->properties, write.properties);
  ENTITABLE_TRY(CheckEntityLimits(write.key.view(), merged));
  return merged;
}

// Checks whether the entity may exist, and in which version.
Result<void> CheckPrecondition(const EntityWrite& write, const Entity* stored) {
  if (write.kind == WriteKind::kInsert) {
    if (stored != nullptr) return Fail(ErrorCode::kEntityAlreadyExists);
    return {};
  }
  if (!write.condition) return {};
  if (stored == nullptr) return Fail(ErrorCode::kResourceNotFound);
  if (!write.condition->Matches(stored->timestamp)) {
    return Fail(ErrorCode::kUpdateConditionNotSatisfied);
  }
  return {};
}

std::string AbsoluteUrl(const PayloadContext& context,
                        const std::string& edit_link) {
  return std::string(context.base_url).append("/").append(edit_link);
}

Response InsertResponse(const EntityWrite& write, const Entity& entity,
                        const PayloadContext& context) {
  Response response{.status = write.echo ? kCreated : kNoContent,
                    .etag = FormatEtag(entity.timestamp)};
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

Result<Effect> EffectOf(const EntityWrite& write, const PayloadContext& context,
                        const Table& table, DateTime timestamp,
                        const Staging& staging) {
  // An upsert that replaces does not depend on the stored entity.
  const bool is_blind = write.kind == WriteKind::kReplace && !write.condition;
  const Entity* stored = nullptr;
  if (!is_blind) {
    const auto part = write.kind == WriteKind::kMerge
                          ? StoredRows::Part::kProperties
                          : StoredRows::Part::kTimestamp;
    ENTITABLE_TRY(stored, staging.FindEntity(table.id, write.key.view(), part));
  }
  ENTITABLE_TRY(CheckPrecondition(write, stored));
  if (write.kind == WriteKind::kDelete) {
    return Effect{EntityDeleted{table.id, write.key}, {.status = kNoContent}};
  }
  ENTITABLE_TRY(PropertyList properties, ResultingProperties(write, stored));
  Entity entity{timestamp, std::move(properties)};
  Response response =
      write.kind == WriteKind::kInsert
          ? InsertResponse(write, entity, context)
          : Response{.status = kNoContent, .etag = FormatEtag(timestamp)};
  return Effect{EntityPut{table.id, write.key, std::move(entity)},
                std::move(response)};
}

// No key occurs twice in a request, so no operation needs to see another one.
Result<Response> Write(const WriteEntitiesRequest& request, DateTime now,
                       const EngineOptions& options, Staging& staging) {
  ENTITABLE_TRY(const DateTime timestamp, staging.NextTimestamp(now));
  ENTITABLE_TRY(const auto table, staging.FindTable(request.table));
  std::vector<Change> changes;
  std::vector<Response> responses;
  changes.reserve(request.writes.size());
  responses.reserve(request.writes.size());
  for (const EntityWrite& write : request.writes) {
    const std::string& own = request.base_url;
    const PayloadContext context{write.level, options.account,
                                 own.empty() ? options.base_url : own,
                                 request.table};
    auto effect = table ? EffectOf(write, context, *table, timestamp, staging)
                        : Result<Effect>(Fail(ErrorCode::kTableNotFound));
    if (!effect) {
      Error error = std::move(effect).error();
      // No single operation has caused a lack of memory.
      const bool is_of_memory = error.code == ErrorCode::kServerBusy ||
                                error.code == ErrorCode::kRequestBodyTooLarge;
      if (request.is_transaction && !is_of_memory) {
        error.operation = static_cast<std::uint32_t>(changes.size());
      }
      return error;
    }
    changes.push_back(std::move(effect->change));
    responses.push_back(std::move(effect->response));
  }
  if (!changes.empty()) staging.Stage(std::move(changes), timestamp);
  Response response =
      request.is_transaction
          ? Response{.status = kAccepted, .parts = std::move(responses)}
          : std::move(responses.front());
  for (const EntityWrite& write : request.writes) {
    response.warnings.insert(response.warnings.end(), write.warnings.begin(),
                             write.warnings.end());
  }
  return response;
}

Result<Response> Write(const CreateTableRequest& request, DateTime now,
                       const EngineOptions& options, Staging& staging) {
  ENTITABLE_TRY(const auto taken, staging.FindTable(request.name.text()));
  if (taken) return Fail(ErrorCode::kTableAlreadyExists);
  ENTITABLE_TRY(const DateTime timestamp, staging.NextTimestamp(now));
  std::vector<Change> changes;
  changes.push_back(TableCreated{staging.next_table_id(), request.name.text()});
  staging.Stage(std::move(changes), timestamp);
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

Result<Response> Write(const DeleteTableRequest& request, DateTime now,
                       const EngineOptions& /*options*/, Staging& staging) {
  ENTITABLE_TRY(const auto table, staging.FindTable(request.table));
  if (!table) return Fail(ErrorCode::kResourceNotFound);
  ENTITABLE_TRY(const DateTime timestamp, staging.NextTimestamp(now));
  std::vector<Change> changes;
  changes.push_back(TableDropped{table->id, table->name});
  staging.Stage(std::move(changes), timestamp);
  return Response{.status = kNoContent};
}

// Settings of the account that are not named stay as they are.  Settings of a
// table replace all old ones.
Result<Response> Write(const SetSettingsRequest& request, DateTime now,
                       const EngineOptions& /*options*/, Staging& staging) {
  ENTITABLE_TRY(const DateTime timestamp, staging.NextTimestamp(now));
  std::vector<Change> changes;
  if (request.table) {
    ENTITABLE_TRY(const auto table, staging.FindTable(*request.table));
    if (!table) return Fail(ErrorCode::kTableNotFound);
    changes.push_back(SettingsChange(TableRowEntityKey(table->name).view(),
                                     MakeTableRow(*table).properties,
                                     request.settings, timestamp));
  } else {
    ENTITABLE_TRY(changes, AccountChange(request.settings, timestamp, staging));
  }
  staging.Stage(std::move(changes), timestamp);
  return Response{.status = request.table ? kNoContent : kAccepted};
}

}  // namespace

Result<std::vector<Change>> AccountChange(const PropertyList& given,
                                          DateTime timestamp,
                                          const Staging& staging) {
  ENTITABLE_TRY(const Entity* stored,
                staging.FindEntity(kCatalogue, kAccountKey,
                                   StoredRows::Part::kProperties));
  std::vector<Change> changes;
  changes.push_back(SettingsChange(
      kAccountKey, stored != nullptr ? stored->properties : PropertyList(),
      given, timestamp));
  return changes;
}

Result<Response> Execute(const WriteRequest& request, DateTime now,
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
  return Write(std::get<WriteEntitiesRequest>(request), now, options, staging);
}

}  // namespace entitable
