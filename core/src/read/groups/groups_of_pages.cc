// What a query of groups takes from pages, read or not.
//
// Rows are added column by column, because each column then has one type and
// its values lie side by side.  The order of the steps is: which rows match,
// which group each of them has, and then one aggregate after another.

#include <algorithm>
#include <array>
#include <optional>
#include <string_view>

#include "model/row_filter.h"
#include "model/schema_format.h"
#include "read/groups/groups_query.h"

namespace entitable {

// Takes a page that was not read.  Bounds of texts are not values, since zone
// maps cut them, and a property that is not in the zone map may have any.  In
// that case the page is read.
bool GroupsQuery::Accept(const PageEntry& page) {
  const auto& aggregates = request_.aggregates;
  std::vector<std::optional<Value>> bounds(aggregates.size());
  ForEachZoneBounds(
      page.zone_map, [&](std::string_view name, const auto& bounds_of) {
        const ZoneBounds both = bounds_of();
        for (std::size_t i = 0; i < aggregates.size(); ++i) {
          if (aggregates[i].name != name) continue;
          const bool is_least = aggregates[i].kind == AggregateKind::kLeast;
          bounds[i] = is_least ? both.least : both.greatest;
        }
      });
  for (std::size_t i = 0; i < aggregates.size(); ++i) {
    const bool is_count = aggregates[i].name.empty();
    const bool is_known =
        is_count || (bounds[i] && bounds[i]->type() != EdmType::kString);
    if (!is_known) return false;
  }
  for (std::size_t i = 0; i < aggregates.size(); ++i) {
    if (bounds[i]) {
      Add(groups_.front(), i, &*bounds[i]);
    } else {
      groups_.front().aggregates[i].AddCount(page.totals.rows -
                                             page.totals.deleted);
    }
  }
  return true;
}

void GroupsQuery::AddRows(const MatchedRows& rows, WorkBudget& work) {
  columns_.Use(rows.page, rows.leaf->columns());
  rows_.clear();
  for (std::size_t row = rows.Next(rows.begin); row < rows.end;
       row = rows.Next(row + 1)) {
    rows_.push_back(static_cast<std::uint32_t>(row));
  }
  if (rows_.empty()) return;
  if (!request_.group_by.empty()) FindGroups(rows);
  for (std::size_t i = 0; i < request_.aggregates.size(); ++i) {
    const std::string& name = request_.aggregates[i].name;
    if (request_.sources[i] != i) continue;
    if (IsKeyName(name)) {
      AddKeys(rows, i);
    } else if (!name.empty()) {
      AddColumns(i);
    } else if (groups_of_rows_.empty()) {
      groups_.front().aggregates[i].AddCount(rows_.size());
    } else {
      for (const std::uint32_t group : groups_of_rows_) {
        groups_[group].aggregates[i].AddCount(1);
      }
    }
  }
  work.SpendParts(row_parts_ * rows_.size());
}

// Few values make a group in many rows.  So the groups of small numbers are
// looked up once a page.
void GroupsQuery::FindGroups(const MatchedRows& rows) {
  constexpr std::uint32_t kUnknown = UINT32_MAX;
  std::array<std::uint32_t, 256> known;
  known.fill(kUnknown);
  const Column* const column = ColumnOfGroups(rows.leaf->columns());
  groups_of_rows_.assign(rows_.size(), kUnknown);
  std::span<const std::uint32_t> places;
  if (column != nullptr) {
    values_of_rows_.Find(*column, rows_);
    places = values_of_rows_.places();
  }
  std::size_t next = 0;  // Among the rows with a value.
  for (std::size_t i = 0; i < rows_.size(); ++i) {
    std::uint32_t& group = groups_of_rows_[i];
    std::uint32_t* group_of_value = nullptr;
    if (next < places.size() && places[next] == i) {
      const std::uint32_t value = values_of_rows_.values()[next++];
      group_of_value =
          &known[static_cast<std::uint8_t>(column->numbers[value])];
      group = *group_of_value;
    }
    if (group != kUnknown) continue;
    if (has_key_groups_) rows.leaf->KeyOf(rows_[i], sort_key_);
    group = static_cast<std::uint32_t>(FindGroup(
        sort_key_, {.leaf = rows.leaf, .page = rows.page, .row = rows_[i]}));
    if (group_of_value != nullptr) *group_of_value = group;
  }
}

// The only column that makes the groups, if its numbers are bytes.
const Column* GroupsQuery::ColumnOfGroups(
    std::span<const Column> columns) const {
  if (request_.group_by.size() != 1) return nullptr;
  const Column* found = nullptr;
  for (const Column& column : columns) {
    if (column.name != request_.group_by.front().name) continue;
    const bool has_bytes =
        column.form == ColumnForm::kDictionary ||
        (column.form == ColumnForm::kIntegers && column.numbers.width <= 1);
    if (found != nullptr || !has_bytes) return nullptr;
    found = &column;
  }
  return found;
}

// A property has a column for each of its types, so several may belong to one
// aggregate.  Distinct values are looked up one by one, since a table of all
// groups has them.
void GroupsQuery::AddColumns(std::size_t aggregate) {
  const bool has_one_group =
      groups_of_rows_.empty() &&
      request_.aggregates[aggregate].kind != AggregateKind::kDistinct;
  for (const Column* column : columns_.Of(aggregate)) {
    values_of_rows_.Find(*column, rows_);
    const auto values = values_of_rows_.values();
    if (has_one_group) {
      Accumulator& result = groups_.front().aggregates[aggregate];
      const std::size_t bytes = result.bytes();
      result.AddValues(*column, values);
      bytes_ += result.bytes() - bytes;
      continue;
    }
    for (std::size_t i = 0; i < values.size(); ++i) {
      const Value value = column->ValueAt(values[i]);
      Add(GroupOfRow(values_of_rows_.places()[i]), aggregate, &value);
    }
  }
}

}  // namespace entitable
