#include "model/values_writer.h"

#include <bit>
#include <cstdint>
#include <cstring>
#include <limits>
#include <string_view>
#include <utility>

#include "base/utf.h"
#include "model/etag.h"

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

void Describe(char kind, std::string_view name, TextBuffer& shape) {
  if (shape.size() > 0) shape += '.';
  shape += kind;
  shape += name;
}

template <typename T>
T In(std::string_view packed) {
  T value;
  std::memcpy(&value, packed.data(), sizeof value);
  return value;
}

// Where a row goes.
struct Row {
  TextBuffer numbers;
  TextBuffer texts;

  template <typename T>
  void Put(T number) {
    numbers.Put(number);
  }

  void PutText(std::string_view text) {
    const std::uint64_t bits = CopyShort(text, texts.Extend(text.size()));
    const bool is_ascii = (bits & kHighBits) == 0;
    Put(static_cast<std::uint32_t>(is_ascii ? text.size() : Utf16Length(text)));
  }

  void PutBinary(std::string_view bytes) {
    Put(static_cast<std::uint32_t>(bytes.size()));
    numbers += bytes;
  }

  void PutDateTime(DateTime time) {
    const std::int64_t ticks = time.ticks - kUnixEpoch;
    if (ticks % kTicksPerMillisecond == 0) {
      return Put(static_cast<double>(ticks / kTicksPerMillisecond));
    }
    Put(std::numeric_limits<double>::quiet_NaN());
    PutText(time.ToString());
  }

  // The service has one zero.
  void PutDouble(double value) { Put(value == 0 ? 0.0 : value); }

  void PutValue(const PackedProperty& property) {
    switch (property.type) {
      case EdmType::kString:
        return PutText(property.value);
      case EdmType::kBinary:
        return PutBinary(property.value);
      case EdmType::kDouble:
        return PutDouble(In<double>(property.value));
      case EdmType::kDateTime:
        return PutDateTime({In<std::int64_t>(property.value)});
      case EdmType::kGuid:
        return PutText(In<Guid>(property.value).ToString());
      default:
        numbers += property.value;
    }
  }
};

}  // namespace

void ValuesWriter::DescribeShape(const PayloadContext& context,
                                 EntityKeyView key, const Entity& entity) {
  next_shape_.clear();
  TextBuffer shape(next_shape_);
  Describe(kSystemKind, kEtag, shape);
  if (context.Selects("PartitionKey")) {
    Describe(kSystemKind, kPartitionKey, shape);
  }
  if (context.Selects("RowKey")) Describe(kSystemKind, kRowKey, shape);
  if (context.Selects("Timestamp")) Describe(kSystemKind, kTimestamp, shape);
  for (PropertyCursor cursor(entity.properties);
       const auto property = cursor.NextPacked();) {
    if (!context.Selects(property->name)) continue;
    Describe(KindOf(property->type), property->name, shape);
  }
  if (context.select == nullptr) return;
  const EntityRow row(key, entity);
  for (const std::string& name : *context.select) {
    if (!row.Find(name)) Describe(kMissingKind, name, shape);
  }
}

void ValuesWriter::Add(const PayloadContext& context, EntityKeyView key,
                       const Entity& entity) {
  DescribeShape(context, key, entity);
  Row row{TextBuffer(numbers_), TextBuffer(texts_)};
  const bool is_same_shape = next_shape_ == shape_;
  if (is_same_shape) {
    row.Put(std::uint32_t{0});
  } else {
    row.PutText(next_shape_);
    std::swap(shape_, next_shape_);
  }
  const bool is_same_time = is_same_shape && entity.timestamp == timestamp_;
  const bool is_same_partition =
      is_same_shape && key.partition_key == partition_key_;
  timestamp_ = entity.timestamp;
  if (is_same_time) {
    row.Put(kSame);
  } else {
    row.PutText(FormatEtag(entity.timestamp));
  }
  if (context.Selects("PartitionKey")) {
    if (is_same_partition) {
      row.Put(kSame);
    } else {
      row.PutText(key.partition_key);
      partition_key_ = key.partition_key;
    }
  }
  if (context.Selects("RowKey")) row.PutText(key.row_key);
  if (context.Selects("Timestamp")) {
    if (is_same_time) {
      row.Put(kSame);
    } else {
      row.PutText(entity.timestamp.ToString());
    }
  }
  for (PropertyCursor cursor(entity.properties);
       const auto property = cursor.NextPacked();) {
    if (context.Selects(property->name)) row.PutValue(*property);
  }
}

std::string ValuesWriter::Finish() {
  const auto size = static_cast<std::uint32_t>(numbers_.size() - 4);
  std::memcpy(numbers_.data(), &size, sizeof size);
  numbers_ += texts_;
  return std::move(numbers_);
}

}  // namespace entitable
