#include "engine/query.h"

#include <cstdint>
#include <optional>
#include <string_view>
#include <utility>
#include <variant>

#include "model/continuation_token.h"
#include "model/entity_writer.h"
#include "model/limits.h"
#include "query/evaluator.h"

namespace entitable {
namespace {

constexpr int kNotModified = 304;

PayloadContext ContextOf(MetadataLevel level, std::string_view table,
                         const Projection& projection,
                         const EngineOptions& options) {
  return {level,
          options.account,
          options.base_url,
          table,
          projection.raw,
          projection.select.is_all() ? nullptr : &projection.select.names()};
}

// -------------------------------------------------------------------- tables

// A row of the list of tables, as a filter sees it.
class TableRow final : public PropertySource {
 public:
  explicit TableRow(const Table& table) : table_(table) {}

  std::optional<Value> Find(std::string_view name) const override {
    if (name != "TableName") return std::nullopt;
    return Value::String(table_.name);
  }

 private:
  const Table& table_;
};

Result<Response> Evaluate(const GetTable& request, const EngineOptions& options,
                          const AccountState& state,
                          std::uint64_t& /*examined*/) {
  const Table* table = state.catalogue().Find(request.name);
  if (table == nullptr) return Fail(ErrorCode::kResourceNotFound);
  Response response;
  AppendTable({request.level, options.account, options.base_url, {}},
              table->name, response.body);
  return response;
}

Result<Response> Evaluate(const QueryTables& request,
                          const EngineOptions& options,
                          const AccountState& state,
                          std::uint64_t& /*examined*/) {
  const PayloadContext context =
      ContextOf(request.level, {}, request.projection, options);
  Response response;
  BeginTableFeed(context, response.body);
  const auto& tables = state.catalogue().tables();
  std::size_t count = 0;
  for (auto at = tables.lower_bound(request.first);
       at != tables.end() && request.top > 0; ++at) {
    const Table& table = at->second;
    if (!Matches(request.filter, TableRow(table))) continue;
    if (count++ == request.top) {
      response.next_table_name = EncodeToken(table.name);
      break;
    }
    AppendTableElement(context, table.name, response.body);
  }
  EndFeed(response.body);
  return response;
}

// ------------------------------------------------------------------ entities

Result<Response> Evaluate(const GetEntity& request,
                          const EngineOptions& options,
                          const AccountState& state, std::uint64_t& examined) {
  const Table* table = state.catalogue().Find(request.table);
  if (table == nullptr) return Fail(ErrorCode::kTableNotFound);
  ++examined;
  const Entity* entity = state.entities().Find(table->id, request.key.view());
  if (entity == nullptr) return Fail(ErrorCode::kResourceNotFound);
  Response response{.etag = FormatEtag(entity->timestamp)};
  if (request.unless && request.unless->Matches(entity->timestamp)) {
    response.status = kNotModified;
    return response;
  }
  AppendEntity(
      ContextOf(request.level, request.table, request.projection, options),
      request.key.view(), *entity, response.body);
  return response;
}

// The page of results that a query is filling.
class EntityPage {
 public:
  EntityPage(const QueryEntities& request, const EngineOptions& options)
      : request_(request),
        context_(ContextOf(request.level, request.table, request.projection,
                           options)) {
    BeginEntityFeed(context_, response_.body);
  }

  // False when the page was full: then the next one begins with this entity,
  // and the token is sent only now that a further match is known.
  bool Add(EntityKeyView key, const Entity& entity) {
    const bool is_full = count_ == request_.top ||
                         (count_ > 0 && response_.body.size() > kMaxPageBytes);
    if (is_full) {
      response_.next_partition_key = EncodeToken(key.partition_key);
      response_.next_row_key = EncodeToken(key.row_key);
      return false;
    }
    AppendEntityElement(context_, key, entity, response_.body);
    ++count_;
    return true;
  }

  Response Finish() && {
    EndFeed(response_.body);
    return std::move(response_);
  }

 private:
  const QueryEntities& request_;
  PayloadContext context_;
  Response response_;
  std::size_t count_ = 0;
};

// False when the page is full.
bool AddMatches(const QueryEntities& request, Memtable::Run run,
                EntityPage& page, std::uint64_t& examined) {
  for (auto at = run.begin; at != run.end; ++at) {
    ++examined;
    const EntityKeyView key = at->first.view();
    if (!Matches(request.filter, EntityRow(key, at->second))) continue;
    if (!page.Add(key, at->second)) return false;
  }
  return true;
}

Result<Response> Evaluate(const QueryEntities& request,
                          const EngineOptions& options,
                          const AccountState& state, std::uint64_t& examined) {
  const Table* table = state.catalogue().Find(request.table);
  if (table == nullptr) return Fail(ErrorCode::kTableNotFound);
  EntityPage page(request, options);
  // $top=0 asks for nothing, and the service then sends no token either.
  if (request.top > 0) {
    for (const KeyRange& range : request.ranges) {
      const auto run = state.entities().Range(table->id, range);
      if (!AddMatches(request, run, page, examined)) break;
    }
  }
  return std::move(page).Finish();
}

}  // namespace

Result<Response> Execute(const QueryRequest& request,
                         const EngineOptions& options,
                         const AccountState& state, std::uint64_t& examined) {
  return std::visit(
      [&](const auto& one) { return Evaluate(one, options, state, examined); },
      request);
}

}  // namespace entitable
