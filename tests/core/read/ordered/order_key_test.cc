#include "read/ordered/order_key.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <vector>

namespace entitable {
namespace {

using std::string_literals::operator""s;
using Values = std::vector<std::optional<Value>>;

constexpr double kInfinity = std::numeric_limits<double>::infinity();
constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();
constexpr std::int64_t kTwo53 = std::int64_t{1} << 53;

std::string BytesOf(const std::optional<Value>& value, bool descends = false) {
  std::string bytes;
  AppendOrderValue(value ? &*value : nullptr, descends, bytes);
  return bytes;
}

// In ascending order.
const Values& SomeValues() {
  static const std::string kBinary = "\0\1"s;
  static const Values kValues = {
      std::nullopt,
      Value::Boolean(false),
      Value::Boolean(true),
      Value::Double(kNaN),
      Value::Double(-kInfinity),
      Value::Double(-1e300),
      Value::Int64(INT64_MIN),
      Value::Int64(INT64_MIN + 1),
      Value::Int64(-kTwo53 - 1),
      Value::Double(-9007199254740992.0),
      Value::Int32(-1),
      Value::Double(-5e-324),
      Value::Int32(0),
      Value::Double(5e-324),
      Value::Double(4.5),
      Value::Int64(5),
      Value::Double(5.5),
      Value::Int32(INT32_MAX),
      Value::Double(static_cast<double>(kTwo53)),
      Value::Int64(kTwo53 + 1),
      Value::Double(static_cast<double>(kTwo53 + 2)),
      Value::Int64(kTwo53 + 3),
      Value::Double(static_cast<double>(kTwo53 + 1024)),
      Value::Int64(kTwo53 + 1025),
      Value::Int64(INT64_MAX - 1),
      Value::Int64(INT64_MAX),
      Value::Double(9223372036854775808.0),
      Value::Double(kInfinity),
      Value::OfDateTime(kMinDateTime),
      Value::OfDateTime({kMinDateTime.ticks + 1}),
      Value::OfDateTime(kMaxDateTime),
      Value::String(""),
      Value::String({"\0", 1}),
      Value::String("\1"),
      Value::String("A"),
      Value::String({"A\0", 2}),
      Value::String("AB"),
      Value::String("a"),
      Value::String("\u00e9"),
      Value::String("\U0001F600"),  // In UTF-16, it begins with D83D.
      Value::String("\uff21"),
      Value::OfGuid(*Guid::Parse("00000000-0000-0000-0000-000000000000")),
      Value::OfGuid(*Guid::Parse("a0000000-0000-0000-0000-000000000000")),
      Value::Binary(""),
      Value::Binary({kBinary.data(), 1}),
      Value::Binary(kBinary),
      Value::Binary("\1"),
      Value::Binary("\2"),
      Value::Binary("\xEE"),
      Value::Binary("\xEF"),
      Value::Binary("\xFE"),
  };
  return kValues;
}

TEST(OrderKeyTest, BytesOfValuesHaveTheirOrder) {
  const Values& values = SomeValues();
  for (std::size_t i = 0; i < values.size(); ++i) {
    for (std::size_t k = 0; k < values.size(); ++k) {
      const int ascending = BytesOf(values[i]).compare(BytesOf(values[k]));
      EXPECT_EQ(ascending < 0, i < k) << i << ' ' << k;
      EXPECT_EQ(ascending == 0, i == k) << i << ' ' << k;
      const int descending =
          BytesOf(values[i], true).compare(BytesOf(values[k], true));
      EXPECT_EQ(descending > 0, i < k) << i << ' ' << k;
    }
  }
}

TEST(OrderKeyTest, NumbersOfAllTypesAreEqualByValue) {
  EXPECT_EQ(BytesOf(Value::Int32(5)), BytesOf(Value::Int64(5)));
  EXPECT_EQ(BytesOf(Value::Int32(5)), BytesOf(Value::Double(5)));
  EXPECT_EQ(BytesOf(Value::Int32(0)), BytesOf(Value::Double(-0.0)));
  EXPECT_EQ(BytesOf(Value::Int64(kTwo53 + 2)),
            BytesOf(Value::Double(static_cast<double>(kTwo53 + 2))));
  EXPECT_EQ(BytesOf(Value::Int64(INT64_MIN)),
            BytesOf(Value::Double(-9223372036854775808.0)));
  EXPECT_EQ(BytesOf(Value::Double(kNaN)), BytesOf(Value::Double(-kNaN)));
}

TEST(OrderKeyTest, FindsTheKeysBehindTheValues) {
  for (const bool descends : {false, true}) {
    const std::vector<OrderTerm> terms = {{"A", descends}, {"B", !descends}};
    for (const auto& value : SomeValues()) {
      const std::string values =
          BytesOf(value, descends) + BytesOf(Value::Int32(1), !descends);
      EXPECT_EQ(FindKeysIn(values + "p\0r"s, terms), values.size());
      for (std::size_t end = 0; end < values.size(); ++end) {
        EXPECT_FALSE(FindKeysIn(values.substr(0, end), terms)) << end;
      }
    }
  }
  EXPECT_EQ(FindKeysIn("p\0r"s, {}), 0U);
  const std::vector<OrderTerm> terms = {{"A"}};
  EXPECT_FALSE(FindKeysIn("\0"s, terms));
  EXPECT_FALSE(FindKeysIn("\x08"s + std::string(20, '\0'), terms));
  EXPECT_FALSE(FindKeysIn(std::string(20, '\xFF'), terms));
}

}  // namespace
}  // namespace entitable
