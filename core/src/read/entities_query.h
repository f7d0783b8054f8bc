// entities_query.h - the read of the entities of a table.
//
// Source: operations of the spec, section 2.7; query, 3.7, 3.8.  Counting and
// waiting for changes are not in the service.
//
// One class reads entities for four purposes, which share how rows are found:
//
//   kReturn  a page of a list: until $top, or its bytes, or its work
//   kCount   how many match: GoTo() counts, and reads as few pages as it can
//   kTypes   which types the properties have: all entities, whatever matches
//   kAwait   which entities have changed since a record: no scan at all
//
// The position of the next page is the key of the first row that is left.
// Where a page ends because of its work, the position may lie between two rows,
// so a page can be empty and still have a token.

#ifndef ENTITABLE_READ_ENTITIES_QUERY_H_
#define ENTITABLE_READ_ENTITIES_QUERY_H_

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "model/column_source.h"
#include "query/page_evaluator.h"
#include "read/query.h"
#include "read/read_request.h"
#include "read/table_query.h"
#include "store/sort_key.h"
#include "wire/entity_writer.h"
#include "wire/values_writer.h"

namespace entitable {

class EntitiesQuery final : public TableQuery {
 public:
  EntitiesQuery(QueryEntitiesRequest&& request, PageCache& cache);

  void SkipTo(std::uint64_t number) override;
  bool EndEarly() override;

 private:
  const QueryEntitiesRequest& query() const override { return request_; }
  void Begin(const QueryContext& context, const Table& table) override;
  bool IsStale(const AccountState& state, const Table& table) override;
  Poll<void> Search(const QueryContext& context) override;
  Poll<Response> Answer(const QueryContext& context) override;
  std::size_t MostRows() const;
  Poll<Response> Return(const QueryContext& context);
  Poll<bool> FindCovered(const QueryContext& context);
  Poll<void> AddCovered(const QueryContext& context,
                        const PayloadContext& payload);
  Poll<void> AddScanned(const QueryContext& context,
                        const PayloadContext& payload);
  NeededNames NamesNeeded() const;
  Poll<Response> Count(const QueryContext& context);
  Poll<Response> Types(const QueryContext& context);
  void AddTypes(const EntityPlace& place, WorkBudget& work);
  Response Plan(std::uint64_t count);
  void AppendIncluded(std::string& json) const;
  Poll<Response> Await(const QueryContext& context);
  Poll<bool> ReadChanges(const QueryContext& context);
  Poll<void> AddChange(const QueryContext& context,
                       const RecentChanges::Change& change);
  void AskForChanges(const QueryContext& context);
  void TakeWriter(const QueryContext& context);
  Result<bool> AddRows(const QueryContext& context,
                       const PayloadContext& payload);
  bool IsFull(std::size_t most_bytes);
  bool EndPage();
  void Add(const PayloadContext& payload, const EntityPlace& place);
  void BeginStep(const Table& table);
  void AddFound(EntityKeyView key, const EntityPlace& place);
  bool SetNextPage();
  std::size_t answer_bytes() const {
    return response_.body.size() + values_->size();
  }

  QueryEntitiesRequest request_;
  PageEvaluator evaluator_{request_.feed.filter};
  bool is_enforced_ = false;  // The table has a schema.
  bool is_replaced_ = false;  // It is another one than at the beginning.
  Response response_;
  // In the format kValues.  Null until it is needed; empty in other formats.
  std::unique_ptr<ValuesWriter> values_;
  PageRowsWriter page_rows_;  // In the other formats.
  std::size_t count_ = 0;
  bool is_weighed_ = false;        // kFind: the sizes of entities count.
  std::size_t step_bytes_ = 0;     // kFind: of the step so far.
  std::uint64_t spent_units_ = 0;  // For this page.
  std::string begin_;              // The first key of the range.
  SortKeyParser keys_;
  // If the index has all that is needed, instead of what the scan finds.
  std::vector<CoveredRow> covered_;
  std::size_t next_covered_ = 0;
  PageRow last_row_{};  // kTypes: of the entity before.

  // kAwait: the changes up to a record are read, the last ones first.
  //
  // Newer changes come first, because only the last state of a row is reported.
  // New commits during the reading go behind `head`; if they touch the table,
  // the reading begins again, or else `head` moves on.
  struct Awaited {
    std::uint64_t head;
    std::uint64_t place;  // Of the changes that are still unread.
  };
  std::optional<Awaited> awaited_;
  // After too many of them the reader is told to read the whole table.
  std::size_t interruptions_ = 0;  // By other changes.
};

}  // namespace entitable

#endif  // ENTITABLE_READ_ENTITIES_QUERY_H_
