#include "read/query.h"

#include <algorithm>
#include <optional>
#include <span>
#include <string_view>
#include <utility>
#include <variant>

#include "base/http_status.h"
#include "base/visit.h"
#include "model/settings.h"
#include "query/page_evaluator.h"
#include "query/parser.h"
#include "read/entities_query.h"
#include "read/groups/groups_query.h"
#include "read/ordered/ordered_query.h"
#include "read/query_support.h"
#include "read/read_request.h"
#include "read/search/search_query.h"
#include "store/lookup.h"
#include "store/range_set.h"
#include "store/scan.h"
#include "store/sort_key.h"
#include "store/table_row.h"
#include "wire/continuation_token.h"
#include "wire/entity_writer.h"
#include "wire/values_writer.h"

namespace entitable {
namespace {

// A writer that has written more is not kept, because its memory is as long.
constexpr std::size_t kMaxKeptBytes = 65'536;

// -------------------------------------------------------------------- tables

class GetTableQuery final : public Query {
 public:
  GetTableQuery(GetTableRequest&& request, PageCache& cache)
      : Query(cache), request_(std::move(request)) {}

 private:
  Poll<Response> Evaluate(const QueryContext& context) override {
    ENTITABLE_TRY(const Table* table,
                  FindTable(request_.table, ErrorCode::kResourceNotFound,
                            context, window()));
    Response response;
    AppendTable(request_.form.ContextFor(context.options), table->name,
                response.body);
    return response;
  }

  GetTableRequest request_;
};

// A row of the catalogue, as a filter sees it.
class TableNameSource final : public PropertySource {
 public:
  explicit TableNameSource(const Table& table) : table_(table) {}

  std::size_t FindAll(const KeyTable& names,
                      std::span<std::optional<Value>> values) const override {
    const std::size_t i = names.Find("TableName");
    if (i != KeyTable::kNone) values[i] = Value::String(table_.name);
    return 1;
  }

 private:
  const Table& table_;
};

std::vector<SortRange> TablesFrom(std::string_view folded_name) {
  SortRange range = WholeTable(kCatalogue);
  range.begin = std::max(MakeSortKey(kCatalogue, {folded_name, {}}),
                         MakeSortKey(kCatalogue, kFirstTable));
  return {range};
}

// The filter of a list of tables applies to names, not to the contents of rows.
Filter EveryRow() { return *ParseFilter({}); }

// Tables are rows of the catalogue, so their list is a scan of it.  The filter
// is about names, and a row has other properties, so it is evaluated on each
// name by itself.  For an archive, the settings of a table follow its line.
class ListTablesQuery final : public Query {
 public:
  ListTablesQuery(QueryTablesRequest&& request, PageCache& cache)
      : Query(cache),
        request_(std::move(request)),
        rows_(TablesFrom(request_.first), evaluator_, tally_) {}

 private:
  void Interrupt() override { rows_.Interrupt(); }

  Poll<Response> Evaluate(const QueryContext& context) override {
    const PayloadContext payload =
        ContextOf(request_.form, {}, request_.feed.projection, context.options);
    if (response_.body.empty()) BeginTableFeed(payload, response_.body);
    const std::uint64_t begun_at = context.work.spent() - spent_units_;
    while (request_.feed.top > 0 && !response_.next_table_name) {
      const Scan::Step step = rows_.Next(context.state, window(), context.work);
      if (step == Scan::Step::kRow && !Add(payload, context.work)) {
        return DamagedRow();
      }
      spent_units_ = context.work.spent() - begun_at;
      if (step == Scan::Step::kWaiting) return Pending::kPages;
      if (step == Scan::Step::kEnd || response_.next_table_name) break;
      const bool is_long = spent_units_ >= context.options.work.page_units;
      if (is_long && SetNextPage()) break;
      if (context.work.is_spent()) return Pending::kSlice;
    }
    EndFeed(payload, response_.body);
    return std::move(response_);
  }

  // Adds the table of the row.  Returns false if the row is damaged.
  bool Add(const PayloadContext& payload, WorkBudget& work) {
    const Entity row = rows_.place().Decode();
    const auto table = ReadTableRow(row);
    if (!table) return false;
    if (!filter_.MatchRow(TableNameSource(*table), work)) return true;
    if (count_++ == request_.feed.top) {
      response_.next_table_name = EncodeToken(table->name);
      return true;
    }
    AppendTableElement(payload, table->name, response_.body);
    if (request_.form.format == WireFormat::kLines) {
      response_.body += PoliciesOf(row.properties.bytes());
      if (!table->schema.empty()) {
        AppendSchemaLine(table->schema, response_.body);
      }
    }
    return true;
  }

  // See EntitiesQuery.
  bool SetNextPage() {
    if (request_.form.format == WireFormat::kLines) return false;
    const auto next = KeyAt(rows_.Position());
    if (!next) return false;
    // The name is the PartitionKey.  KeyAt() explains what follows it.
    const std::string name = next->partition_key + next->row_key;
    if (name == request_.first) return false;
    response_.next_table_name = EncodeToken(name);
    return true;
  }

  QueryTablesRequest request_;
  PageEvaluator filter_{request_.feed.filter};
  Filter every_row_ = EveryRow();
  PageEvaluator evaluator_{every_row_};
  ScanTally tally_;
  Scan rows_;
  Response response_;
  std::size_t count_ = 0;
  std::uint64_t spent_units_ = 0;  // For this page.
};

// ------------------------------------------------------------------ settings

// Settings are properties of the catalogue row, of the account or of a table.
class GetSettingsQuery final : public Query {
 public:
  GetSettingsQuery(GetSettingsRequest&& request, PageCache& cache)
      : Query(cache), request_(std::move(request)) {}

 private:
  Poll<Response> Evaluate(const QueryContext& context) override {
    const bool is_account = !request_.table;
    EntityPlace row;
    const Presence presence =
        FindRow(context.state,
                is_account ? MakeSortKey(kCatalogue, kAccountKey)
                           : TableRowKey(*request_.table),
                window(), row);
    if (presence == Presence::kUnknown) return Pending::kPages;
    const bool is_there = presence == Presence::kThere;
    const PropertyList set =
        is_there ? row.Decode().properties : PropertyList();
    if (is_account) {
      return Response{.body = ServicePropertiesOf(
                          set, request_.format != WireFormat::kLines)};
    }
    if (!is_there) return Fail(ErrorCode::kTableNotFound);
    return Response{.body = std::string(request_.is_of_schema
                                            ? SchemaOf(set.bytes())
                                            : PoliciesOf(set.bytes()))};
  }

  GetSettingsRequest request_;
};

// -------------------------------------------------------------------- entity

// The most frequent read.  The request is read in its place, the sort key and
// the writer are reused from the read before, and as values, a row of a page is
// written without being decoded.
class GetEntityQuery final : public Query {
 public:
  explicit GetEntityQuery(PageCache& cache) : Query(cache) {}

  Result<void> Read(const GetEntity& operation, std::string_view base_url) {
    return ReadGetEntity(operation, base_url, request_);
  }

  std::vector<SortRange> Ranges() const override {
    return {OneRow(table_, request_.key.view())};
  }

 private:
  Poll<Response> Evaluate(const QueryContext& context) override {
    ENTITABLE_TRY(const Table* table,
                  FindTable(request_.table, ErrorCode::kTableNotFound, context,
                            window()));
    const EntityKeyView key = request_.key.view();
    std::string& sort_key = context.buffers.sort_key;
    sort_key.clear();
    AppendSortKey(table->id, key, sort_key);
    table_ = table->id;
    EntityPlace place;
    const Presence presence = FindRow(context.state, sort_key, window(), place);
    if (presence == Presence::kUnknown) return Pending::kPages;
    ++context.examined;
    if (presence == Presence::kNotThere) {
      return Fail(ErrorCode::kResourceNotFound);
    }
    const PayloadContext payload = ContextOf(
        request_.form, request_.table, request_.projection, context.options);
    Response response;
    const bool is_unchanged =
        request_.unless && request_.unless->Matches(place.timestamp());
    if (!is_unchanged && request_.form.format == WireFormat::kValues) {
      auto writer = context.buffers.TakeWriter();
      AddValues(payload, key, place, *writer);
      response.body = context.buffers.Finish(std::move(writer));
      return response;
    }
    response.etag = FormatEtag(place.timestamp());
    if (is_unchanged) {
      response.status = kNotModified;
    } else {
      AppendEntity(payload, key, place.Decode(), response.body);
    }
    return response;
  }

  GetEntityRequest request_;
  TableId table_ = kNoTable;
};

// -------------------------------------------------------------------- the
// query

using NewQuery = Result<std::unique_ptr<Query>>;

// Makes the query of each kind of read.
//
// Each request is checked here as far as that needs no stored data.
struct QueryMaker {
  std::string_view base_url;
  PageCache& cache;

  NewQuery operator()(const GetTable& get) const {
    return std::make_unique<GetTableQuery>(
        GetTableRequest{std::string(get.table),
                        {{get.level}, std::string(base_url)}},
        cache);
  }

  NewQuery operator()(const QueryTables& operation) const {
    ENTITABLE_TRY(QueryTablesRequest request, ReadQuery(operation, base_url));
    return std::make_unique<ListTablesQuery>(std::move(request), cache);
  }

  NewQuery operator()(const GetEntity& operation) const {
    auto query = std::make_unique<GetEntityQuery>(cache);
    ENTITABLE_TRY(query->Read(operation, base_url));
    return query;
  }

  NewQuery operator()(const QueryEntities& operation) const {
    auto request = ReadQuery(operation, base_url);
    if (request) LeaveOutRangeFilter(*request);
    return Make(std::move(request));
  }
  NewQuery operator()(const QueryOrdered& operation) const {
    ENTITABLE_TRY(OrderedRequest request, ReadQuery(operation, base_url));
    return std::make_unique<OrderedQuery>(std::move(request), cache);
  }
  NewQuery operator()(const SearchEntities& operation) const {
    ENTITABLE_TRY(SearchRequest request, ReadQuery(operation, base_url));
    return std::make_unique<SearchQuery>(std::move(request), cache);
  }
  NewQuery operator()(const QueryGroups& operation) const {
    ENTITABLE_TRY(GroupsRequest request, ReadQuery(operation));
    return std::make_unique<GroupsQuery>(std::move(request), cache);
  }
  NewQuery operator()(const CountEntities& operation) const {
    return Make(ReadQuery(operation));
  }
  NewQuery operator()(const AwaitChanges& operation) const {
    return Make(ReadQuery(operation));
  }

  NewQuery operator()(const GetPolicies& get) const {
    return std::make_unique<GetSettingsQuery>(
        GetSettingsRequest{.table = std::string(get.table)}, cache);
  }
  NewQuery operator()(const GetTableSchema& get) const {
    return std::make_unique<GetSettingsQuery>(
        GetSettingsRequest{.table = std::string(get.table),
                           .is_of_schema = true},
        cache);
  }
  NewQuery operator()(const GetServiceProperties& get) const {
    return std::make_unique<GetSettingsQuery>(
        GetSettingsRequest{.format = get.format}, cache);
  }

  NewQuery Make(Result<QueryEntitiesRequest> request) const {
    if (!request) return std::move(request).error();
    return std::make_unique<EntitiesQuery>(*std::move(request), cache);
  }
};

}  // namespace

std::unique_ptr<ValuesWriter> ReadBuffers::TakeWriter() {
  return writer_ ? std::move(writer_) : std::make_unique<ValuesWriter>();
}

// One long answer must not keep its memory for ever.
std::string ReadBuffers::Finish(std::unique_ptr<ValuesWriter> writer) {
  std::string values = writer->Finish();
  if (values.size() <= kMaxKeptBytes) writer_ = std::move(writer);
  return values;
}

// Only the window tells pages that are damaged from those that are missing.
Poll<Response> Query::Continue(const QueryContext& context) {
  followed_.reset();
  Poll<Response> answer = Evaluate(context);
  if (window_.damage()) return *window_.damage();
  if (window_.is_waiting()) return Pending::kPages;
  return answer;
}

// The wait may take long, so the read must not hold pages.
Pending Query::WaitForChange(TableId table) {
  followed_ = table;
  window_.ReleaseAll();
  return Pending::kChange;
}

void Query::LetGo() {
  window_.ReleaseAll();
  Interrupt();
}

Result<std::unique_ptr<Query>> MakeQuery(const ReadOperation& operation,
                                         std::string_view base_url,
                                         PageCache& cache) {
  return Visit(QueryMaker{base_url, cache}, operation);
}

Result<std::unique_ptr<Query>> MakeSearchOfStep(const QueryEntities& operation,
                                                std::size_t change_bytes,
                                                PageCache& cache) {
  ENTITABLE_TRY(QueryEntitiesRequest request, ReadQuery(operation, {}));
  LeaveOutRangeFilter(request);
  request.purpose = QueryPurpose::kFind;
  request.change_bytes = change_bytes;
  // No feed has a head.
  request.form.format = WireFormat::kLines;
  return std::make_unique<EntitiesQuery>(std::move(request), cache);
}

}  // namespace entitable
