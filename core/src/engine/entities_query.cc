#include "engine/entities_query.h"

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/json_writer.h"
#include "engine/query_support.h"
#include "model/continuation_token.h"
#include "model/limits.h"
#include "query/planner.h"
#include "store/sort_key.h"

namespace entitable {

EntitiesQuery::EntitiesQuery(QueryEntities&& request, PageCache& cache)
    : Query(cache), request_(std::move(request)) {}

Result<Response> EntitiesQuery::Evaluate(const QueryContext& context) {
  // It may have been dropped while pages were fetched, and made anew: then what
  // was found is gone.
  ENTITABLE_TRY(
      const Table table,
      FindTable(request_.table, ErrorCode::kTableNotFound, context, window()));
  if (table.id != table_) BeginOn(table.id);
  const std::uint64_t examined = tally_.entities_examined;
  auto response = request_.only_counts ? Count(context) : Return(context);
  context.examined += tally_.entities_examined - examined;
  return response;
}

void EntitiesQuery::BeginOn(TableId table) {
  table_ = table;
  tally_ = {};
  response_ = {};
  values_ = {};
  count_ = 0;
  std::vector<SortRange> ranges;
  for (const KeyRange& range : request_.ranges) {
    ranges.push_back(MakeSortRange(table, range));
  }
  rows_.emplace(std::move(ranges), evaluator_, tally_);
}

Result<Response> EntitiesQuery::Return(const QueryContext& context) {
  const PayloadContext payload = ContextOf(
      request_.level, request_.table, request_.projection, context.options);
  const bool is_json = request_.level != MetadataLevel::kValues;
  if (is_json && response_.body.empty()) {
    BeginEntityFeed(payload, response_.body);
  }
  // $top=0 asks for nothing, and the service then sends no token either.
  while (request_.top > 0) {
    const Scan::Step step = rows_->Next(context.state, window());
    if (step == Scan::Step::kWaiting) return Lacking();
    if (step == Scan::Step::kEnd) break;
    const auto place = ParseSortKey(rows_->key());
    if (!place) return DamagedRow();
    if (!Add(place->key.view(), rows_->entity(), payload)) break;
  }
  if (is_json) {
    EndFeed(payload, response_.body);
  } else {
    response_.body = values_.Finish();
  }
  return std::move(response_);
}

// False when the page was full: then the next one begins with this entity, and
// the token is sent only now that a further match is known.
bool EntitiesQuery::Add(EntityKeyView key, const Entity& entity,
                        const PayloadContext& payload) {
  const bool is_full =
      count_ == request_.top ||
      (count_ > 0 && response_.body.size() + values_.size() > kMaxPageBytes);
  if (is_full) {
    response_.next_partition_key = EncodeToken(key.partition_key);
    response_.next_row_key = EncodeToken(key.row_key);
    return false;
  }
  if (request_.level == MetadataLevel::kValues) {
    values_.Add(payload, key, entity);
  } else {
    AppendEntityElement(payload, key, entity, response_.body);
  }
  ++count_;
  return true;
}

Result<Response> EntitiesQuery::Count(const QueryContext& context) {
  if (rows_->Count(context.state, window()) == Scan::Step::kWaiting) {
    return Lacking();
  }
  const struct {
    std::string_view name;
    std::uint64_t number;
  } numbers[] = {{"count", rows_->count()},
                 {"ranges", request_.ranges.size()},
                 {"pagesRead", tally_.pages_read},
                 {"pagesSkipped", tally_.pages_skipped},
                 {"entitiesExamined", tally_.entities_examined}};
  std::string json = "{";
  for (const auto& [name, number] : numbers) {
    AppendJsonString(name, json);
    json += ':';
    AppendDecimal(static_cast<std::int64_t>(number), json);
    json += ',';
  }
  json += R"("access":)";
  AppendJsonString(AccessPathName(ClassifyAccess(request_.ranges)), json);
  json += '}';
  response_.body = std::move(json);
  return std::move(response_);
}

}  // namespace entitable
