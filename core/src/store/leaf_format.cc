#include "store/leaf_format.h"

#include <initializer_list>

#include "base/bits.h"
#include "store/key_block.h"

namespace entitable {
namespace {

void SizeColumn(const LeafLayout& page, ColumnLayout& column) {
  if (column.values < page.live) {
    column.presence_array = {8, WordCount(page.rows)};
  }
  switch (column.form) {
    case ColumnForm::kIntegers:
      column.numbers_array = {column.width, column.values};
      return;
    case ColumnForm::kDoubles:
      column.numbers_array = {8, column.values};
      return;
    case ColumnForm::kBits:
      column.numbers_array = {8, WordCount(column.values)};
      return;
    case ColumnForm::kGuids:
      column.numbers_array = {8, 2 * column.values};
      return;
    case ColumnForm::kTexts:
      column.entries = column.values;
      break;
    case ColumnForm::kDictionary:
      column.numbers_array = {NumberWidth(column.entries), column.values};
      break;
  }
  column.starts_array = {StartWidth(column.bytes), column.entries + 1};
  column.bytes_array = {1, column.bytes};
}

void SizeArrays(LeafLayout& page) {
  if (page.live < page.rows) page.live_array = {8, WordCount(page.rows)};
  page.shape_numbers_array = {NumberWidth(page.shapes), page.rows};
  page.shape_starts_array = {2, page.shapes + 1};
  page.shape_columns_array = {ShapeColumnWidth(page.columns.size()),
                              page.shape_columns};
  page.restarts_array = {2, RestartCount(page.rows)};
  page.keys_array = {1, page.key_bytes};
  for (ColumnLayout& column : page.columns) SizeColumn(page, column);
}

std::vector<StoredArray*> ArraysOf(LeafLayout& page) {
  std::vector<StoredArray*> arrays = {
      &page.live_array,         &page.shape_numbers_array,
      &page.shape_starts_array, &page.shape_columns_array,
      &page.restarts_array,     &page.keys_array};
  for (ColumnLayout& column : page.columns) {
    for (StoredArray* array : {&column.presence_array, &column.numbers_array,
                               &column.starts_array, &column.bytes_array}) {
      arrays.push_back(array);
    }
  }
  return arrays;
}

void AppendColumn(const ColumnLayout& column, std::string& out) {
  AppendU8(static_cast<std::uint8_t>(column.type), out);
  AppendU8(static_cast<std::uint8_t>(column.form), out);
  AppendText(column.name, out);
  AppendVarint(column.values, out);
  if (column.form == ColumnForm::kIntegers) {
    AppendU8(column.width, out);
    AppendVarint(ZigZag(column.base), out);
  }
  if (column.form >= ColumnForm::kTexts) AppendVarint(column.bytes, out);
  if (column.form == ColumnForm::kDictionary) AppendVarint(column.entries, out);
}

// True when values of the type may have the form.
bool Fit(EdmType type, ColumnForm form) {
  switch (form) {
    case ColumnForm::kIntegers:
      return type == EdmType::kInt32 || type == EdmType::kInt64 ||
             type == EdmType::kDateTime || type == EdmType::kDouble;
    case ColumnForm::kDoubles:
      return type == EdmType::kDouble;
    case ColumnForm::kBits:
      return type == EdmType::kBoolean;
    case ColumnForm::kGuids:
      return type == EdmType::kGuid;
    case ColumnForm::kTexts:
    case ColumnForm::kDictionary:
      return type == EdmType::kString || type == EdmType::kBinary;
  }
  return false;
}

// A count of at most so many things.
std::uint64_t TakeCount(std::uint64_t limit, Decoder& bytes) {
  const std::uint64_t count = bytes.TakeVarint();
  if (count > limit) bytes.Fail();
  return count;
}

std::uint8_t TakeWidth(Decoder& bytes) {
  const std::uint8_t width = bytes.TakeU8();
  if (width > 8 || (width & (width - 1)) != 0) bytes.Fail();
  return width;
}

ColumnLayout TakeColumn(std::uint64_t live, std::uint64_t limit,
                        Decoder& bytes) {
  ColumnLayout column;
  column.type = static_cast<EdmType>(bytes.TakeU8());
  column.form = static_cast<ColumnForm>(bytes.TakeU8());
  if (!Fit(column.type, column.form)) bytes.Fail();
  column.name = bytes.TakeText();
  column.values = TakeCount(live, bytes);
  if (column.form == ColumnForm::kIntegers) {
    column.width = TakeWidth(bytes);
    column.base = UnZigZag(bytes.TakeVarint());
  }
  if (column.form >= ColumnForm::kTexts) {
    column.bytes = TakeCount(limit, bytes);
  }
  if (column.form == ColumnForm::kDictionary) {
    column.entries = TakeCount(kMaxEntries, bytes);
  }
  return column;
}

}  // namespace

std::uint64_t PlaceArrays(std::size_t directory_bytes, LeafLayout& layout) {
  SizeArrays(layout);
  const std::vector<StoredArray*> arrays = ArraysOf(layout);
  std::uint64_t end = (kEnvelopeBytes + directory_bytes + 7) / 8 * 8;
  for (const int width : {8, 4, 2, 1}) {
    for (StoredArray* array : arrays) {
      if (array->width != width) continue;
      array->at = end;
      end += array->size();
    }
  }
  return end;
}

void AppendDirectory(const LeafLayout& layout, std::string& out) {
  AppendVarint(layout.rows, out);
  AppendVarint(layout.live, out);
  AppendVarint(layout.key_bytes, out);
  AppendVarint(layout.shapes, out);
  AppendVarint(layout.shape_columns, out);
  AppendVarint(layout.columns.size(), out);
  for (const ColumnLayout& column : layout.columns) AppendColumn(column, out);
}

LeafLayout TakeDirectory(Decoder& bytes) {
  // Nothing is counted of which each takes less than a bit.
  const std::uint64_t limit = bytes.rest().size() * 8;
  LeafLayout layout;
  layout.rows = TakeCount(limit, bytes);
  layout.live = TakeCount(layout.rows, bytes);
  layout.key_bytes = TakeCount(limit, bytes);
  layout.shapes = TakeCount(layout.live, bytes);
  layout.shape_columns = TakeCount(limit, bytes);
  const std::uint64_t columns = TakeCount(kMaxColumns, bytes);
  for (std::uint64_t i = 0; i < columns && !bytes.failed(); ++i) {
    layout.columns.push_back(TakeColumn(layout.live, limit, bytes));
  }
  return layout;
}

}  // namespace entitable
