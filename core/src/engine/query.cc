#include "engine/query.h"

#include <optional>
#include <string_view>
#include <utility>
#include <variant>

#include "model/continuation_token.h"
#include "model/entity_writer.h"
#include "model/limits.h"
#include "query/evaluator.h"
#include "store/lookup.h"
#include "store/scan.h"
#include "store/sort_key.h"
#include "store/table_row.h"

namespace entitable {
namespace {

constexpr int kNotModified = 304;

// What stands in for an answer that pages lack for.
std::unexpected<Error> Lacking() {
  return Fail(ErrorCode::kStorageUnavailable);
}

std::unexpected<Error> DamagedRow() {
  return Fail(ErrorCode::kStorageDamaged,
              "A row of the store does not follow its grammar.");
}

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

// Fails with `missing` when there is none.
Result<Table> FindTable(std::string_view name, ErrorCode missing,
                        const AccountState& state, PageWindow& window) {
  Entity row;
  switch (FindRow(state, TableRowKey(name), window, row)) {
    case Presence::kUnknown:
      return Lacking();
    case Presence::kNotThere:
      return Fail(missing);
    case Presence::kThere:
      break;
  }
  auto table = ReadTableRow(row);
  if (!table) return DamagedRow();
  return *std::move(table);
}

// -------------------------------------------------------------------- tables

class GetTableQuery final : public Query {
 public:
  GetTableQuery(GetTable request, PageCache& cache)
      : Query(cache), request_(std::move(request)) {}

 private:
  Result<Response> Evaluate(const QueryContext& context) override {
    ENTITABLE_TRY(const Table table,
                  FindTable(request_.name, ErrorCode::kResourceNotFound,
                            context.state, window()));
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

SortRange TablesFrom(std::string_view folded_name) {
  SortRange range = WholeTable(kCatalogue);
  range.begin = MakeSortKey(kCatalogue, {folded_name, {}});
  return range;
}

class ListTablesQuery final : public Query {
 public:
  ListTablesQuery(QueryTables request, PageCache& cache)
      : Query(cache),
        request_(std::move(request)),
        rows_(TablesFrom(request_.first)) {}

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
    EndFeed(response_.body);
    return std::move(response_);
  }

  QueryTables request_;
  Scan rows_;
  Response response_;
  std::size_t count_ = 0;
};

// ------------------------------------------------------------------ entities

class GetEntityQuery final : public Query {
 public:
  GetEntityQuery(GetEntity request, PageCache& cache)
      : Query(cache), request_(std::move(request)) {}

 private:
  Result<Response> Evaluate(const QueryContext& context) override {
    ENTITABLE_TRY(const Table table,
                  FindTable(request_.table, ErrorCode::kTableNotFound,
                            context.state, window()));
    const EntityKeyView key = request_.key.view();
    Entity entity;
    const Presence presence =
        FindRow(context.state, MakeSortKey(table.id, key), window(), entity);
    if (presence == Presence::kUnknown) return Lacking();
    ++context.examined;
    if (presence == Presence::kNotThere) {
      return Fail(ErrorCode::kResourceNotFound);
    }
    Response response{.etag = FormatEtag(entity.timestamp)};
    if (request_.unless && request_.unless->Matches(entity.timestamp)) {
      response.status = kNotModified;
      return response;
    }
    AppendEntity(ContextOf(request_.level, request_.table, request_.projection,
                           context.options),
                 key, entity, response.body);
    return response;
  }

  GetEntity request_;
};

class QueryEntitiesQuery final : public Query {
 public:
  QueryEntitiesQuery(QueryEntities request, PageCache& cache)
      : Query(cache), request_(std::move(request)) {}

 private:
  Result<Response> Evaluate(const QueryContext& context) override {
    // It may have been dropped while pages were fetched, and made anew: then
    // what was found is gone.
    ENTITABLE_TRY(const Table table,
                  FindTable(request_.table, ErrorCode::kTableNotFound,
                            context.state, window()));
    if (table.id != table_) BeginOn(table.id);
    const PayloadContext payload = ContextOf(
        request_.level, request_.table, request_.projection, context.options);
    if (response_.body.empty()) BeginEntityFeed(payload, response_.body);
    // $top=0 asks for nothing, and the service then sends no token either.
    if (request_.top > 0) ENTITABLE_TRY(AddMatches(context, payload));
    EndFeed(response_.body);
    return std::move(response_);
  }

  void BeginOn(TableId table) {
    table_ = table;
    next_range_ = 0;
    rows_.reset();
    response_ = {};
    count_ = 0;
  }

  // Until the page is full, or nothing is left.
  Result<void> AddMatches(const QueryContext& context,
                          const PayloadContext& payload) {
    for (; next_range_ < request_.ranges.size(); ++next_range_) {
      if (!rows_) {
        rows_.emplace(MakeSortRange(table_, request_.ranges[next_range_]));
      }
      Scan::Step step{};
      while ((step = rows_->Next(context.state, window())) ==
             Scan::Step::kRow) {
        ++context.examined;
        const auto place = ParseSortKey(rows_->key());
        if (!place) return DamagedRow();
        if (!Add(place->key.view(), rows_->entity(), payload)) return {};
      }
      if (step == Scan::Step::kWaiting) return Lacking();
      rows_.reset();
    }
    return {};
  }

  // False when the page was full: then the next one begins with this entity,
  // and the token is sent only now that a further match is known.
  bool Add(EntityKeyView key, const Entity& entity,
           const PayloadContext& payload) {
    if (!Matches(request_.filter, EntityRow(key, entity))) return true;
    const bool is_full = count_ == request_.top ||
                         (count_ > 0 && response_.body.size() > kMaxPageBytes);
    if (is_full) {
      response_.next_partition_key = EncodeToken(key.partition_key);
      response_.next_row_key = EncodeToken(key.row_key);
      return false;
    }
    AppendEntityElement(payload, key, entity, response_.body);
    ++count_;
    return true;
  }

  QueryEntities request_;
  TableId table_ = kCatalogue;  // None yet.
  std::size_t next_range_ = 0;
  std::optional<Scan> rows_;  // Of that range.
  Response response_;
  std::size_t count_ = 0;
};

struct QueryMaker {
  PageCache& cache;

  std::unique_ptr<Query> operator()(GetTable&& request) const {
    return std::make_unique<GetTableQuery>(std::move(request), cache);
  }
  std::unique_ptr<Query> operator()(QueryTables&& request) const {
    return std::make_unique<ListTablesQuery>(std::move(request), cache);
  }
  std::unique_ptr<Query> operator()(GetEntity&& request) const {
    return std::make_unique<GetEntityQuery>(std::move(request), cache);
  }
  std::unique_ptr<Query> operator()(QueryEntities&& request) const {
    return std::make_unique<QueryEntitiesQuery>(std::move(request), cache);
  }
};

}  // namespace

std::optional<Result<Response>> Query::Continue(const QueryContext& context) {
  Result<Response> answer = Evaluate(context);
  if (window_.damage()) return std::unexpected(*window_.damage());
  if (window_.is_waiting()) return std::nullopt;
  return answer;
}

std::unique_ptr<Query> MakeQuery(QueryRequest request, PageCache& cache) {
  return std::visit(QueryMaker{cache}, std::move(request));
}

}  // namespace entitable
