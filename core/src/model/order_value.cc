#include "model/order_value.h"

#include <bit>
#include <cmath>
#include <cstring>
#include <string_view>

#include "base/sort_text.h"

namespace entitable {
namespace {

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

// The bits of positive doubles are in the order of their values, those of
// negative ones in the reverse order.  Inverting the negative ones, and setting
// the highest bit of the others, gives one order for all.  0 is then free for
// NaN, which is below -infinity.
void AppendNumber(double value, std::uint16_t rest, std::string& key) {
  // -0.0 is 0.0.
  const auto bits = std::bit_cast<std::uint64_t>(value == 0 ? 0.0 : value);
  const std::uint64_t ordered =
      (bits & kSignBit) != 0 ? ~bits : bits | kSignBit;
  AppendNumbers(OrderKind::kNumber, std::isnan(value) ? 0 : ordered, rest,
                sizeof rest, key);
}

// 2^53 + 1 has no double of its own.  It is cut to a multiple of 1024, which
// has one, since an Int64 has at most 63 bits and a double keeps 53.  What was
// cut off is the second number, so integers and doubles of one value get the
// same bytes, and all others keep their order.
void AppendInteger(std::int64_t value, std::string& key) {
  const bool is_exact = -kExactIntegers <= value && value <= kExactIntegers;
  const std::int64_t rest = is_exact ? 0 : value & (kIntegerStep - 1);
  AppendNumber(static_cast<double>(value - rest),
               static_cast<std::uint16_t>(rest), key);
}

// A double between the exact integers and 2^63 is an integer itself.
void AppendOrderedDouble(double value, std::string& key) {
  const double size = std::fabs(value);
  const bool is_integer = size > static_cast<double>(kExactIntegers) &&
                          size < static_cast<double>(kSignBit);
  if (is_integer) {
    AppendInteger(static_cast<std::int64_t>(value), key);
  } else {
    AppendNumber(value, 0, key);
  }
}

// With the escapes of base/sort_text.h, so that 00 can end the bytes and no
// value is the beginning of another one.
void AppendBinary(std::string_view bytes, std::string& key) {
  AppendKind(OrderKind::kBinary, key);
  for (const char byte : bytes) {
    const bool is_escaped = byte == 0 || byte == 1;
    if (is_escaped) key += '\1';
    key += is_escaped ? static_cast<char>(byte + 1) : byte;
  }
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
      return AppendOrderedDouble(value->real(), key);
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
      AppendSortText(value->string(), key);
      key += kSortTextEnd;
      return;
    case EdmType::kGuid:
      AppendKind(OrderKind::kGuid, key);
      key.append(value->guid().bytes.begin(), value->guid().bytes.end());
      return;
    case EdmType::kBinary:
      return AppendBinary(value->binary(), key);
  }
}

}  // namespace

void AppendOrderValue(const Value* value, bool descends, std::string& key) {
  const std::size_t begin = key.size();
  AppendAscending(value, key);
  InvertIf(descends, begin, key);
}

void InvertIf(bool descends, std::size_t begin, std::string& key) {
  if (!descends) return;
  for (std::size_t i = begin; i < key.size(); ++i) {
    key[i] = static_cast<char>(~key[i]);
  }
}

}  // namespace entitable
