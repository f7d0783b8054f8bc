// search_query.h - finds the entities whose text has the words of a search.

#ifndef ENTITABLE_READ_SEARCH_SEARCH_QUERY_H_
#define ENTITABLE_READ_SEARCH_SEARCH_QUERY_H_

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "model/row_filter.h"
#include "model/value.h"
#include "query/page_evaluator.h"
#include "read/first_rows.h"
#include "read/index/index_entries.h"
#include "read/query.h"
#include "read/query_support.h"
#include "read/search/search_matches.h"
#include "read/search/search_request.h"
#include "store/scan.h"
#include "store/sort_key.h"
#include "store/table_row.h"
#include "wire/values_writer.h"

namespace entitable {

// It finds the rows with the words, ranks them, and reads the best ones.  The
// filter is evaluated for these alone, so it does not change the scores.
//
// The words are found in the entries of an index of words, if the table has
// one, else in the texts of all rows.
class SearchQuery final : public Query {
 public:
  SearchQuery(SearchRequest&& request, PageCache& cache);

 private:
  enum class Phase : std::uint8_t { kFind, kRank, kSort, kAnswer };

  void Interrupt() override;
  Result<Response> Evaluate(const QueryContext& context) override;
  void Begin(const QueryContext& context, const Table& table);
  Result<void> Search(const QueryContext& context);
  Result<void> ReadIndex(const QueryContext& context);
  Result<void> ReadEntries(const QueryContext& context);
  Result<void> CountRows(const QueryContext& context);
  Result<void> ReadTexts(const QueryContext& context);
  Result<void> CheckMemory(const QueryContext& context) const;
  std::optional<Value> TextAt(const EntityPlace& place);
  void AddText(const std::optional<Value>& value, WorkBudget& work);
  Result<Response> Answer(const QueryContext& context, const Table& table);
  Result<void> AddFirst(const QueryContext& context,
                        const PayloadContext& payload);
  bool Fits(const QueryContext& context, EntityKeyView key,
            const EntityPlace& place);
  void AskForNext(const QueryContext& context);
  std::string_view RowPart() const;
  std::string SortKeyOf(std::string_view rank) const;

  SearchRequest request_;
  EveryRow every_row_;
  PageEvaluator filter_{request_.query.feed.filter};
  ScanTally tally_;
  TableId table_ = kNoTable;  // Until it is known.
  std::string table_key_;     // Where the sort keys of the table begin.
  std::uint64_t head_ = 0;    // The log when the search began.
  Phase phase_ = Phase::kFind;
  std::optional<Scan> scan_;

  // Of the index of words: its entries, term by term, and then the number of
  // rows.
  TableId index_ = kNoTable;  // If there is none.
  IndexReading reading_;
  std::size_t at_term_ = 0;

  bool ranks_only_top_ = true;

  PageColumns columns_{{request_.property}};
  std::uint64_t texts_ = 0;
  std::optional<SearchMatches> matches_;
  FirstRows ranks_;
  SortKeyParser sort_keys_;
  std::optional<ValuesWriter> values_;
  Response response_;
  std::size_t count_ = 0;
};

}  // namespace entitable

#endif  // ENTITABLE_READ_SEARCH_SEARCH_QUERY_H_
