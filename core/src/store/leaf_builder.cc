#include "store/leaf_builder.h"

#include <algorithm>
#include <cassert>
#include <utility>

#include "base/bits.h"
#include "store/envelope.h"
#include "store/leaf_page.h"
#include "store/zone_map_writer.h"

namespace entitable {
namespace {

constexpr std::size_t kTimestampColumn = 0;

// The padding, and six counts of up to three bytes each.
constexpr std::size_t kMaxOtherBytes = 7 + 6 * 3;

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
      tried_.column_bytes +
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
