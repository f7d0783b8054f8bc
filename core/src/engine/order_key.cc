#include "engine/order_key.h"

#include <bit>
#include <cmath>
#include <cstdint>
#include <cstring>

#include "model/entity.h"
#include "model/schema_format.h"
#include "store/sort_key.h"

namespace entitable {
namespace {

enum class OrderKind : std::uint8_t {
  kMissing = 1,
  kBoolean = 2,
  kNumber = 3,
  kDateTime = 4,
  kString = 5,
  kGuid = 6,
  kBinary = 7,
};

// By kind: the bytes of a value with its kind; 0: up to a 00.
constexpr std::uint8_t kSizes[] = {0, 1, 2, 11, 9, 0, 17, 0};

constexpr std::uint64_t kSignBit = std::uint64_t{1} << 63;
constexpr std::int64_t kExactIntegers = std::int64_t{1} << 53;
constexpr std::int64_t kIntegerStep = 1024;

void AppendKind(OrderKind kind, std::string& key) {
  key += static_cast<char>(kind);
}

// A kind, a number, and the first `rest_bytes` bytes of another.
void AppendNumbers(OrderKind kind, std::uint64_t number, std::uint16_t rest,
                   std::size_t rest_bytes, std::string& key) {
  char bytes[1 + sizeof number + sizeof rest];
  bytes[0] = static_cast<char>(kind);
  const std::uint64_t first = __builtin_bswap64(number);
  const std::uint16_t second = __builtin_bswap16(rest);
  std::memcpy(bytes + 1, &first, sizeof first);
  std::memcpy(bytes + 1 + sizeof first, &second, sizeof second);
  key.append(bytes, 1 + sizeof first + rest_bytes);
}

void AppendNumber(double value, std::uint16_t rest, std::string& key) {
  // -0.0 is 0.0.
  const auto bits = std::bit_cast<std::uint64_t>(value == 0 ? 0.0 : value);
  const std::uint64_t ordered =
      (bits & kSignBit) != 0 ? ~bits : bits | kSignBit;
  AppendNumbers(OrderKind::kNumber, std::isnan(value) ? 0 : ordered, rest,
                sizeof rest, key);
}

void AppendInteger(std::int64_t value, std::string& key) {
  const bool is_exact = -kExactIntegers <= value && value <= kExactIntegers;
  const std::int64_t rest = is_exact ? 0 : value & (kIntegerStep - 1);
  AppendNumber(static_cast<double>(value - rest),
               static_cast<std::uint16_t>(rest), key);
}

// A double between the exact integers and 2^63 is an integer itself.
void AppendDouble(double value, std::string& key) {
  const double size = std::fabs(value);
  const bool is_integer = size > static_cast<double>(kExactIntegers) &&
                          size < static_cast<double>(kSignBit);
  if (is_integer) {
    AppendInteger(static_cast<std::int64_t>(value), key);
  } else {
    AppendNumber(value, 0, key);
  }
}

void AppendBinary(std::string_view bytes, std::string& key) {
  AppendKind(OrderKind::kBinary, key);
  for (const char byte : bytes) {
    const bool is_escaped = byte == 0 || byte == 1;
    if (is_escaped) key += '\1';
    key += is_escaped ? static_cast<char>(byte + 1) : byte;
  }
  key += '\0';
}

// A text in the form of a sort key.
void AppendSortText(std::string_view text, std::string& key) {
  AppendKind(OrderKind::kString, key);
  key += text;
  key += '\0';
}

void AppendAscending(const Value* value, std::string& key) {
  if (value == nullptr) return AppendKind(OrderKind::kMissing, key);
  switch (value->type()) {
    case EdmType::kInt32:
      return AppendInteger(value->int32(), key);
    case EdmType::kInt64:
      return AppendInteger(value->int64(), key);
    case EdmType::kDouble:
      return AppendDouble(value->real(), key);
    case EdmType::kBoolean:
      AppendKind(OrderKind::kBoolean, key);
      key += static_cast<char>(value->boolean());
      return;
    case EdmType::kDateTime:
      return AppendNumbers(OrderKind::kDateTime,
                           static_cast<std::uint64_t>(value->date_time().ticks),
                           0, 0, key);
    case EdmType::kString:
      AppendKind(OrderKind::kString, key);
      // A sort text, 00, and no RowKey.
      return AppendSortTexts({value->string(), {}}, key);
    case EdmType::kGuid:
      AppendKind(OrderKind::kGuid, key);
      key.append(value->guid().bytes.begin(), value->guid().bytes.end());
      return;
    case EdmType::kBinary:
      return AppendBinary(value->binary(), key);
  }
}

// Inverts the bytes from `begin` on if the term descends.
void Direct(bool descends, std::size_t begin, std::string& key) {
  if (!descends) return;
  for (std::size_t i = begin; i < key.size(); ++i) {
    key[i] = static_cast<char>(~key[i]);
  }
}

// The property's value; null if the entity does not have it.
void AppendTerm(const OrderTerm& term, const Value* value, std::string& key) {
  const auto counted = term.ValueOf(value);
  AppendOrderValue(counted ? &*counted : nullptr, term.descends, key);
}

std::vector<std::string> NamesOf(std::span<const OrderTerm> terms) {
  std::vector<std::string> names;
  names.reserve(terms.size());
  for (const OrderTerm& term : terms) names.push_back(term.name);
  return names;
}

}  // namespace

void AppendOrderValue(const Value* value, bool descends, std::string& key) {
  const std::size_t begin = key.size();
  AppendAscending(value, key);
  Direct(descends, begin, key);
}

std::optional<std::size_t> FindKeysIn(std::string_view order_key,
                                      std::span<const OrderTerm> terms) {
  std::size_t at = 0;
  for (const OrderTerm& term : terms) {
    if (at >= order_key.size()) return std::nullopt;
    const char mask = term.descends ? '\xFF' : '\0';
    const auto kind = static_cast<unsigned char>(order_key[at] ^ mask);
    if (kind == 0 || kind >= std::size(kSizes)) return std::nullopt;
    if (kSizes[kind] > 0) {
      at += kSizes[kind];
      continue;
    }
    at = order_key.find(mask, at + 1);
    if (at == std::string_view::npos) return std::nullopt;
    ++at;
  }
  if (at > order_key.size()) return std::nullopt;
  return at;
}

OrderKeys::OrderKeys(std::span<const OrderTerm> terms)
    : terms_(terms), columns_(NamesOf(terms)) {}

void OrderKeys::Append(std::string_view sort_key, const EntityPlace& place,
                       std::string& key) {
  AppendValues(sort_key, place, key);
  key += sort_key.substr(TextsOf(sort_key).table.size());
}

void OrderKeys::AppendValues(std::string_view sort_key,
                             const EntityPlace& place, std::string& key) {
  PageRow row;
  if (place.in_memory == nullptr) {
    row = place.page_row();
    Use(place.page, row.columns);
  }
  for (std::size_t i = 0; i < terms_.size(); ++i) {
    const auto& [name, descends, part] = terms_[i];
    if (IsKeyName(name) && part) {
      AppendOrderValue(nullptr, descends, key);  // A key is no DateTime.
    } else if (IsKeyName(name)) {
      const SortTexts texts = TextsOf(sort_key);
      const std::size_t begin = key.size();
      AppendSortText(name == "RowKey" ? texts.row_key : texts.partition_key,
                     key);
      Direct(descends, begin, key);
    } else if (place.in_memory == nullptr) {
      AppendColumn(i, row.row, key);
    } else if (name == "Timestamp") {
      const Value time = Value::OfDateTime(place.in_memory->timestamp);
      AppendTerm(terms_[i], &time, key);
    } else {
      const auto value = FindProperty(place.in_memory->properties, name);
      AppendTerm(terms_[i], value ? &*value : nullptr, key);
    }
  }
}

void OrderKeys::AppendColumn(std::size_t term, std::size_t row,
                             std::string& key) const {
  const Column* const column = columns_.Find(term, row);
  if (column == nullptr) return AppendTerm(terms_[term], nullptr, key);
  const Value value = column->ValueAt(column->IndexOf(row));
  AppendTerm(terms_[term], &value, key);
}

}  // namespace entitable
