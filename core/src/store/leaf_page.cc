#include "store/leaf_page.h"

#include <cassert>
#include <span>

#include "base/bits.h"
#include "base/hash_index.h"
#include "store/column_check.h"
#include "store/envelope.h"
#include "store/sort_key.h"

namespace entitable {
namespace {

std::unexpected<Error> Damaged() {
  return Fail(ErrorCode::kStorageDamaged,
              "A leaf page does not follow its grammar.");
}

// And none of them is there twice.
bool AreColumnsSound(std::span<const Column> columns,
                     std::span<const ColumnLayout> layouts,
                     std::size_t row_count) {
  HashIndex index;
  for (std::size_t i = 0; i < columns.size(); ++i) {
    const Column& column = columns[i];
    if (!IsSoundColumn(column, layouts[i], row_count)) return false;
    auto probe = index.Begin(HashOf(column.name));
    for (std::size_t k; (k = index.Next(probe)) != HashIndex::kNone;) {
      if (columns[k].name == column.name && columns[k].type == column.type) {
        return false;
      }
    }
    index.Add(probe.hash);
  }
  return true;
}

// A timestamp for each live row, and nothing else.
bool IsTimestamp(const ColumnLayout& column, std::uint64_t live) {
  return column.name == kTimestampName && column.type == EdmType::kDateTime &&
         column.values == live;
}

}  // namespace

Result<LeafPage> LeafPage::Decode(Bytes value) {
  ENTITABLE_TRY(Unseal(kLeafKind, value));
  if (value.size() <= sizeof(Bytes)) return Damaged();
  LeafPage page(std::move(value));
  const BytesView body = BytesView(page.value_).substr(kEnvelopeBytes);
  Decoder directory(body);
  LeafLayout layout = TakeDirectory(directory);
  const std::size_t directory_bytes = body.size() - directory.rest().size();
  if (directory.failed() || layout.rows == 0 || layout.columns.empty() ||
      !IsTimestamp(layout.columns.front(), layout.live) ||
      PlaceArrays(directory_bytes, layout) != page.value_.size()) {
    return Damaged();
  }
  page.Attach(layout);
  if (!page.IsSound(layout)) return Damaged();
  return page;
}

PackedArray LeafPage::ArrayAt(const StoredArray& array) const {
  return {value_.data() + array.at, array.width};
}

void LeafPage::Attach(const LeafLayout& layout) {
  row_count_ = static_cast<std::size_t>(layout.rows);
  live_count_ = static_cast<std::size_t>(layout.live);
  if (layout.live < layout.rows) live_ = ArrayAt(layout.live_array).data;
  keys_ = KeyBlock({ArrayAt(layout.keys_array).data,
                    static_cast<std::size_t>(layout.key_bytes)},
                   ArrayAt(layout.restarts_array), row_count_);
  shape_numbers_ = ArrayAt(layout.shape_numbers_array);
  shape_starts_ = ArrayAt(layout.shape_starts_array);
  shape_columns_ = ArrayAt(layout.shape_columns_array);
  columns_.reserve(layout.columns.size());
  for (const ColumnLayout& column : layout.columns) {
    columns_.push_back(AttachColumn(column));
  }
}

Column LeafPage::AttachColumn(const ColumnLayout& layout) const {
  Column column;
  column.name = layout.name;
  column.type = layout.type;
  column.form = layout.form;
  // One that no live row lacks has no bits of its own.
  column.presence = layout.presence_array.width != 0
                        ? ArrayAt(layout.presence_array).data
                        : live_;
  column.value_count = static_cast<std::size_t>(layout.values);
  column.base = layout.base;
  column.numbers = ArrayAt(layout.numbers_array);
  column.starts = ArrayAt(layout.starts_array);
  column.entry_count = static_cast<std::size_t>(layout.entries);
  column.bytes = ArrayAt(layout.bytes_array).data;
  return column;
}

bool LeafPage::IsSound(const LeafLayout& layout) const {
  return (live_ == nullptr || HasBits(live_, row_count_, live_count_)) &&
         keys_.IsSound() &&
         AreColumnsSound(columns_, layout.columns, row_count_) &&
         AreShapesSound(layout) && DoRowsHaveTheirShapes(layout.shapes);
}

// Each is a list of properties, none of them twice.
bool LeafPage::AreShapesSound(const LeafLayout& layout) const {
  const auto shapes = static_cast<std::size_t>(layout.shapes);
  if (!AreStarts(shape_starts_, shapes, layout.shape_columns)) return false;
  std::vector<std::size_t> met(columns_.size());  // By which, plus one.
  for (std::size_t shape = 0; shape < shapes; ++shape) {
    const auto [begin, end] = ShapeAt(shape);
    for (std::size_t i = begin; i < end; ++i) {
      const auto column = static_cast<std::size_t>(shape_columns_[i]);
      if (column == 0 || column >= met.size() || met[column] == shape + 1) {
        return false;
      }
      met[column] = shape + 1;
    }
  }
  return true;
}

// Each row has a value in every column of its shape; no other has a value.
bool LeafPage::DoRowsHaveTheirShapes(std::uint64_t shapes) const {
  std::size_t values = 0;
  for (std::size_t row = 0; row < row_count_; ++row) {
    if (is_deleted(row)) continue;
    if (shape_numbers_[row] >= shapes) return false;
    const auto [begin, end] = ShapeOf(row);
    for (std::size_t i = begin; i < end; ++i) {
      if (!ShapeColumn(i).Has(row)) return false;
    }
    values += end - begin;
  }
  for (const Column& column : std::span(columns_).subspan(1)) {
    values -= column.value_count;
  }
  return values == 0;
}

LeafPage::ShapeRange LeafPage::ShapeAt(std::size_t shape) const {
  return {static_cast<std::size_t>(shape_starts_[shape]),
          static_cast<std::size_t>(shape_starts_[shape + 1])};
}

const Column& LeafPage::ShapeColumn(std::size_t i) const {
  return columns_[static_cast<std::size_t>(shape_columns_[i])];
}

std::size_t LeafPage::memory_bytes() const {
  return sizeof *this + value_.capacity() +
         columns_.capacity() * sizeof(Column);
}

std::optional<std::size_t> LeafPage::FindRow(std::string_view sort_key) const {
  const std::size_t row = LowerBound(sort_key);
  if (row == row_count_) return std::nullopt;
  std::string found;
  KeyOf(row, found);
  if (found != sort_key) return std::nullopt;
  return row;
}

DateTime LeafPage::TimestampOf(std::size_t row) const {
  assert(!is_deleted(row));
  const Column& column = columns_.front();
  return column.ValueAt(column.IndexOf(row)).date_time();
}

PropertyList LeafPage::PropertiesOf(std::size_t row) const {
  assert(!is_deleted(row));
  PropertyList properties;
  const auto [begin, end] = ShapeOf(row);
  // A guess: as long as any, and names of a word each.
  properties.Reserve(value_.size() / live_count_ + 8 * (end - begin));
  for (std::size_t i = begin; i < end; ++i) {
    const Column& column = ShapeColumn(i);
    properties.Append(column.name, column.ValueAt(column.IndexOf(row)));
  }
  return properties;
}

Entity LeafPage::EntityOf(std::size_t row) const {
  return {TimestampOf(row), PropertiesOf(row)};
}

void LeafPage::CompareKeys(KeyPart part, std::string_view text,
                           std::span<std::uint64_t> below,
                           std::span<std::uint64_t> equal) const {
  const std::string wanted = MakeSortText(text);
  std::string key;
  Decoder rest = keys_.Begin();
  for (std::size_t row = 0; KeyBlock::Next(rest, key); ++row) {
    const SortTexts texts = TextsOf(key);
    const int order =
        (part == KeyPart::kRowKey ? texts.row_key : texts.partition_key)
            .compare(wanted);
    const std::uint64_t bit = std::uint64_t{1} << row % kWordBits;
    if (order < 0) below[row / kWordBits] |= bit;
    if (order == 0) equal[row / kWordBits] |= bit;
  }
}

}  // namespace entitable
