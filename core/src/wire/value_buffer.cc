#include "wire/value_buffer.h"

#include <bit>
#include <cstring>
#include <limits>

#include "base/bits.h"
#include "base/utf.h"
#include "model/etag.h"

namespace entitable {
namespace {

constexpr std::uint64_t kHighBits = 0x8080'8080'8080'8080;

// 1970-01-01T00:00:00Z.
constexpr std::int64_t kUnixEpoch = 621'355'968'000'000'000;
constexpr std::int64_t kTicksPerMillisecond = 10'000;

template <typename T>
T In(std::string_view packed) {
  T value;
  std::memcpy(&value, packed.data(), sizeof value);
  return value;
}

template <typename Number>
char* Write(Number number, char* to) {
  std::memcpy(to, &number, sizeof number);
  return to + sizeof number;
}

}  // namespace

void ValueBuffer::Clear() {
  numbers_.Clear();
  texts_.Clear();
}

// ----------------------------------------------------------------- one value

void ValueBuffer::PutText(std::string_view text) {
  const std::uint64_t bits = CopyShort(text, texts_.Extend(text.size()));
  const bool is_ascii = (bits & kHighBits) == 0;
  PutNumber(
      static_cast<std::uint32_t>(is_ascii ? text.size() : Utf16Length(text)));
}

void ValueBuffer::PutEtag(std::string_view time) {
  const std::size_t start = texts_.size();
  AppendEtag(time, texts_);
  PutNumber(static_cast<std::uint32_t>(texts_.size() - start));
}

void ValueBuffer::PutBinary(std::string_view bytes) {
  PutNumber(static_cast<std::uint32_t>(bytes.size()));
  numbers_ += bytes;
}

void ValueBuffer::PutDateTime(DateTime time) {
  const std::int64_t ticks = time.ticks - kUnixEpoch;
  if (ticks % kTicksPerMillisecond == 0) {
    const std::int64_t milliseconds = ticks / kTicksPerMillisecond;
    return PutNumber(static_cast<double>(milliseconds));
  }
  PutNumber(std::numeric_limits<double>::quiet_NaN());
  PutText(time.ToText().view());
}

// The service does not distinguish -0.0 from 0.0.
void ValueBuffer::PutDouble(double value) {
  PutNumber(value == 0 ? 0.0 : value);
}

void ValueBuffer::PutValue(EdmType type, std::string_view packed) {
  switch (type) {
    case EdmType::kString:
      return PutText(packed);
    case EdmType::kBinary:
      return PutBinary(packed);
    case EdmType::kDouble:
      return PutDouble(In<double>(packed));
    case EdmType::kDateTime:
      return PutDateTime({In<std::int64_t>(packed)});
    case EdmType::kGuid:
      return PutText(In<Guid>(packed).ToString());
    default:
      numbers_ += packed;
  }
}

// -------------------------------------------------------- values of a column

void ValueBuffer::PutColumn(const Column& column,
                            std::span<const std::uint32_t> places) {
  switch (column.form) {
    case ColumnForm::kIntegers:
      return PutIntegers(column, places);
    case ColumnForm::kDoubles:
      for (const std::uint32_t i : places) {
        PutDouble(std::bit_cast<double>(column.numbers[i]));
      }
      return;
    case ColumnForm::kBits: {
      char* to = numbers_.Extend(places.size());
      for (const std::uint32_t i : places) {
        *to++ = static_cast<char>(BitAt(column.numbers.data, i));
      }
      return;
    }
    case ColumnForm::kGuids:
      for (const std::uint32_t i : places) {
        PutValue(EdmType::kGuid,
                 {column.numbers.data + i * sizeof(Guid), sizeof(Guid)});
      }
      return;
    default:
      return PutTexts(column, places);
  }
}

void ValueBuffer::PutIntegers(const Column& column,
                              std::span<const std::uint32_t> places) {
  if (column.type == EdmType::kDateTime) {
    for (const std::uint32_t i : places) PutDateTime({column.IntegerAt(i)});
  } else if (column.type == EdmType::kInt64) {
    char* to = numbers_.Extend(places.size() * sizeof(std::int64_t));
    for (const std::uint32_t i : places) to = Write(column.IntegerAt(i), to);
  } else {
    char* to = numbers_.Extend(places.size() * sizeof(std::int32_t));
    for (const std::uint32_t i : places) {
      to = Write(static_cast<std::int32_t>(column.IntegerAt(i)), to);
    }
  }
}

void ValueBuffer::PutTexts(const Column& column,
                           std::span<const std::uint32_t> places) {
  const bool is_sequence = places.back() - places.front() + 1 == places.size();
  const bool are_together = column.form == ColumnForm::kTexts && is_sequence;
  if (are_together && column.type == EdmType::kString) {
    return PutTextsInSequence(column, places.front(), places.size());
  }
  for (const std::uint32_t i : places) PutValue(column.type, column.TextAt(i));
}

// Such texts lie together in the column, so they are copied at once.
void ValueBuffer::PutTextsInSequence(const Column& column, std::size_t first,
                                     std::size_t count) {
  auto begin = static_cast<std::size_t>(column.starts[first]);
  const auto end_of_all =
      static_cast<std::size_t>(column.starts[first + count]);
  const std::string_view texts(column.bytes.data + begin, end_of_all - begin);
  const std::uint64_t bits = CopyShort(texts, texts_.Extend(texts.size()));
  const bool are_ascii = (bits & kHighBits) == 0;
  char* to = numbers_.Extend(count * sizeof(std::uint32_t));
  for (std::size_t i = first + 1; i <= first + count; ++i) {
    const auto end = static_cast<std::size_t>(column.starts[i]);
    const auto bytes = end - begin;
    const auto units =
        are_ascii ? bytes : Utf16Length({column.bytes.data + begin, bytes});
    to = Write(static_cast<std::uint32_t>(units), to);
    begin = end;
  }
}

std::string ValueBuffer::Copy() const {
  std::string values;
  values.reserve(sizeof(std::uint32_t) + size());
  const auto number_bytes = static_cast<std::uint32_t>(numbers_.size());
  values.resize(sizeof number_bytes);
  std::memcpy(values.data(), &number_bytes, sizeof number_bytes);
  values += numbers_.view();
  values += texts_.view();
  return values;
}

}  // namespace entitable
