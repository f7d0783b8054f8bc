#include "engine/query.h"

#include <optional>
#include <string_view>
#include <utility>
#include <variant>

#include "engine/entities_query.h"
#include "engine/query_support.h"
#include "model/continuation_token.h"
#include "model/entity_writer.h"
#include "model/values_writer.h"
#include "query/evaluator.h"
#include "query/page_evaluator.h"
#include "query/parser.h"
#include "store/lookup.h"
#include "store/scan.h"
#include "store/sort_key.h"
#include "store/table_row.h"

namespace entitable {
namespace {

constexpr int kNotModified = 304;

// -------------------------------------------------------------------- tables

class GetTableQuery final : public Query {
 public:
  GetTableQuery(GetTable&& request, PageCache& cache)
      : Query(cache), request_(std::move(request)) {}

 private:
  Result<Response> Evaluate(const QueryContext& context) override {
    ENTITABLE_TRY(const Table table,
                  FindTable(request_.name, ErrorCode::kResourceNotFound,
                            context, window()));
    Response response;
    AppendTable(
        {request_.level, context.options.account, context.options.base_url, {}},
        table.name, response.body);
    return response;
  }

  GetTable request_;
};

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

std::vector<SortRange> TablesFrom(std::string_view folded_name) {
  SortRange range = WholeTable(kCatalogue);
  range.begin = MakeSortKey(kCatalogue, {folded_name, {}});
  return {range};
}

// The filter of a list of tables is about names, not about what stands in rows.
Filter EveryRow() { return *ParseFilter({}); }

class ListTablesQuery final : public Query {
 public:
  ListTablesQuery(QueryTables&& request, PageCache& cache)
      : Query(cache),
        request_(std::move(request)),
        rows_(TablesFrom(request_.first), evaluator_, tally_) {}

 private:
  Result<Response> Evaluate(const QueryContext& context) override {
    const PayloadContext payload =
        ContextOf(request_.level, {}, request_.projection, context.options);
    if (response_.body.empty()) BeginTableFeed(payload, response_.body);
    while (request_.top > 0) {
      const Scan::Step step = rows_.Next(context.state, window());
      if (step == Scan::Step::kWaiting) return Lacking();
      if (step == Scan::Step::kEnd) break;
      const auto table = ReadTableRow(rows_.entity());
      if (!table) return DamagedRow();
      if (!Matches(request_.filter, TableRow(*table))) continue;
      if (count_++ == request_.top) {
        response_.next_table_name = EncodeToken(table->name);
        break;
      }
      AppendTableElement(payload, table->name, response_.body);
    }
    EndFeed(payload, response_.body);
    return std::move(response_);
  }

  QueryTables request_;
  Filter every_row_ = EveryRow();
  PageEvaluator evaluator_{every_row_};
  ScanTally tally_;
  Scan rows_;
  Response response_;
  std::size_t count_ = 0;
};

// -------------------------------------------------------------------- entity

class GetEntityQuery final : public Query {
 public:
  GetEntityQuery(GetEntity&& request, PageCache& cache)
      : Query(cache), request_(std::move(request)) {}

 private:
  Result<Response> Evaluate(const QueryContext& context) override {
    ENTITABLE_TRY(const Table table,
                  FindTable(request_.table, ErrorCode::kTableNotFound, context,
                            window()));
    const EntityKeyView key = request_.key.view();
    Entity entity;
    const Presence presence =
        FindRow(context.state, MakeSortKey(table.id, key), window(), entity);
    if (presence == Presence::kUnknown) return Lacking();
    ++context.examined;
    if (presence == Presence::kNotThere) {
      return Fail(ErrorCode::kResourceNotFound);
    }
    const PayloadContext payload = ContextOf(
        request_.level, request_.table, request_.projection, context.options);
    Response response;
    const bool is_unchanged =
        request_.unless && request_.unless->Matches(entity.timestamp);
    if (!is_unchanged && request_.level == MetadataLevel::kValues) {
      ValuesWriter values;
      values.Add(payload, key, entity);
      response.body = values.Finish();
      return response;
    }
    response.etag = FormatEtag(entity.timestamp);
    if (is_unchanged) {
      response.status = kNotModified;
    } else {
      AppendEntity(payload, key, entity, response.body);
    }
    return response;
  }

  GetEntity request_;
};

}  // namespace

std::optional<Result<Response>> Query::Continue(const QueryContext& context) {
  Result<Response> answer = Evaluate(context);
  if (window_.damage()) return *window_.damage();
  if (window_.is_waiting()) return std::nullopt;
  return answer;
}

std::unique_ptr<Query> MakeQuery(Request& request, PageCache& cache) {
  if (auto* get = std::get_if<GetTable>(&request)) {
    return std::make_unique<GetTableQuery>(std::move(*get), cache);
  }
  if (auto* list = std::get_if<QueryTables>(&request)) {
    return std::make_unique<ListTablesQuery>(std::move(*list), cache);
  }
  if (auto* get = std::get_if<GetEntity>(&request)) {
    return std::make_unique<GetEntityQuery>(std::move(*get), cache);
  }
  if (auto* query = std::get_if<QueryEntities>(&request)) {
    return std::make_unique<EntitiesQuery>(std::move(*query), cache);
  }
  return nullptr;
}

}  // namespace entitable
