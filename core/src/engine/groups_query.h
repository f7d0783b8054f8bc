// groups_query.h - aggregates of the entities of a table, by groups.
//
// A scan gives the matching rows page by page.  The values are read from the
// columns, and no entity is made.

#ifndef ENTITABLE_ENGINE_GROUPS_QUERY_H_
#define ENTITABLE_ENGINE_GROUPS_QUERY_H_

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/key_table.h"
#include "engine/accumulator.h"
#include "engine/first_rows.h"
#include "engine/order_key.h"
#include "engine/page_columns.h"
#include "engine/query.h"
#include "engine/read_request.h"
#include "query/aggregate.h"
#include "query/order.h"
#include "query/page_evaluator.h"
#include "store/scan.h"
#include "wire/values_writer.h"

namespace entitable {

struct GroupsRequest {
  QueryEntitiesRequest query;
  std::vector<OrderTerm> group_by;
  std::vector<AggregateTerm> aggregates;
};

// Fails with InvalidInput, and as ReadQuery() for a query.
Result<GroupsRequest> ReadQuery(const QueryGroups& operation);

class GroupsQuery final : public Query {
 public:
  GroupsQuery(GroupsRequest&& request, PageCache& cache);

 private:
  enum class Phase : std::uint8_t { kScan, kSort, kAnswer };

  struct Group {
    PropertyList values;  // Of the properties that make the group.
    std::vector<Accumulator> aggregates;
  };

  void Interrupt() override;
  Result<Response> Evaluate(const QueryContext& context) override;
  void Begin(TableId table);
  Result<void> Search(const QueryContext& context);
  void AddRows(const MatchedRows& rows, WorkBudget& work);
  void AddEntity(std::string_view sort_key, const EntityView& entity);
  Group& GroupOf(std::string_view sort_key, const EntityPlace& place);
  Group& AddGroup();
  void Add(Accumulator& aggregate, const Value* value);
  Result<Response> Answer(const QueryContext& context);

  GroupsRequest request_;
  bool has_keys_;  // A key makes groups, or is aggregated.
  PageEvaluator evaluator_{request_.query.feed.filter};
  ScanTally tally_;
  TableId table_ = kCatalogue;  // kCatalogue: not known yet.
  Phase phase_ = Phase::kScan;
  std::optional<Scan> scan_;

  OrderKeys group_keys_{request_.group_by};
  PageColumns columns_;  // By aggregate.
  std::string sort_key_;
  std::string group_key_;

  KeyTable keys_;  // Of the groups.
  std::vector<Group> groups_;
  std::size_t bytes_ = 0;  // About how much memory the groups take.

  FirstRows order_;  // The keys of the groups.
  KeyTable names_;   // Of the values in the answer: g0, g1 and so on, a0, a1.
  std::optional<ValuesWriter> values_;
};

}  // namespace entitable

#endif  // ENTITABLE_ENGINE_GROUPS_QUERY_H_
