#include "model/column.h"

#include <bit>

namespace entitable {
namespace {

Value IntegerOf(EdmType type, std::int64_t number) {
  switch (type) {
    case EdmType::kInt32:
      return Value::Int32(static_cast<std::int32_t>(number));
    case EdmType::kDateTime:
      return Value::OfDateTime({number});
    default:
      return Value::Int64(number);
  }
}

Value GuidOf(const char* bytes) {
  Guid guid;
  std::memcpy(guid.bytes.data(), bytes, guid.bytes.size());
  return Value::OfGuid(guid);
}

}  // namespace

// Texts are views of the page.  All other values are copied out of its bytes,
// which need not be aligned in memory.
Value Column::ValueAt(std::size_t index) const {
  switch (form) {
    case ColumnForm::kIntegers:
      return IntegerOf(type, IntegerAt(index));
    case ColumnForm::kDoubles:
      return Value::Double(std::bit_cast<double>(numbers[index]));
    case ColumnForm::kBits:
      return Value::Boolean(BitAt(numbers.data, index));
    case ColumnForm::kGuids:
      return GuidOf(numbers.data + index * sizeof(Guid));
    case ColumnForm::kTexts:
      return EntryAt(index);
    case ColumnForm::kDictionary:
      return EntryAt(static_cast<std::size_t>(numbers[index]));
  }
  return Value::Boolean(false);
}

Value Column::EntryAt(std::size_t entry) const {
  const std::string_view text = EntryTextAt(entry);
  return type == EdmType::kString ? Value::String(text) : Value::Binary(text);
}

}  // namespace entitable
