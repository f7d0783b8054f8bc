// ordered_query.h - the read of entities in an order of their properties.
//
// It scans the table, and keeps the order keys of the first rows.  Then it
// reads these rows.  The first page of an answer rarely takes all of them, and
// the next page continues with the rest, if nothing was written in between.
// Otherwise the next page scans again, behind the last order key.

#ifndef ENTITABLE_READ_ORDERED_ORDERED_QUERY_H_
#define ENTITABLE_READ_ORDERED_ORDERED_QUERY_H_

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "query/page_evaluator.h"
#include "read/first_rows.h"
#include "read/index/index_lookup.h"
#include "read/index/index_walk.h"
#include "read/ordered/order_key.h"
#include "read/query.h"
#include "store/scan.h"
#include "store/sort_key.h"
#include "wire/entity_writer.h"
#include "wire/values_writer.h"

namespace entitable {

class OrderedQuery final : public Query {
 public:
  OrderedQuery(OrderedRequest&& request, PageCache& cache);

  bool EndEarly() override;

 private:
  enum class Phase : std::uint8_t { kScan, kSort, kAnswer };

  void Interrupt() override;
  Result<Response> Evaluate(const QueryContext& context) override;
  void Begin(const QueryContext& context, const Table& table);
  void BeginScan(const QueryContext& context, const Table& table);
  void ResetFound(const QueryContext& context);
  std::size_t MostRows() const;
  std::optional<Failure> Walk(const QueryContext& context);
  bool IsBehindAll(const std::string& order_key) const;
  std::optional<Failure> Search(const QueryContext& context,
                                const Table& table);
  Scan::Step NextRow(const QueryContext& context);
  bool AddRow(WorkBudget& work);
  Result<Response> Return(const QueryContext& context);
  Result<void> AddFirst(const QueryContext& context,
                        const PayloadContext& payload);
  bool IsStill(const QueryContext& context, const std::string& order_key,
               EntityKeyView key, const EntityPlace& place);
  std::string SortKeyOf(std::string_view order_key) const;
  void AskForNext(const QueryContext& context);
  std::size_t answer_bytes() const {
    return response_.body.size() + values_->size();
  }
  Response Finish(const QueryContext& context, const PayloadContext& payload);

  OrderedRequest request_;
  PageEvaluator evaluator_{request_.query.feed.filter};
  OrderKeys keys_{request_.terms};
  ScanTally tally_;
  TableId table_ = kNoTable;  // Until it is known.
  Phase phase_ = Phase::kScan;
  bool ends_ = false;  // The page has ended early.

  // Where the search began, and what it has found.
  FoundRows found_;
  OrderFilter filter_{evaluator_, request_.terms, keys_, found_.after,
                      found_.rows};
  IndexLookup index_;
  // Instead of a scan, as long as it is there.
  std::unique_ptr<IndexWalk> walk_;
  std::optional<Scan> scan_;
  std::string order_key_;  // Of the current row.

  // The answer, and where the next page begins.
  OrderPlace place_;
  Response response_;
  std::optional<ValuesWriter> values_;  // In the format kValues.
  PageRowsWriter page_rows_;            // In the other formats.
  std::size_t count_ = 0;
  SortKeyParser sort_keys_;
};

}  // namespace entitable

#endif  // ENTITABLE_READ_ORDERED_ORDERED_QUERY_H_
