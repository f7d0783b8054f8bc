#include "store/leaf_page.h"

#include <algorithm>
#include <cassert>
#include <string_view>

#include "base/bits.h"
#include "base/date_time.h"
#include "base/utf.h"
#include "store/envelope.h"
#include "store/key_block.h"
#include "store/leaf_format.h"

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
  page.layout_ = ReadDirectory(directory);
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

// Everything that later code relies on is checked here, once for each page that
// is decoded, so that no loop over columns checks an offset again:
//
//  - no bit behind the last row is set, and the bits are as many as was said
//  - keys ascend and share what they say; restarts lie where they say
//  - starts never decrease and end with the number of bytes
//  - numbers lie in the range of their type; entries exist; texts are UTF-8
//  - each row schema names columns that exist and have a value in the row
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

// ---------------------------------------------------------------- column check

namespace {

std::uint64_t Greatest(const PackedArray& numbers) {
  std::uint64_t greatest = 0;
  for (std::size_t i = 0; i < numbers.count; ++i) {
    greatest = std::max(greatest, numbers[i]);
  }
  return greatest;
}

struct Limits {
  std::int64_t least;
  std::int64_t greatest;
};

Limits LimitsOf(const Column& column) {
  switch (column.type) {
    case EdmType::kInt32:
      return {INT32_MIN, INT32_MAX};
    case EdmType::kDateTime:
      // A Timestamp comes from the clock and may lie before the range of
      // properties.
      return {column.name == kTimestampName ? 0 : kMinDateTime.ticks,
              kMaxDateTime.ticks};
    default:
      return {INT64_MIN, INT64_MAX};
  }
}

bool AreIntegersSound(const Column& column) {
  if (column.value_count == 0) return true;
  const auto [least, greatest] = LimitsOf(column);
  if (column.base < least || column.base > greatest) return false;
  const std::uint64_t room = static_cast<std::uint64_t>(greatest) -
                             static_cast<std::uint64_t>(column.base);
  return Greatest(column.numbers) <= room;
}

// If the bytes are valid as a whole and no text begins within a character,
// every text is valid.
bool AreTextsUtf8(const Column& column) {
  const std::string_view bytes(column.bytes.data, column.bytes.count);
  for (std::size_t i = 0; i < column.entry_count; ++i) {
    const auto start = static_cast<std::size_t>(column.starts[i]);
    const bool is_within =
        start < bytes.size() && (bytes[start] & 0xC0) == 0x80;
    if (is_within) return false;
  }
  return IsValidUtf8(bytes);
}

bool AreTextsSound(const Column& column) {
  return AreStarts(column.starts, column.bytes.count) &&
         (column.type != EdmType::kString || AreTextsUtf8(column));
}

}  // namespace

bool HasBits(const PackedArray& words, std::size_t bits, std::size_t set) {
  return words.width == 0 ||
         (CountBits(words.data, bits) == set &&
          CountBits(words.data, words.count * kWordBits) == set);
}

bool AreStarts(const PackedArray& starts, std::uint64_t last) {
  std::uint64_t start = 0;
  for (std::size_t i = 0; i < starts.count; ++i) {
    const std::uint64_t next = starts[i];
    if (i == 0 ? next != 0 : next < start) return false;
    start = next;
  }
  return start == last;
}

bool IsSoundColumn(const Column& column, std::size_t row_count) {
  if (!HasBits(column.presence, row_count, column.value_count) ||
      !IsValidUtf8(column.name)) {
    return false;
  }
  switch (column.form) {
    case ColumnForm::kIntegers:
      return AreIntegersSound(column);
    case ColumnForm::kTexts:
      return AreTextsSound(column);
    case ColumnForm::kDictionary:
      return AreTextsSound(column) &&
             Greatest(column.numbers) < column.entry_count;
    default:
      return true;
  }
}

// -------------------------------------------------------------------- page key

// Continues from the last row, unless a restart lies in between: decoding can
// begin there, too.
const std::string& PageKey::Read(const LeafPage& page, std::size_t row) {
  if (next_row_ == row + 1) return key_;
  const std::size_t restart = row / kKeysPerRestart * kKeysPerRestart;
  if (next_row_ <= restart || next_row_ > row) {
    next_ = page.KeyOf(row, key_);
  } else {
    for (; next_row_ <= row; ++next_row_) KeyBlock::Next(next_, key_);
  }
  next_row_ = row + 1;
  return key_;
}

}  // namespace entitable
