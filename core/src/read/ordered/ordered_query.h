// ordered_query.h - the read of entities in an order of their properties.
//
// It scans the table, and keeps the order keys of the first rows.  Then it
// reads these rows.  The first page of an answer rarely takes all of them, and
// the next page continues with the rest, if nothing was written in between.
// Otherwise the next page scans again, behind the last order key.
//
//   kScan    rows come in the order of keys or of an index, and FirstRows keeps
//            the first ones
//   kSort    the kept rows are sorted, a slice at a time
//   kAnswer  they are read in their order, as many as the page may have
//
// Only order keys are kept, not entities: they are shorter, and what was
// written since the scan is found when a row is read.  Such a row is returned
// only if it still matches and has the same place.  Otherwise an entity could
// come twice, or at a place that the order contradicts.
//
// Rows that were found and not returned stay with the scheduler, those of one
// query at a time.  The next page takes them if its request is for the same
// entities behind the same row, and if nothing was written since; so a list of
// many pages scans once.

#ifndef ENTITABLE_READ_ORDERED_ORDERED_QUERY_H_
#define ENTITABLE_READ_ORDERED_ORDERED_QUERY_H_

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "query/page_evaluator.h"
#include "read/first_rows.h"
#include "read/index/index_walk.h"
#include "read/ordered/order_key.h"
#include "read/table_query.h"
#include "store/sort_key.h"
#include "wire/entity_writer.h"
#include "wire/values_writer.h"

namespace entitable {

class OrderedQuery final : public TableQuery {
 public:
  OrderedQuery(OrderedRequest&& request, PageCache& cache);

  bool EndEarly() override;

 private:
  enum class Phase : std::uint8_t { kScan, kSort, kAnswer };

  void Interrupt() override;
  const QueryEntitiesRequest& query() const override { return request_.query; }
  void Begin(const QueryContext& context, const Table& table) override;
  void BeginScan(const QueryContext& context, const Table& table);
  void ResetFound(const QueryContext& context);
  std::size_t MostRows() const;
  Poll<void> Search(const QueryContext& context) override;
  Poll<void> Walk(const QueryContext& context);
  bool IsBehindAll(const std::string& order_key) const;
  Scan::Step NextRow(const QueryContext& context);
  bool AddRow(WorkBudget& work);
  void EndScan();
  Poll<Response> Answer(const QueryContext& context) override;
  Poll<void> AddFirst(const QueryContext& context,
                      const PayloadContext& payload);
  const CoveredRow* FindCovered(const QueryContext& context,
                                const std::string& sort_key) const;
  bool IsStill(const QueryContext& context, std::string_view order_key,
               EntityKeyView key, const EntityPlace& place);
  std::string SortKeyOf(TableId table, std::string_view order_key) const;
  std::size_t answer_bytes() const {
    return response_.body.size() + values_->size();
  }
  Response Finish(const QueryContext& context, const PayloadContext& payload);

  OrderedRequest request_;
  PageEvaluator evaluator_{request_.query.feed.filter};
  OrderKeys keys_{request_.terms};
  Phase phase_ = Phase::kScan;

  // Where the search began, and what it has found.
  OrderedRest found_;
  OrderFilter filter_{evaluator_, request_.terms, keys_, found_.after,
                      found_.rows};
  // Instead of a scan, as long as it is there.
  std::unique_ptr<IndexWalk> walk_;
  // What a covering index has of the rows that were found, in the order of
  // their keys.  Valid until something is written.
  std::vector<CoveredRow> covered_;
  std::string order_key_;  // Of the current row.

  // The answer, and where the next page begins.
  OrderPosition position_;
  Response response_;
  std::optional<ValuesWriter> values_;  // In the format kValues.
  PageRowsWriter page_rows_;            // In the other formats.
  std::size_t count_ = 0;
  SortKeyParser sort_keys_;
};

}  // namespace entitable

#endif  // ENTITABLE_READ_ORDERED_ORDERED_QUERY_H_
