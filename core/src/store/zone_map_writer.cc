#include "store/zone_map_writer.h"

#include <algorithm>
#include <optional>
#include <utility>

#include "base/date_time.h"
#include "base/utf.h"
#include "model/value_order.h"
#include "model/zone_map.h"

namespace entitable {
namespace {

// For the other types, minimum and maximum say little.
bool HasOrder(EdmType type) {
  return type != EdmType::kBinary && type != EdmType::kGuid;
}

bool HasOneType(const Column& column, std::span<const Column> columns) {
  return std::ranges::count(columns, column.name, &Column::name) == 1;
}

// Nothing if a value is NaN, which has no order.
std::optional<ZoneBounds> BoundsOf(const Column& column) {
  const bool has_words = column.form == ColumnForm::kDictionary;
  const std::size_t count = has_words ? column.entry_count : column.value_count;
  std::optional<ZoneBounds> bounds;
  for (std::size_t i = 0; i < count; ++i) {
    const Value value = has_words ? column.EntryAt(i) : column.ValueAt(i);
    if (!bounds) bounds = {value, value};
    const auto to_least = OrderOfOneType(value, bounds->least);
    if (to_least == std::partial_ordering::unordered) return std::nullopt;
    if (to_least < 0) bounds->least = value;
    if (OrderOfOneType(value, bounds->greatest) > 0) bounds->greatest = value;
  }
  return bounds;
}

Value BeginningOf(const Value& value) {
  if (value.type() != EdmType::kString) return value;
  const std::string_view text = value.string();
  std::size_t end = std::min(text.size(), kZoneMapTextBytes);
  while (end < text.size() && IsContinuation(text[end])) ++end;
  return Value::String(text.substr(0, end));
}

// Rows of the catalogue have no timestamp.
bool IsTime(const Value& value) {
  return value.type() != EdmType::kDateTime ||
         value.date_time() >= kMinDateTime;
}

}  // namespace

PropertyList ZoneMapOf(std::span<const Column> columns) {
  PropertyList zone_map;
  for (const Column& column : columns) {
    if (zone_map.count() == 2 * kMaxZoneMapColumns) break;
    if (!HasOrder(column.type) || !HasOneType(column, columns)) continue;
    const auto bounds = BoundsOf(column);
    if (!bounds || !IsTime(bounds->least)) continue;
    PropertyList more = zone_map;
    more.Append(column.name, BeginningOf(bounds->least));
    more.Append({}, BeginningOf(bounds->greatest));
    if (more.bytes().size() > kMaxZoneMapBytes) continue;
    zone_map = std::move(more);
  }
  return zone_map;
}

}  // namespace entitable
