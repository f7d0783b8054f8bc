#include "model/index_entry.h"

#include <algorithm>

#include "model/entity.h"
#include "model/order_value.h"

namespace entitable {
namespace {

// Of ASCII as it is in an entry.
constexpr unsigned char kFirst = 0x04;
constexpr unsigned char kLast = 0x7D;
constexpr char kBelow = 0x03;
constexpr unsigned char kAbove = 0x7E;
constexpr unsigned char kFarAbove = 0xBF;
constexpr char kEnd = 0x02;

void AppendByte(unsigned char byte, std::string& text) {
  if (byte >= kFirst && byte <= kLast) {
    text += static_cast<char>(byte);
  } else if (byte < kFirst) {
    text += {kBelow, static_cast<char>(kFirst + byte)};
  } else if (byte < kFarAbove) {
    text +=
        {static_cast<char>(kAbove), static_cast<char>(kFirst + byte - kAbove)};
  } else {
    text += {static_cast<char>(kAbove + 1),
             static_cast<char>(kFirst + byte - kFarAbove)};
  }
}

std::optional<Value> ValueOf(const std::string& name, EntityKeyView key,
                             std::string_view properties) {
  if (name == "PartitionKey") return Value::String(key.partition_key);
  if (name == "RowKey") return Value::String(key.row_key);
  return FindProperty(properties, name);
}

}  // namespace

std::vector<std::string> IndexEntriesOf(const IndexTerms& terms,
                                        EntityKeyView key,
                                        std::string_view properties) {
  std::string text;
  for (const IndexTerm& term : terms) {
    const auto value = ValueOf(term.name, key, properties);
    AppendIndexText(IndexBytesOf(value ? &*value : nullptr), term.descends,
                    text);
  }
  text += kEnd;
  text += key.partition_key;
  return {std::move(text)};
}

std::optional<EntityKeyView> IndexedKey(EntityKeyView entry) {
  const std::size_t end = entry.partition_key.find(kEnd);
  if (end == std::string_view::npos) return std::nullopt;
  return EntityKeyView{entry.partition_key.substr(end + 1), entry.row_key};
}

std::string IndexBytesOf(const Value* value) {
  std::string bytes;
  AppendOrderValue(value, /*descends=*/false, bytes);
  if (bytes.size() > kMaxIndexedBytes) bytes.resize(kMaxIndexedBytes);
  return bytes;
}

void AppendIndexText(std::string_view bytes, bool descends, std::string& text) {
  for (const char byte : bytes) {
    AppendByte(static_cast<unsigned char>(descends ? ~byte : byte), text);
  }
}

}  // namespace entitable
