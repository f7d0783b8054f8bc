// An entity with Age, the Int32 5, and Name, the String "Rex":
//
//   02 03 A g e 05 00 00 00   01 04 N a m e 03 R e x
//   |  |        |             |  |          |
//   |  |        value         |  |          length and text
//   |  length and name        String
//   Int32
//
// There is no directory: a property is found by going through those before it.
// An entity has at most 252 of them, and nearly everything that is done with an
// entity needs all.  In return the same bytes serve a request, the log, a
// replay and the memtable without being copied into another form.
//
// FromBytes() and CountIn() check everything that a stranger could get wrong:
// the grammar, UTF-8, the range of times.  All others rely on that and decode
// only what they are asked for.

#include "model/entity.h"

#include <algorithm>
#include <bit>
#include <cstring>

#include "base/text_buffer.h"
#include "model/limits.h"

namespace entitable {
namespace {

char* PutBytes(std::string_view bytes, char* at) {
  CopyShort(bytes, at);
  return at + bytes.size();
}

char* PutText(std::string_view text, char* at) {
  std::uint64_t size = text.size();
  for (; size >= 0x80; size >>= 7) {
    *at++ = static_cast<char>((size & 0x7F) | 0x80);
  }
  *at++ = static_cast<char>(size);
  return PutBytes(text, at);
}

std::size_t TextSize(std::string_view text) {
  return VarintSize(text.size()) + text.size();
}

Guid ReadGuid(Decoder& bytes) {
  Guid guid;
  const std::string_view raw = bytes.ReadBytes(guid.bytes.size());
  std::copy(raw.begin(), raw.end(), guid.bytes.begin());
  return guid;
}

bool ReadBoolean(Decoder& bytes) {
  const std::uint8_t byte = bytes.ReadU8();
  if (byte > 1) bytes.Fail();
  return byte == 1;
}

DateTime ReadDateTime(Decoder& bytes) {
  const DateTime time{static_cast<std::int64_t>(bytes.ReadU64())};
  if (time < kMinDateTime || time > kMaxDateTime) bytes.Fail();
  return time;
}

std::string_view ReadPackedBytes(EdmType type, Decoder& bytes) {
  switch (type) {
    case EdmType::kString:
    case EdmType::kBinary:
      return bytes.ReadText();
    case EdmType::kInt32:
      return bytes.ReadBytes(4);
    case EdmType::kBoolean:
      return bytes.ReadBytes(1);
    case EdmType::kGuid:
      return bytes.ReadBytes(16);
    default:
      return bytes.ReadBytes(8);
  }
}

Property ReadProperty(Decoder& bytes) {
  const auto type = static_cast<EdmType>(bytes.ReadU8());
  const std::string_view name = bytes.ReadText();
  return {name, ReadPackedValue(type, bytes)};
}

// Whether every name and String is valid UTF-8, so that readers may rely on it.
bool HasValidText(const Property& property) {
  return IsValidUtf8(property.name) &&
         (property.value.type() != EdmType::kString ||
          IsValidUtf8(property.value.string()));
}

std::size_t ValueSize(const Value& value) {
  switch (value.type()) {
    case EdmType::kString:
      return 2 * Utf16Length(value.string()) + 4;
    case EdmType::kBinary:
      return value.binary().size() + 4;
    case EdmType::kInt32:
      return 4;
    case EdmType::kInt64:
    case EdmType::kDouble:
    case EdmType::kDateTime:
      return 8;
    case EdmType::kBoolean:
      return 1;
    case EdmType::kGuid:
      return 16;
  }
  return 0;
}

}  // namespace

std::string_view Pack(const Value& value, PackingRoom& room) {
  const auto put = [&room](const auto& number) {
    std::memcpy(room.data(), &number, sizeof number);
    return std::string_view(room.data(), sizeof number);
  };
  switch (value.type()) {
    case EdmType::kString:
      return value.string();
    case EdmType::kBinary:
      return value.binary();
    case EdmType::kInt32:
      return put(value.int32());
    case EdmType::kInt64:
      return put(value.int64());
    case EdmType::kDouble:
      return put(value.real());
    case EdmType::kDateTime:
      return put(value.date_time().ticks);
    case EdmType::kBoolean:
      return put(static_cast<char>(value.boolean() ? 1 : 0));
    case EdmType::kGuid:
      return put(value.guid());
  }
  return {};
}

std::optional<PropertyList> PropertyList::FromBytes(std::string_view bytes) {
  const auto count = CountIn(bytes);
  if (!count) return std::nullopt;
  PropertyList list;
  list.bytes_ = bytes;
  list.count_ = *count;
  return list;
}

std::optional<std::size_t> PropertyList::CountIn(std::string_view bytes) {
  std::size_t count = 0;
  for (Decoder rest(bytes); !rest.at_end(); ++count) {
    const Property property = ReadProperty(rest);
    if (rest.failed() || !HasValidText(property)) return std::nullopt;
  }
  return count;
}

void PropertyList::Clear() {
  bytes_.clear();
  count_ = 0;
}

void PropertyList::Append(std::string_view name, const Value& value) {
  PackingRoom room;
  const std::string_view packed = Pack(value, room);
  const bool is_text =
      value.type() == EdmType::kString || value.type() == EdmType::kBinary;
  const std::size_t start = bytes_.size();
  const std::size_t size =
      1 + TextSize(name) + (is_text ? TextSize(packed) : packed.size());
  // All bytes are overwritten, so they need not be zeroed first.  The function
  // may get a larger size than requested (libstdc++ 12).
  const std::size_t end = start + size;
  bytes_.resize_and_overwrite(end, [end](char*, std::size_t) { return end; });
  char* at = bytes_.data() + start;
  *at++ = static_cast<char>(value.type());
  at = PutText(name, at);
  is_text ? PutText(packed, at) : PutBytes(packed, at);
  ++count_;
}

void PropertyList::Append(const PackedProperty& property) {
  bytes_ += property.bytes;
  ++count_;
}

std::optional<Value> PropertyList::Find(std::string_view name) const {
  return FindProperty(bytes_, name);
}

std::optional<Property> PropertyCursor::Next() {
  if (bytes_.at_end()) return std::nullopt;
  return ReadProperty(bytes_);
}

// Passes a property without decoding its value, by the length that its type
// has.
std::optional<PackedProperty> PropertyCursor::NextPacked() {
  if (bytes_.at_end()) return std::nullopt;
  PackedProperty property;
  const std::string_view rest = bytes_.rest();
  property.type = static_cast<EdmType>(bytes_.ReadU8());
  property.name = bytes_.ReadText();
  property.value = ReadPackedBytes(property.type, bytes_);
  property.bytes = rest.substr(0, rest.size() - bytes_.rest().size());
  return property;
}

Value ReadPackedValue(EdmType type, Decoder& bytes) {
  switch (type) {
    case EdmType::kString:
      return Value::String(bytes.ReadText());
    case EdmType::kBinary:
      return Value::Binary(bytes.ReadText());
    case EdmType::kInt32:
      return Value::Int32(static_cast<std::int32_t>(bytes.ReadU32()));
    case EdmType::kInt64:
      return Value::Int64(static_cast<std::int64_t>(bytes.ReadU64()));
    case EdmType::kDouble:
      return Value::Double(std::bit_cast<double>(bytes.ReadU64()));
    case EdmType::kDateTime:
      return Value::OfDateTime(ReadDateTime(bytes));
    case EdmType::kBoolean:
      return Value::Boolean(ReadBoolean(bytes));
    case EdmType::kGuid:
      return Value::OfGuid(ReadGuid(bytes));
  }
  bytes.Fail();
  return Value::Boolean(false);
}

std::optional<Value> FindProperty(std::string_view list,
                                  std::string_view name) {
  for (PropertyCursor cursor(list); auto property = cursor.Next();) {
    if (property->name == name) return property->value;
  }
  return std::nullopt;
}

std::size_t EntitySize(EntityKeyView key, const PropertyList& properties) {
  std::size_t size =
      4 + 2 * (Utf16Length(key.partition_key) + Utf16Length(key.row_key));
  for (PropertyCursor cursor(properties); auto property = cursor.Next();) {
    size += 8 + 2 * Utf16Length(property->name) + ValueSize(property->value);
  }
  return size;
}

bool CheckPropertyCount(std::size_t count, Report& report) {
  return count <= kMaxCustomProperties ||
         report.AddMeasure(Rule::kPropertyCount, ErrorCode::kTooManyProperties,
                           {}, kMaxCustomProperties, count);
}

bool CheckEntitySize(EntityKeyView key, const PropertyList& properties,
                     Report& report) {
  // No text has more UTF-16 units than bytes, so few entities need counting.
  const std::size_t most =
      4 + 2 * (key.partition_key.size() + key.row_key.size()) +
      12 * properties.count() + 2 * properties.bytes().size();
  if (most <= kMaxEntityBytes) return true;
  const std::size_t size = EntitySize(key, properties);
  return size <= kMaxEntityBytes ||
         report.AddMeasure(Rule::kEntitySize, ErrorCode::kEntityTooLarge, {},
                           kMaxEntityBytes, size);
}

Result<void> CheckEntityLimits(EntityKeyView key,
                               const PropertyList& properties) {
  Report report;
  if (!CheckPropertyCount(properties.count(), report) ||
      !CheckEntitySize(key, properties, report)) {
    return report.FirstError();
  }
  return {};
}

// Ends as soon as all names are found, and returns how far it came: that is the
// work to be charged.  Names are compared in one hash table or a short list
// (KeyTable), so a filter with many names does not go through the row for each.
std::size_t EntityRow::FindAll(const KeyTable& names,
                               std::span<std::optional<Value>> values) const {
  std::size_t missing = names.size();
  const auto set = [&](std::string_view name, const auto& value_of) {
    const std::size_t i = names.Find(name);
    if (i == KeyTable::kNone) return;
    values[i] = value_of();
    --missing;
  };
  set("PartitionKey", [&] { return Value::String(key_.partition_key); });
  set("RowKey", [&] { return Value::String(key_.row_key); });
  set("Timestamp", [&] { return Value::OfDateTime(entity_.timestamp); });
  std::size_t passed = 0;
  // Only the requested values are decoded.
  for (PropertyCursor cursor(entity_.properties); missing > 0; ++passed) {
    PropertyCursor property = cursor;
    const auto packed = cursor.NextPacked();
    if (!packed) break;
    set(packed->name, [&] { return property.Next()->value; });
  }
  return passed;
}

}  // namespace entitable
