// A row is added in two steps, because only its whole size tells whether it
// fits:
//
//   BeginRow      counts_ is copied to tried_, and the Timestamp is tried
//   TryProperty   each value is tried in its column, and tried_ grows by what
//                 it adds; a new pair of name and type becomes a column
//   AddTriedRow   Fits() adds up an upper bound of the page.  Within the limit,
//                 the columns take the values and tried_ becomes counts_.
//                 Beyond it, the row's new columns are forgotten, and nothing
//                 has changed.
//
// The bound is computed from counts alone.  It is exact for the columns, and
// rounds up for what costs little: the new key as if it shared no bytes with
// the one before, the padding, and the counts of the directory.  So no page
// passes its limit, while a page may end a few bytes early.  A first row always
// fits, because a row that is too long for any page still needs one.
//
// Rows of a table mostly have the same properties in the same order.  Therefore
// the column at this position of the last row is tried before the hash table,
// and the schema of the last row before the other schemas.

#include "store/leaf_builder.h"

#include <algorithm>
#include <cassert>
#include <optional>
#include <utility>

#include "base/bits.h"
#include "base/date_time.h"
#include "base/utf.h"
#include "model/row_filter.h"
#include "model/value_order.h"
#include "store/envelope.h"
#include "store/leaf_page.h"

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

// A property with two types has two columns and gets no zone, because a reader
// of the zone map must know the type of all values.  A zone that would pass the
// limit is left out, and shorter ones behind it may still fit.
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

// ---------------------------------------------------------------- leaf builder

namespace {

constexpr std::size_t kTimestampColumn = 0;

// The padding, and six counts of up to three bytes each.
constexpr std::size_t kMaxOtherBytes = 7 + 6 * 3;

// The directory has the Timestamp also where no row has one: its name with six
// members of a byte each.
constexpr std::size_t kEmptyColumnBytes = kTimestampName.size() + 6;

constexpr std::size_t BitmapBytes(std::size_t rows) {
  return sizeof(std::uint64_t) * WordCount(rows);
}

}  // namespace

LeafBuilder::LeafBuilder(std::size_t max_bytes) : max_bytes_(max_bytes) {
  Clear();
}

void LeafBuilder::Clear() {
  counts_ = {};
  keys_.Clear();
  schemas_.Clear();
  live_.clear();
  ForgetColumns(1);
  column_count_ = 0;
  NewColumn(kTimestampName, EdmType::kDateTime);
  last_schema_.clear();
}

bool LeafBuilder::Add(std::string_view sort_key, const EntityView& entity) {
  BeginRow(entity.timestamp);
  PropertyCursor cursor(entity.properties);
  while (const auto property = cursor.NextPacked()) {
    TryProperty(property->name, property->type, property->value);
  }
  return AddTriedRow(sort_key);
}

bool LeafBuilder::Add(std::string_view sort_key, const PageRow& row) {
  BeginRow(row.timestamp());
  const std::size_t count = row.schema.count;
  if (packed_values_.size() < count) packed_values_.resize(count);
  for (std::size_t i = 0; i < count; ++i) {
    const Column& from = row.property(i);
    const Value value = from.ValueAt(from.IndexOf(row.row));
    TryProperty(from.name, from.type, Pack(value, packed_values_[i]));
  }
  return AddTriedRow(sort_key);
}

bool LeafBuilder::AddTombstone(std::string_view sort_key) {
  schema_.clear();
  tried_ = counts_;
  ++tried_.rows;
  if (!Fits(sort_key, 0)) return false;
  SetBit(counts_.rows, false, live_);
  schemas_.AddTombstone();
  AddKey(sort_key);
  ++summary_.tombstone_count;
  return true;
}

void LeafBuilder::BeginRow(DateTime timestamp) {
  known_columns_ = column_count_;
  greatest_tried_ = 0;
  schema_.clear();
  timestamp_ = timestamp;
  tried_ = counts_;
  ++tried_.rows;
  ++tried_.live;
  tried_.partial_columns = 0;
  TryValue(kTimestampColumn, {reinterpret_cast<const char*>(&timestamp_.ticks),
                              sizeof timestamp_.ticks});
}

void LeafBuilder::TryProperty(std::string_view name, EdmType type,
                              std::string_view packed) {
  const std::size_t column = ColumnOf(name, type);
  // In a damaged store, a row may have a property twice.
  if (IsTried(column)) return;
  greatest_tried_ = std::max<std::uint64_t>(greatest_tried_, column);
  schema_.push_back(column);
  TryValue(column, packed);
  if (columns_[column].tried_values() < tried_.live) ++tried_.partial_columns;
}

// Usually the columns of a row ascend.
bool LeafBuilder::IsTried(std::uint64_t column) const {
  return column <= greatest_tried_ &&
         std::ranges::find(schema_, column) != schema_.end();
}

bool LeafBuilder::AddTriedRow(std::string_view sort_key) {
  // All other columns have no value in this row.
  tried_.partial_columns += column_count_ - 1 - schema_.size();
  const std::size_t schema = schemas_.Find(schema_);
  if (!Fits(sort_key, schema)) {
    ForgetColumns(known_columns_);
    return false;
  }
  const std::size_t row = counts_.rows;
  SetBit(row, true, live_);
  columns_[kTimestampColumn].Add(row);
  for (const std::uint64_t column : schema_) {
    columns_[static_cast<std::size_t>(column)].Add(row);
  }
  schemas_.Add(schema, schema_);
  std::swap(schema_, last_schema_);
  AddKey(sort_key);
  return true;
}

void LeafBuilder::TryValue(std::size_t column, std::string_view packed) {
  ColumnWriter& writer = columns_[column];
  writer.Try(packed);
  tried_.column_bytes += writer.tried_bytes() - writer.bytes();
}

std::size_t LeafBuilder::ColumnOf(std::string_view name, EdmType type) {
  const std::size_t place = schema_.size();
  // Usually the previous row has the same property at the same position.
  if (place < last_schema_.size()) {
    const auto column = static_cast<std::size_t>(last_schema_[place]);
    if (columns_[column].Is(name, type)) return column;
  }
  auto probe = column_index_.Begin(column_index_.HashOf(name));
  while (true) {
    const std::size_t column = column_index_.Next(probe) + 1;
    if (column == HashIndex::kNone + 1) break;
    if (columns_[column].Is(name, type)) return column;
  }
  column_index_.Add(column_index_.HashOf(name));
  NewColumn(name, type);
  return column_count_ - 1;
}

void LeafBuilder::NewColumn(std::string_view name, EdmType type) {
  if (column_count_ == columns_.size()) columns_.emplace_back();
  columns_[column_count_++].Reset(name, type);
}

void LeafBuilder::ForgetColumns(std::size_t from) {
  column_count_ = from;
  column_index_.Truncate(from - 1);
}

bool LeafBuilder::Fits(std::string_view sort_key, std::size_t schema) const {
  if (is_empty()) return true;
  const bool has_deleted = tried_.live < tried_.rows;
  const std::size_t bytes =
      kEnvelopeBytes + kMaxOtherBytes + keys_.BytesWith(sort_key) +
      schemas_.BytesWith(schema, schema_.size(), column_count_) +
      (tried_.live == 0 ? kEmptyColumnBytes : tried_.column_bytes) +
      (tried_.partial_columns + has_deleted) * BitmapBytes(tried_.rows);
  return bytes <= max_bytes_;
}

void LeafBuilder::AddKey(std::string_view sort_key) {
  keys_.Add(sort_key);
  if (is_empty()) summary_ = {.first_key = std::string(sort_key)};
  summary_.last_key = sort_key;
  counts_ = tried_;
  summary_.row_count = counts_.rows;
}

Bytes LeafBuilder::Finish() {
  assert(!is_empty());
  LeafLayout layout = Layout();
  SizeArrays(layout);
  Bytes page(kEnvelopeBytes, '\0');
  AppendDirectory(layout, page);
  const std::size_t end = page.size();
  page.resize(static_cast<std::size_t>(PlaceArrays(end, nullptr, layout)));
  PlaceArrays(end, page.data(), layout);
  Write(layout);
  summary_.zone_map = ZoneMapOf(layout.columns);
  assert(counts_.rows == 1 || page.size() <= max_bytes_);
  Clear();
  SealInPlace(kLeafKind, page);
  return page;
}

LeafLayout LeafBuilder::Layout() const {
  LeafLayout layout;
  layout.rows = counts_.rows;
  layout.live = counts_.live;
  layout.keys.count = static_cast<std::uint32_t>(keys_.entries().size());
  schemas_.FillIn(layout);
  for (std::size_t i = 0; i < column_count_; ++i) {
    layout.columns.push_back(columns_[i].Describe());
  }
  return layout;
}

void LeafBuilder::Write(const LeafLayout& layout) const {
  PutAll(live_, layout.live_rows);
  schemas_.Write(layout);
  PutAll(keys_.restarts(), layout.restarts);
  PutBytes(keys_.entries(), layout.keys);
  for (std::size_t i = 0; i < column_count_; ++i) {
    columns_[i].Write(layout.columns[i]);
  }
}

}  // namespace entitable
