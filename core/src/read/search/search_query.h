// search_query.h - finds the entities whose text has the words of a search.

#ifndef ENTITABLE_READ_SEARCH_SEARCH_QUERY_H_
#define ENTITABLE_READ_SEARCH_SEARCH_QUERY_H_

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "model/entity.h"
#include "model/row_filter.h"
#include "query/page_evaluator.h"
#include "read/first_rows.h"
#include "read/query_support.h"
#include "read/search/search_matches.h"
#include "read/search/search_request.h"
#include "read/table_query.h"
#include "store/sort_key.h"
#include "store/table_row.h"
#include "wire/values_writer.h"

namespace entitable {

// It finds the rows with the words, ranks them, and reads the best ones.  The
// filter is evaluated for these alone, so it does not change the scores.
//
//   kFind    words and their counts, from an index of words or from all texts
//   kRank    the score of each row
//   kSort    the rows by their scores
//   kAnswer  the best rows are read, until the answer has enough
//
// The words are found in the entries of an index of words, if the table has
// one, else in the texts of all rows.  Both add the same counts, so the scores
// are the same.
//
// Without a filter, only as many rows as the answer can have are sorted.  If
// some of these have changed meanwhile, the search begins again, and this time
// ranks all.
class SearchQuery final : public TableQuery {
 public:
  SearchQuery(SearchRequest&& request, PageCache& cache);

 private:
  enum class Phase : std::uint8_t { kFind, kRank, kSort, kAnswer };

  const QueryEntitiesRequest& query() const override { return request_.query; }
  void Begin(const QueryContext& context, const Table& table) override;
  bool IsStale(const AccountState& state, const Table& table) override;
  Poll<void> Search(const QueryContext& context) override;
  Poll<void> ReadIndex(const QueryContext& context);
  Poll<void> ReadEntries(const QueryContext& context);
  Poll<void> ReadTexts(const QueryContext& context);
  Result<void> CheckMemory(const QueryContext& context) const;
  // Valid until the next call.
  std::optional<std::string_view> TextAt(const EntityPlace& place);
  void AddText(std::optional<std::string_view> text, WorkBudget& work);
  Poll<Response> Answer(const QueryContext& context) override;
  Poll<void> AddFirst(const QueryContext& context,
                      const PayloadContext& payload);
  bool Fits(const QueryContext& context, EntityKeyView key,
            const EntityPlace& place);
  std::string_view RowPart() const;
  std::string SortKeyOf(std::string_view rank) const;

  SearchRequest request_;
  EveryRow every_row_;
  PageEvaluator filter_{request_.query.feed.filter};
  std::string table_key_;   // Where the sort keys of the table begin.
  std::uint64_t head_ = 0;  // The log when the search began.
  Phase phase_ = Phase::kFind;

  // Of the index of words: its entries, term by term, and then the number of
  // rows.
  TableId index_ = kNoTable;  // If there is none.
  std::size_t at_term_ = 0;

  bool ranks_only_top_ = true;
  bool lacks_rows_ = false;  // More must be ranked than the top.

  PageColumns columns_{{request_.text.name}};
  // A text of several parts, and the entity that has them.
  std::string room_;
  Entity decoded_;
  std::uint64_t texts_ = 0;
  // A new one for each search: it cannot forget.
  std::optional<SearchMatches> matches_;
  FirstRows ranks_;
  SortKeyParser sort_keys_;
  std::optional<ValuesWriter> values_;
  Response response_;
  std::size_t count_ = 0;
};

}  // namespace entitable

#endif  // ENTITABLE_READ_SEARCH_SEARCH_QUERY_H_
