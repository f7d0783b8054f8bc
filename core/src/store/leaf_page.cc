#include "store/leaf_page.h"

#include <cassert>

#include "base/bits.h"
#include "store/column_check.h"
#include "store/envelope.h"

namespace entitable {
namespace {

Failure Damaged() {
  return Fail(ErrorCode::kStorageDamaged,
              "The leaf page has an invalid format.");
}

// Sizes have 32 bits.  No entity makes a page as long as this.
constexpr std::size_t kMaxPageBytes = std::size_t{1} << 28;

// Exactly one timestamp for each live row.
bool IsTimestamp(const Column& column, std::uint32_t live) {
  return column.name == kTimestampName && column.type == EdmType::kDateTime &&
         column.value_count == live;
}

}  // namespace

Result<LeafPage> LeafPage::Decode(Bytes value) {
  ENTITABLE_TRY(Unseal(kLeafKind, value));
  if (value.size() <= sizeof(Bytes) || value.size() > kMaxPageBytes) {
    return Damaged();
  }
  LeafPage page(std::move(value));
  const BytesView body = page.value_;
  Decoder directory(body.substr(kEnvelopeBytes));
  page.layout_ = TakeDirectory(directory);
  const std::size_t end = body.size() - directory.rest().size();
  SizeArrays(page.layout_);
  if (directory.failed() || page.layout_.columns.empty() ||
      PlaceArrays(end, nullptr, page.layout_) != body.size()) {
    return Damaged();
  }
  page.Attach(end);
  if (!page.IsSound()) return Damaged();
  return page;
}

void LeafPage::Attach(std::size_t directory_end) {
  PlaceArrays(directory_end, value_.data(), layout_);
  for (Column& column : layout_.columns) {
    // A column with a value in every live row has no presence bits of its own.
    if (column.presence.width == 0) column.presence.data = live_rows();
  }
}

bool LeafPage::IsSound() {
  const LeafLayout& layout = layout_;
  if (layout.rows == 0 ||
      !HasBits(layout.live_rows, layout.rows, layout.live) ||
      !keys().IsSound(last_key_) ||
      !IsTimestamp(layout.columns.front(), layout.live)) {
    return false;
  }
  for (const Column& column : layout.columns) {
    if (!IsSoundColumn(column, layout.rows)) return false;
  }
  return AreSchemasSound();
}

// Also checks that each row has a value in every column of its schema.
bool LeafPage::AreSchemasSound() const {
  if (!AreStarts(layout_.schema_starts, layout_.schema_columns.count)) {
    return false;
  }
  for (std::size_t i = 0; i < layout_.schema_columns.count; ++i) {
    const std::uint64_t column = layout_.schema_columns[i];
    if (column == 0 || column >= layout_.columns.size()) return false;
  }
  const std::uint32_t schemas = layout_.schema_starts.count - 1;
  // The last schema whose columns have values in all rows, so that its rows
  // need no check.
  std::uint64_t whole = schemas;
  for (std::size_t row = 0; row < layout_.rows; ++row) {
    if (is_tombstone(row)) continue;
    const std::uint64_t number = layout_.schema_numbers[row];
    if (number >= schemas) return false;
    if (number == whole) continue;
    const PageRow place = RowAt(row);
    bool is_whole = true;
    for (std::size_t i = 0; i < place.schema.count; ++i) {
      const Column& column = place.property(i);
      if (!column.Has(row)) return false;
      is_whole &= column.value_count == layout_.live;
    }
    if (is_whole) whole = number;
  }
  return true;
}

std::size_t LeafPage::memory_bytes() const {
  return sizeof *this + value_.capacity() +
         layout_.columns.capacity() * sizeof(Column) + last_key_.capacity();
}

PageRow LeafPage::RowAt(std::size_t row) const {
  assert(!is_tombstone(row));
  const auto number = static_cast<std::size_t>(layout_.schema_numbers[row]);
  const auto begin = static_cast<std::size_t>(layout_.schema_starts[number]);
  const auto end = static_cast<std::size_t>(layout_.schema_starts[number + 1]);
  PackedArray schema = layout_.schema_columns;
  schema.data += begin * schema.width;
  schema.count = static_cast<std::uint32_t>(end - begin);
  return {.columns = layout_.columns, .schema = schema, .row = row};
}

PropertyList LeafPage::PropertiesOf(std::size_t row) const {
  const PageRow place = RowAt(row);
  PropertyList properties;
  // An estimate: values of average length, and names of 8 bytes.
  properties.Reserve(value_.size() / layout_.live +
                     std::size_t{8} * place.schema.count);
  for (std::size_t i = 0; i < place.schema.count; ++i) {
    const Column& column = place.property(i);
    properties.Append(column.name, column.ValueAt(column.IndexOf(row)));
  }
  return properties;
}

}  // namespace entitable
