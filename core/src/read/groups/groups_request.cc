#include "read/groups/groups_request.h"

#include <algorithm>
#include <utility>

#include "model/schema_format.h"

namespace entitable {
namespace {

std::vector<std::size_t> SourcesOf(const std::vector<AggregateTerm>& terms) {
  std::vector<std::size_t> sources;
  sources.reserve(terms.size());
  for (const AggregateTerm& term : terms) {
    const auto first =
        std::ranges::find_if(terms, [&](const AggregateTerm& other) {
          return &other == &term ||
                 (other.needs_numbers() && term.needs_numbers() &&
                  other.name == term.name);
        });
    sources.push_back(static_cast<std::size_t>(first - terms.begin()));
  }
  return sources;
}

}  // namespace

bool GroupsRequest::MayTakePages() const {
  return group_by.empty() &&
         std::ranges::all_of(aggregates, [](const AggregateTerm& term) {
           const bool is_bound = term.kind == AggregateKind::kLeast ||
                                 term.kind == AggregateKind::kGreatest;
           return is_bound ? !IsKeyName(term.name) : term.name.empty();
         });
}

Result<GroupsRequest> ReadQuery(const QueryGroups& operation) {
  ENTITABLE_TRY(QueryEntitiesRequest query,
                ReadQuery(
                    QueryEntities{
                        .table = operation.table,
                        .options = {.filter = operation.filter,
                                    .dialect = operation.dialect},
                    },
                    {}));
  LeaveOutRangeFilter(query);
  ENTITABLE_TRY(std::vector<OrderTerm> group_by,
                ParseGroups(operation.group_by));
  ENTITABLE_TRY(std::vector<AggregateTerm> aggregates,
                ParseAggregates(operation.aggregates));
  std::vector<std::size_t> sources = SourcesOf(aggregates);
  return GroupsRequest{std::move(query), std::move(group_by),
                       std::move(aggregates), std::move(sources)};
}

}  // namespace entitable
