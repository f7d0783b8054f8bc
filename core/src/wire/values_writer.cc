#include "wire/values_writer.h"

#include <bit>
#include <cstdint>
#include <cstring>
#include <limits>
#include <string_view>
#include <utility>

#include "base/bits.h"
#include "base/utf.h"
#include "model/etag.h"
#include "model/property_name.h"

namespace entitable {
namespace {

constexpr std::uint32_t kSame = 0xFFFF'FFFF;
constexpr std::uint64_t kHighBits = 0x8080'8080'8080'8080;

constexpr char kSystemKind = '0';
constexpr char kMissingKind = '9';

// 1970-01-01T00:00:00Z.
constexpr std::int64_t kUnixEpoch = 621'355'968'000'000'000;
constexpr std::int64_t kTicksPerMillisecond = 10'000;

constexpr std::string_view kEtag = "etag";
constexpr std::string_view kPartitionKey = "partitionKey";
constexpr std::string_view kRowKey = "rowKey";
constexpr std::string_view kTimestamp = "timestamp";

char KindOf(EdmType type) {
  return static_cast<char>('0' + static_cast<char>(type));
}

// Each description begins with a dot.
void Describe(char kind, std::string_view name, TextBuffer& schema) {
  char* at = schema.Extend(2 + name.size());
  *at++ = '.';
  *at++ = kind;
  CopyShort(name, at);
}

template <typename T>
T In(std::string_view packed) {
  T value;
  std::memcpy(&value, packed.data(), sizeof value);
  return value;
}

}  // namespace

// ------------------------------------------------------------- parts of a row

void ValuesWriter::PutText(std::string_view text) {
  const std::uint64_t bits = CopyShort(text, texts_.Extend(text.size()));
  const bool is_ascii = (bits & kHighBits) == 0;
  numbers_.Put(
      static_cast<std::uint32_t>(is_ascii ? text.size() : Utf16Length(text)));
}

void ValuesWriter::PutEtag(std::string_view time) {
  const std::size_t start = texts_.size();
  AppendEtag(time, texts_);
  numbers_.Put(static_cast<std::uint32_t>(texts_.size() - start));
}

void ValuesWriter::PutBinary(std::string_view bytes) {
  numbers_.Put(static_cast<std::uint32_t>(bytes.size()));
  numbers_ += bytes;
}

void ValuesWriter::PutDateTime(DateTime time) {
  const std::int64_t ticks = time.ticks - kUnixEpoch;
  if (ticks % kTicksPerMillisecond == 0) {
    const std::int64_t milliseconds = ticks / kTicksPerMillisecond;
    return numbers_.Put(static_cast<double>(milliseconds));
  }
  numbers_.Put(std::numeric_limits<double>::quiet_NaN());
  PutText(time.ToText().view());
}

// The service does not distinguish -0.0 from 0.0.
void ValuesWriter::PutDouble(double value) {
  numbers_.Put(value == 0 ? 0.0 : value);
}

void ValuesWriter::PutValue(EdmType type, std::string_view packed) {
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

void ValuesWriter::PutColumn(const Column& column, std::size_t i) {
  switch (column.form) {
    case ColumnForm::kIntegers: {
      const std::int64_t number = column.IntegerAt(i);
      if (column.type == EdmType::kDateTime) return PutDateTime({number});
      if (column.type == EdmType::kInt64) return numbers_.Put(number);
      return numbers_.Put(static_cast<std::int32_t>(number));
    }
    case ColumnForm::kDoubles:
      return PutDouble(std::bit_cast<double>(column.numbers[i]));
    case ColumnForm::kBits:
      return numbers_.Put(static_cast<char>(BitAt(column.numbers.data, i)));
    case ColumnForm::kGuids:
      return PutValue(EdmType::kGuid,
                      {column.numbers.data + i * sizeof(Guid), sizeof(Guid)});
    default:
      return PutValue(column.type, column.TextAt(i));
  }
}

// ----------------------------------------------------------------------- rows

void ValuesWriter::Add(const PayloadContext& context, EntityKeyView key,
                       const EntityView& entity) {
  ClearMembers(context);
  for (PropertyCursor cursor(entity.properties);
       const auto property = cursor.NextPacked();) {
    AddMember(context,
              {property->type, property->name, property->value, nullptr});
  }
  AddRow(context, key, entity.timestamp, {});
}

void ValuesWriter::Add(const PayloadContext& context, EntityKeyView key,
                       const PageRow& entity) {
  if (!entity.HasSchemaOf(schema_of_)) {
    ClearMembers(context);
    members_.reserve(entity.schema.count);
    for (std::size_t i = 0; i < entity.schema.count; ++i) {
      const Column& column = entity.property(i);
      AddMember(context, {column.type, column.name, {}, &column});
    }
  }
  Touch(entity);
  AddRow(context, key, entity.timestamp(), entity);
}

// The values of a row lie in as many places as there are columns, and few are
// in a cache of the processor.  It does not wait for these loads, so it fetches
// all values at the same time.  Booleans are so small that they are there.
void ValuesWriter::Touch(const PageRow& entity) {
  std::uint64_t bits = 0;
  for (Member& member : members_) {
    const Column& column = *member.column;
    const std::size_t i = member.index = column.IndexOf(entity.row);
    if (column.form == ColumnForm::kTexts) {
      const std::string_view text = column.EntryTextAt(i);
      if (!text.empty()) bits += static_cast<unsigned char>(text.back());
    } else if (column.form != ColumnForm::kBits) {
      const bool is_guid = column.form == ColumnForm::kGuids;
      bits += column.numbers[is_guid ? 2 * i : i];
    }
  }
  touched_ += bits;
}

void ValuesWriter::ClearMembers(const PayloadContext& context) {
  members_.clear();
  if (context.select != nullptr) present_.assign(context.select->size(), false);
}

void ValuesWriter::AddMember(const PayloadContext& context,
                             const Member& member) {
  if (context.select != nullptr) {
    const std::size_t i = context.select->Find(member.name);
    if (i == KeyTable::kNone) return;
    present_[i] = true;
  }
  members_.push_back(member);
}

void ValuesWriter::DescribeSchema(const PayloadContext& context) {
  next_schema_.clear();
  TextBuffer schema(next_schema_);
  Describe(kSystemKind, kEtag, schema);
  if (context.Selects("PartitionKey")) {
    Describe(kSystemKind, kPartitionKey, schema);
  }
  if (context.Selects("RowKey")) Describe(kSystemKind, kRowKey, schema);
  if (context.Selects("Timestamp")) Describe(kSystemKind, kTimestamp, schema);
  for (const Member& member : members_) {
    Describe(KindOf(member.type), member.name, schema);
  }
  if (context.select == nullptr) return;
  for (std::size_t i = 0; i < present_.size(); ++i) {
    const std::string_view name = (*context.select)[i];
    if (present_[i] || IsSystemName(name)) continue;
    Describe(kMissingKind, name, schema);
  }
}

void ValuesWriter::AddRow(const PayloadContext& context, EntityKeyView key,
                          DateTime timestamp, const PageRow& place) {
  const bool is_known = place.HasSchemaOf(schema_of_);
  schema_of_ = place;
  if (!is_known) DescribeSchema(context);
  const bool is_same_schema = is_known || next_schema_ == schema_;
  if (is_same_schema) {
    numbers_.Put(std::uint32_t{0});
  } else {
    PutText(std::string_view(next_schema_).substr(1));
    std::swap(schema_, next_schema_);
  }
  const bool is_same_time = is_same_schema && timestamp == timestamp_;
  const bool is_same_partition =
      is_same_schema && key.partition_key == partition_key_;
  timestamp_ = timestamp;
  DateTimeText time;
  if (is_same_time) {
    numbers_.Put(kSame);
  } else {
    time = timestamp.ToText();
    PutEtag(time.view());
  }
  if (context.Selects("PartitionKey")) {
    if (is_same_partition) {
      numbers_.Put(kSame);
    } else {
      PutText(key.partition_key);
      partition_key_ = key.partition_key;
    }
  }
  if (context.Selects("RowKey")) PutText(key.row_key);
  if (context.Selects("Timestamp")) {
    if (is_same_time) {
      numbers_.Put(kSame);
    } else {
      PutText(time.view());
    }
  }
  for (const Member& member : members_) {
    if (member.column != nullptr) {
      PutColumn(*member.column, member.index);
    } else {
      PutValue(member.type, member.packed);
    }
  }
}

std::string ValuesWriter::Finish() {
  const auto number_bytes =
      static_cast<std::uint32_t>(numbers_.size() - sizeof(std::uint32_t));
  std::string values;
  values.reserve(size());
  values += numbers_.view();
  values += texts_.view();
  std::memcpy(values.data(), &number_bytes, sizeof number_bytes);
  Clear();
  return values;
}

void ValuesWriter::Clear() {
  numbers_.Clear();
  texts_.Clear();
  numbers_.Put(std::uint32_t{0});  // The size comes here.
  schema_.clear();
  schema_of_ = {};
}

}  // namespace entitable
