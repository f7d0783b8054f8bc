// An expression has no loop over columns, so rows are tested one after another,
// also those that another condition rules out, because the answers of a page
// are combined only afterwards.  Tombstones are tested, too; the evaluator
// clears their bits at the end.
//
// The properties of the expression are looked up among the columns once a call.
// Keys are no columns.  They are decoded in blocks, up to the next key that is
// stored in full, so a page is decoded once and not from its start for each
// row.

#include "query/expression_matcher.h"

#include <algorithm>
#include <utility>

#include "base/bits.h"
#include "model/parts.h"

namespace entitable {

ExpressionMatcher::PropertyPlace ExpressionMatcher::PlaceOf(
    std::size_t property, std::string_view name, const ColumnSource& page) {
  PropertyPlace place{property};
  if (name == "PartitionKey") place.key = KeyPart::kPartitionKey;
  if (name == "RowKey") place.key = KeyPart::kRowKey;
  for (const Column& column : page.columns()) {
    if (column.name == name) place.columns.push_back(&column);
  }
  return place;
}

// Rows are asked for in ascending order.
std::optional<Value> ExpressionMatcher::ValueAt(PropertyPlace& place,
                                                std::size_t row,
                                                const ColumnSource& page,
                                                WorkBudget& work) {
  if (place.key) {
    if (row >= place.first_row + place.keys.size()) {
      page.ReadKeys(*place.key, row, place.keys, work);
      place.first_row = row;
    }
    return Value::String(place.keys[row - place.first_row]);
  }
  for (const Column* const column : place.columns) {
    if (column->Has(row)) return column->ValueAt(column->IndexOf(row));
  }
  return std::nullopt;
}

bool ExpressionMatcher::Match(Expression condition, const KeyTable& names,
                              const ColumnSource& page,
                              std::span<std::uint64_t> rows, WorkBudget& work) {
  std::vector<PropertyPlace> places;
  const auto add = [&](std::size_t property) {
    const auto known =
        std::ranges::find(places, property, &PropertyPlace::property);
    if (known != places.end()) return;
    PropertyPlace place = PlaceOf(property, names[property], page);
    if (place.key || !place.columns.empty()) places.push_back(std::move(place));
  };
  for (const ExpressionNode& node : condition) {
    const bool is_whole = node.kind == ExpressionKind::kWhole;
    if (!is_whole && node.kind != ExpressionKind::kProperty) continue;
    const std::size_t further = is_whole ? kMaxFurtherParts : 0;
    for (std::size_t i = 0; i <= further; ++i) {
      add(i == 0 ? node.property : node.further + i - 1);
    }
  }
  values_.assign(names.size(), std::nullopt);
  while (next_row_ < page.row_count()) {
    const std::size_t row = next_row_++;
    for (PropertyPlace& place : places) {
      values_[place.property] = ValueAt(place, row, page, work);
    }
    work.SpendParts(kPartsPerUnit + places.size() * kPartsPerProperty);
    const std::uint64_t truth = machine_.IsTrue(condition, values_, work);
    rows[row / kWordBits] |= truth << row % kWordBits;
    if (work.is_spent() && next_row_ < page.row_count()) return false;
  }
  Restart();
  return true;
}

}  // namespace entitable
