#include "store/leaf_builder.h"

#include <algorithm>
#include <cassert>

#include "base/bits.h"
#include "store/array_writer.h"
#include "store/envelope.h"
#include "store/leaf_page.h"

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
  summary_ = {};
  counts_ = {};
  keys_.Clear();
  shapes_.Clear();
  live_.clear();
  ForgetColumns(0);
  NewColumn(kTimestampName, EdmType::kDateTime);
  last_shape_.clear();
}

bool LeafBuilder::Add(std::string_view sort_key, const Entity& entity) {
  const std::size_t known_columns = column_count_;
  const Counts counts = Try(entity);
  const ShapeWriter::Candidate shape = shapes_.Try(shape_);
  if (!Fits(sort_key, counts, shape)) {
    ForgetColumns(known_columns);
    return false;
  }
  const std::size_t row = counts_.rows;
  columns_[kTimestampColumn].Add(candidates_.front(), row);
  for (std::size_t i = 0; i < shape_.size(); ++i) {
    columns_[shape_[i]].Add(candidates_[i + 1], row);
  }
  shapes_.Add(shape, shape_);
  std::swap(shape_, last_shape_);
  AddKey(sort_key, counts);
  live_.back() |= std::uint64_t{1} << row % kWordBits;
  return true;
}

bool LeafBuilder::AddDeleted(std::string_view sort_key) {
  Counts counts = counts_;
  ++counts.rows;
  if (!Fits(sort_key, counts, {})) return false;
  shapes_.AddDeleted();
  AddKey(sort_key, counts);
  ++summary_.deleted_count;
  return true;
}

// What the page would count with one more entity; its values become
// candidates.
LeafBuilder::Counts LeafBuilder::Try(const Entity& entity) {
  Counts counts = counts_;
  ++counts.rows;
  ++counts.live;
  candidates_.clear();
  shape_.clear();
  TryValue(kTimestampColumn, Value::OfDateTime(entity.timestamp), counts);
  for (PropertyCursor cursor(entity.properties);
       auto property = cursor.Next();) {
    const std::size_t column = ColumnOf(*property);
    shape_.push_back(static_cast<std::uint16_t>(column));
    TryValue(column, property->value, counts);
  }
  const auto lacks_none = [&](const ColumnWriter::Candidate& candidate) {
    return candidate.totals.values == counts.live;
  };
  counts.partial_columns =
      column_count_ - static_cast<std::size_t>(std::count_if(
                          candidates_.begin(), candidates_.end(), lacks_none));
  return counts;
}

void LeafBuilder::TryValue(std::size_t column, const Value& value,
                           Counts& counts) {
  const ColumnWriter& writer = columns_[column];
  writer.Try(candidates_.emplace_back(value));
  counts.column_bytes += candidates_.back().bytes - writer.bytes();
}

std::size_t LeafBuilder::ColumnOf(const Property& property) {
  const EdmType type = property.value.type();
  const std::size_t place = shape_.size();
  // Mostly the row before had the same property at the same place.
  if (place < last_shape_.size() &&
      columns_[last_shape_[place]].Is(property.name, type)) {
    return last_shape_[place];
  }
  auto probe = column_index_.Begin(HashOf(property.name));
  while (true) {
    const std::size_t number = column_index_.Next(probe);
    if (number == HashIndex::kNone) break;
    if (columns_[number + 1].Is(property.name, type)) return number + 1;
  }
  column_index_.Add(HashOf(property.name));
  return NewColumn(property.name, type);
}

std::size_t LeafBuilder::NewColumn(std::string_view name, EdmType type) {
  if (column_count_ < columns_.size()) {
    columns_[column_count_].Reset(name, type);
  } else {
    columns_.emplace_back(name, type);
  }
  return column_count_++;
}

void LeafBuilder::ForgetColumns(std::size_t from) {
  column_count_ = from;
  column_index_.Truncate(std::max(from, std::size_t{1}) - 1);
}

bool LeafBuilder::Fits(std::string_view sort_key, const Counts& counts,
                       const ShapeWriter::Candidate& shape) const {
  if (is_empty()) return true;
  const bool has_deleted = counts.live < counts.rows;
  const std::size_t bytes =
      kEnvelopeBytes + kMaxOtherBytes + keys_.BytesWith(sort_key) +
      shapes_.BytesWith(shape, column_count_) + counts.column_bytes +
      (counts.partial_columns + has_deleted) * BitmapBytes(counts.rows);
  return bytes <= max_bytes_;
}

void LeafBuilder::AddKey(std::string_view sort_key, const Counts& counts) {
  keys_.Add(sort_key);
  if (is_empty()) summary_.first_key = sort_key;
  summary_.last_key = sort_key;
  counts_ = counts;
  summary_.row_count = counts.rows;
  live_.resize(WordCount(counts.rows));
}

Bytes LeafBuilder::Finish() {
  assert(!is_empty());
  LeafLayout layout = Layout();
  Bytes page(kEnvelopeBytes, '\0');
  AppendDirectory(layout, page);
  const std::uint64_t size = PlaceArrays(page.size() - kEnvelopeBytes, layout);
  page.resize(static_cast<std::size_t>(size));
  Write(layout, page.data());
  assert(counts_.rows == 1 || page.size() <= max_bytes_);
  Clear();
  return Seal(kLeafKind, BytesView(page).substr(kEnvelopeBytes));
}

LeafLayout LeafBuilder::Layout() const {
  LeafLayout layout;
  layout.rows = counts_.rows;
  layout.live = counts_.live;
  layout.key_bytes = keys_.entries().size();
  shapes_.FillIn(layout);
  layout.columns.reserve(column_count_);
  for (std::size_t i = 0; i < column_count_; ++i) {
    layout.columns.push_back(columns_[i].Layout());
  }
  return layout;
}

void LeafBuilder::Write(const LeafLayout& layout, char* page) const {
  PutAll(live_, 0, layout.live_array, page);
  shapes_.Write(layout, page);
  PutAll(keys_.restarts(), layout.restarts_array, page);
  const std::string& entries = keys_.entries();
  std::copy(entries.begin(), entries.end(), page + layout.keys_array.at);
  for (std::size_t i = 0; i < column_count_; ++i) {
    columns_[i].Write(layout.columns[i], page);
  }
}

}  // namespace entitable
