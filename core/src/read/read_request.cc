#include "read/read_request.h"

#include <algorithm>
#include <memory>
#include <utility>

#include "base/number.h"
#include "base/utf.h"
#include "model/limits.h"
#include "model/names.h"
#include "query/parser.h"
#include "query/planner.h"
#include "request/key_scope.h"
#include "wire/continuation_token.h"

namespace entitable {
namespace {

constexpr std::string_view kBlanks = " \t";

std::string_view Trimmed(std::string_view text) {
  text.remove_prefix(std::min(text.find_first_not_of(kBlanks), text.size()));
  return text.substr(0, text.find_last_not_of(kBlanks) + 1);
}

}  // namespace

Result<Select> Select::Parse(std::string_view text) {
  Select select;
  text = Trimmed(text);
  if (text.empty() || text == "*") return select;

  const auto commas = std::count(text.begin(), text.end(), ',');
  if (static_cast<std::size_t>(commas) >= kMaxSelectedNames ||
      !IsValidUtf8(text)) {
    return Fail(ErrorCode::kInvalidInput);
  }
  std::size_t begin = 0;
  while (begin <= text.size()) {
    const std::size_t end = std::min(text.find(',', begin), text.size());
    const std::string_view name = Trimmed(text.substr(begin, end - begin));
    if (!CheckPropertyName(name)) return Fail(ErrorCode::kInvalidInput);
    select.names_.FindOrAdd(name);
    begin = end + 1;
  }
  return select;
}

// ---------------------------------------------------------------- read request

namespace {

using OptionalText = std::optional<std::string_view>;

Result<Projection> ReadProjection(OptionalText select) {
  ENTITABLE_TRY(Select parsed, Select::Parse(select.value_or("")));
  return Projection{std::move(parsed),
                    select.transform([](std::string_view text) {
                      return std::string(text);
                    })};
}

// Source: query of the spec, 3.7. The greatest value is also the default.
Result<std::size_t> ReadTop(OptionalText text) {
  if (!text) return kMaxPageResults;
  const auto top = ParseInt32(*text);
  const bool is_allowed = top && text->front() != '-' &&
                          static_cast<std::size_t>(*top) <= kMaxPageResults;
  if (!is_allowed) return Fail(ErrorCode::kInvalidInput);
  return static_cast<std::size_t>(*top);
}

// Where the page begins; nothing for the first page.
//
// Source: query of the spec, 3.8. A RowKey alone is no position.
Result<std::optional<EntityKey>> ReadContinuation(
    const QueryEntities& operation) {
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
//
// A continuation token is a key, and the ranges of the filter are those of the
// first page.  So the page goes on with what the ranges have from this key on.
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

Result<Feed> ReadFeed(const FeedOptions& options) {
  ENTITABLE_TRY(Filter filter,
                ParseFilter(options.filter.value_or(""), options.dialect));
  ENTITABLE_TRY(const std::size_t top, ReadTop(options.top));
  ENTITABLE_TRY(Projection projection, ReadProjection(options.select));
  return Feed{std::move(filter), top, std::move(projection)};
}

Result<QueryEntitiesRequest> ReadQuery(std::string_view table,
                                       const FeedOptions& options,
                                       QueryPurpose purpose) {
  ENTITABLE_TRY(Feed feed, ReadFeed(options));
  std::vector<KeyRange> ranges = PlanRanges(feed.filter);
  return QueryEntitiesRequest{.table = std::string(table),
                              .feed = std::move(feed),
                              .ranges = std::move(ranges),
                              .purpose = purpose};
}

}  // namespace

void LeaveOutRangeFilter(QueryEntitiesRequest& request) {
  if (IsRangeFilter(request.feed.filter)) {
    request.feed.filter = *ParseFilter({});
  }
}

Result<void> ReadGetEntity(const GetEntity& operation,
                           std::string_view base_url,
                           GetEntityRequest& request) {
  ENTITABLE_TRY(request.key, ReadUrlKey({operation.entity.partition_key,
                                         operation.entity.row_key}));
  if (!IsInScope(request.key.view(), operation.scope)) {
    return Fail(ErrorCode::kResourceNotFound);
  }
  if (operation.select) {
    ENTITABLE_TRY(request.projection, ReadProjection(operation.select));
  }
  if (operation.if_none_match) {
    ENTITABLE_TRY(request.unless,
                  EtagCondition::Parse(*operation.if_none_match));
  }
  request.table = operation.entity.table;
  request.form = {operation.form, std::string(base_url)};
  return {};
}

Result<QueryEntitiesRequest> ReadQuery(const QueryEntities& operation,
                                       std::string_view base_url) {
  ENTITABLE_TRY(
      QueryEntitiesRequest request,
      ReadQuery(operation.table, operation.options, QueryPurpose::kReturn));
  ENTITABLE_TRY(const auto first, ReadContinuation(operation));
  if (first) request.ranges = RangesFrom(std::move(request.ranges), *first);
  if (operation.scope) {
    request.ranges =
        Within(RangeOf(*operation.scope), std::move(request.ranges));
  }
  request.form = {operation.form, std::string(base_url)};
  return request;
}

// A report of types is on every entity, whatever the filter is.
Result<QueryEntitiesRequest> ReadQuery(const CountEntities& operation) {
  auto request = ReadQuery(
      operation.table,
      {.filter = operation.filter, .dialect = operation.dialect},
      operation.reports_types ? QueryPurpose::kTypes : QueryPurpose::kCount);
  if (request && operation.reports_types) {
    request->census = std::make_unique<TypeCensus>(request->feed.filter);
    request->feed.filter = *ParseFilter({});
  } else if (request) {
    LeaveOutRangeFilter(*request);
  }
  return request;
}

// The answer has only the keys of entities that do not match.
Result<QueryEntitiesRequest> ReadQuery(const AwaitChanges& operation) {
  auto request = ReadQuery(operation.table,
                           {.filter = operation.filter,
                            .select = "PartitionKey,RowKey",
                            .dialect = operation.dialect},
                           QueryPurpose::kAwait);
  if (request) {
    request->after = operation.position;
    request->at_once = operation.at_once;
  }
  return request;
}

Result<QueryTablesRequest> ReadQuery(const QueryTables& operation,
                                     std::string_view base_url) {
  ENTITABLE_TRY(Feed feed, ReadFeed(operation.options));
  QueryTablesRequest request{.feed = std::move(feed),
                             .form = {operation.form, std::string(base_url)}};
  if (operation.next_table_name) {
    ENTITABLE_TRY(const std::string name,
                  DecodeToken(*operation.next_table_name));
    request.first = FoldTableName(name);
  }
  return request;
}

}  // namespace entitable
