// groups_query.h - aggregates of the entities of a table, by groups.
//
// A scan gives the matching rows page by page.  The values are read column by
// column, and no entity is made.  Where all entities of a page match, its zone
// map may answer alone.
//
//   kScan         rows of pages, and entities of the memtable, are added
//   kSortGroups   the keys of the groups are sorted
//   kSortNumbers  quantiles and histograms sort the numbers of each group
//   kAnswer       a row for each group
//
//   keys_     the values of a group, as an order key  -->  its number
//   groups_   by number: the values to return, and an accumulator an aggregate
//   distinct_ number of the group, aggregate, value: what was counted already
//
// Memory grows with the groups, the distinct values and the numbers, and not
// with the rows.  Beyond a part of the cache the query fails, because no group
// can be left out.

#ifndef ENTITABLE_READ_GROUPS_GROUPS_QUERY_H_
#define ENTITABLE_READ_GROUPS_GROUPS_QUERY_H_

#include <bit>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "base/bits.h"
#include "base/key_table.h"
#include "model/column.h"
#include "query/page_evaluator.h"
#include "read/first_rows.h"
#include "read/groups/accumulator.h"
#include "read/groups/groups_request.h"
#include "read/ordered/order_key.h"
#include "read/query_support.h"
#include "read/table_query.h"
#include "wire/values_writer.h"

namespace entitable {

// The values that some rows have in a column.

// A column keeps the values of those rows that have one, one behind another,
// and a bit for each row.  So the index of a value is the number of bits before
// that of its row.  They are counted by words, once from the first row to the
// last.
class ColumnValues {
 public:
  // Finds the values of the rows, which ascend.
  void Find(const Column& column, std::span<const std::uint32_t> rows) {
    places_.clear();
    values_.clear();
    const char* const presence = column.presence.data;
    std::size_t word = 0;
    std::size_t before = 0;  // The values of rows before the word.
    for (std::size_t i = 0; i < rows.size(); ++i) {
      const std::size_t row = rows[i];
      std::size_t value = row;
      if (presence != nullptr) {
        for (; word < row / kWordBits; ++word) {
          before +=
              static_cast<std::size_t>(std::popcount(WordAt(presence, word)));
        }
        if (!BitAt(presence, row)) continue;
        const std::uint64_t left =
            WordAt(presence, word) & LowBits(row % kWordBits);
        value = before + static_cast<std::size_t>(std::popcount(left));
      }
      places_.push_back(static_cast<std::uint32_t>(i));
      values_.push_back(static_cast<std::uint32_t>(value));
    }
  }

  // For each of those rows that have a value: its place among the rows, and the
  // index of the value.
  std::span<const std::uint32_t> places() const { return places_; }
  std::span<const std::uint32_t> values() const { return values_; }

 private:
  std::vector<std::uint32_t> places_;
  std::vector<std::uint32_t> values_;
};

// ---------------------------------------------------------------- groups query

class GroupsQuery final : public TableQuery, private PageTaker {
 public:
  GroupsQuery(GroupsRequest&& request, PageCache& cache);

 private:
  enum class Phase : std::uint8_t { kScan, kSortGroups, kSortNumbers, kAnswer };

  // Accumulators of one group lie together, in the order of the aggregates.
  struct Group {
    PropertyList values;  // Of the properties that make the group.
    std::vector<Accumulator> aggregates;
  };

  const QueryEntitiesRequest& query() const override { return request_.query; }
  void Begin(const QueryContext& context, const Table& table) override;
  Poll<void> Search(const QueryContext& context) override;
  Poll<void> Read(const QueryContext& context);
  bool SortGroups(WorkBudget& work);
  bool SortNumbers(WorkBudget& work);
  void FindBounds();
  bool Accept(const PageEntry& page) override;
  void AddRows(const MatchedRows& rows, WorkBudget& work);
  void FindGroups(const MatchedRows& rows);
  const Column* ColumnOfGroups(std::span<const Column> columns) const;
  void AddKeys(const MatchedRows& rows, std::size_t aggregate);
  void AddColumns(std::size_t aggregate);
  Group& GroupOfRow(std::size_t i) {
    return groups_[groups_of_rows_.empty() ? 0 : groups_of_rows_[i]];
  }
  void AddEntity(std::string_view sort_key, const EntityView& entity);
  std::size_t FindGroup(std::string_view sort_key, const EntityPlace& place);
  Group& AddGroup();
  void Add(Group& group, std::size_t aggregate, const Value* value);
  bool IsNewValue(const Group& group, std::size_t aggregate,
                  const Value& value);
  Result<void> AppendResult(std::size_t aggregate, Group& group);
  Poll<Response> Answer(const QueryContext& context) override;

  GroupsRequest request_;
  bool has_key_groups_;  // A key makes groups.
  bool has_keys_;        // A key makes groups, or is aggregated.
  bool may_take_pages_;  // Zone maps may answer alone.
  PageEvaluator evaluator_{request_.query.feed.filter};
  Phase phase_ = Phase::kScan;

  OrderKeys group_keys_{request_.group_by};
  PageColumns columns_;      // By aggregate.
  std::uint64_t row_parts_;  // What a row costs, as a WorkBudget counts.
  std::string sort_key_;
  std::string group_key_;

  // Of a page: the rows that match, and the numbers of their groups, unless
  // there is only one group.
  std::vector<std::uint32_t> rows_;
  std::vector<std::uint32_t> groups_of_rows_;
  ColumnValues values_of_rows_;  // Of one column.

  KeyTable keys_;  // Of the groups.
  std::vector<Group> groups_;
  KeyTable distinct_;  // The values that were counted, with their groups.
  std::string distinct_value_;
  std::size_t bytes_ = 0;  // About how much memory all of this takes.

  std::size_t sorted_ = 0;  // How many accumulators have sorted their numbers.
  std::vector<std::vector<double>> bounds_;  // Of histograms, by aggregate.

  FirstRows order_;  // The keys of the groups.
  KeyTable names_;   // Of the values in the answer: g0, g1 and so on, a0, a1.
  std::optional<ValuesWriter> values_;
};

}  // namespace entitable

#endif  // ENTITABLE_READ_GROUPS_GROUPS_QUERY_H_
