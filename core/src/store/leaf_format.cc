#include "store/leaf_format.h"

#include "base/bits.h"
#include "store/key_block.h"

namespace entitable {
namespace {

void SizeArray(PackedArray& array, std::uint8_t width, std::size_t count) {
  array.width = width;
  array.count = static_cast<std::uint32_t>(count);
}

bool HasTexts(const Column& column) {
  return column.form >= ColumnForm::kTexts;
}

void SizeNumbers(Column& column) {
  const std::size_t values = column.value_count;
  PackedArray& numbers = column.numbers;
  switch (column.form) {
    case ColumnForm::kIntegers:
      return SizeArray(numbers, numbers.width, values);
    case ColumnForm::kDoubles:
      return SizeArray(numbers, 8, values);
    case ColumnForm::kBits:
      return SizeArray(numbers, 8, WordCount(values));
    case ColumnForm::kGuids:
      return SizeArray(numbers, 8, 2 * values);
    case ColumnForm::kTexts:
      column.entry_count = column.value_count;
      return;
    case ColumnForm::kDictionary:
      return SizeArray(numbers, NumberWidth(column.entry_count), values);
  }
}

void SizeColumn(const LeafLayout& page, Column& column) {
  if (column.value_count < page.live) {
    SizeArray(column.presence, 8, WordCount(page.rows));
  }
  SizeNumbers(column);
  if (!HasTexts(column)) return;
  SizeArray(column.starts, StartWidth(column.bytes.count),
            std::size_t{column.entry_count} + 1);
  column.bytes.width = 1;
}

void AppendColumn(const Column& column, std::string& out) {
  AppendU8(static_cast<std::uint8_t>(column.type), out);
  AppendU8(static_cast<std::uint8_t>(column.form), out);
  AppendText(column.name, out);
  AppendVarint(column.value_count, out);
  if (column.form == ColumnForm::kIntegers) {
    AppendU8(column.numbers.width, out);
    AppendVarint(ZigZag(column.base), out);
  }
  if (HasTexts(column)) AppendVarint(column.bytes.count, out);
  if (column.form == ColumnForm::kDictionary) {
    AppendVarint(column.entry_count, out);
  }
}

// A count of at most `limit` things.
std::uint32_t ReadCount(std::size_t limit, Decoder& bytes) {
  const std::uint64_t count = bytes.ReadVarint();
  if (count > limit) bytes.Fail();
  return static_cast<std::uint32_t>(count);
}

Column ReadColumn(std::size_t live, std::size_t limit, Decoder& bytes) {
  Column column;
  column.type = static_cast<EdmType>(bytes.ReadU8());
  column.form = static_cast<ColumnForm>(bytes.ReadU8());
  const ColumnForm usual = FormOf(column.type);
  const bool is_dictionary = column.form == ColumnForm::kDictionary;
  if (usual == ColumnForm() ||
      usual != (is_dictionary ? ColumnForm::kTexts : column.form)) {
    bytes.Fail();
  }
  column.name = bytes.ReadText();
  column.value_count = ReadCount(live, bytes);
  if (column.form == ColumnForm::kIntegers) {
    const std::uint8_t width = bytes.ReadU8();
    if (width > 8 || (width & (width - 1)) != 0) bytes.Fail();
    column.numbers.width = width;
    column.base = UnZigZag(bytes.ReadVarint());
  }
  if (HasTexts(column)) column.bytes.count = ReadCount(limit, bytes);
  if (is_dictionary) column.entry_count = ReadCount(kMaxEntries, bytes);
  return column;
}

}  // namespace

ColumnForm FormOf(EdmType type) {
  switch (type) {
    case EdmType::kString:
    case EdmType::kBinary:
      return ColumnForm::kTexts;
    case EdmType::kInt32:
    case EdmType::kInt64:
    case EdmType::kDateTime:
      return ColumnForm::kIntegers;
    case EdmType::kDouble:
      return ColumnForm::kDoubles;
    case EdmType::kBoolean:
      return ColumnForm::kBits;
    case EdmType::kGuid:
      return ColumnForm::kGuids;
  }
  return {};
}

void AppendDirectory(const LeafLayout& layout, std::string& out) {
  for (const std::size_t count :
       {std::size_t{layout.rows}, std::size_t{layout.live},
        std::size_t{layout.keys.count},
        std::size_t{layout.schema_starts.count} - 1,
        std::size_t{layout.schema_columns.count}, layout.columns.size()}) {
    AppendVarint(count, out);
  }
  for (const Column& column : layout.columns) AppendColumn(column, out);
}

LeafLayout ReadDirectory(Decoder& bytes) {
  // Everything that is counted takes at least one byte.
  const std::size_t limit = bytes.rest().size();
  LeafLayout layout;
  layout.rows = ReadCount(limit, bytes);
  layout.live = ReadCount(layout.rows, bytes);
  layout.keys.count = ReadCount(limit, bytes);
  layout.schema_starts.count = ReadCount(layout.live, bytes) + 1;
  layout.schema_columns.count = ReadCount(limit, bytes);
  const std::uint32_t columns = ReadCount(limit, bytes);
  for (std::uint32_t i = 0; i < columns && !bytes.failed(); ++i) {
    layout.columns.push_back(ReadColumn(layout.live, limit, bytes));
  }
  return layout;
}

void SizeArrays(LeafLayout& layout) {
  if (layout.live < layout.rows) {
    SizeArray(layout.live_rows, 8, WordCount(layout.rows));
  }
  SizeArray(layout.schema_numbers, NumberWidth(layout.schema_starts.count - 1),
            layout.rows);
  layout.schema_starts.width = 2;
  layout.schema_columns.width = SchemaColumnWidth(layout.columns.size());
  SizeArray(layout.restarts, 2, RestartCount(layout.rows));
  layout.keys.width = 1;
  for (Column& column : layout.columns) SizeColumn(layout, column);
}

std::uint64_t PlaceArrays(std::size_t directory_end, const char* page,
                          LeafLayout& layout) {
  std::uint64_t end = (directory_end + 7) / 8 * 8;
  for (const int width : {8, 4, 2, 1}) {
    const auto place = [&](PackedArray& array) {
      if (array.width != width) return;
      if (page != nullptr) array.data = page + end;
      end += std::uint64_t{array.count} * array.width;
    };
    place(layout.live_rows);
    place(layout.schema_numbers);
    place(layout.schema_starts);
    place(layout.schema_columns);
    place(layout.restarts);
    place(layout.keys);
    for (Column& column : layout.columns) {
      place(column.presence);
      place(column.numbers);
      place(column.starts);
      place(column.bytes);
    }
  }
  return end;
}

}  // namespace entitable
