#include <gtest/gtest.h>

#include <limits>
#include <string>

#include "store/leaf_builder.h"
#include "support/print_properties.h"

namespace entitable {
namespace {

constexpr DateTime kTime{kMinDateTime.ticks + 5};

// A page whose rows have these properties.
class Page {
 public:
  void Add(const PropertyList& properties) {
    ASSERT_TRUE(builder_.Add(std::to_string(100 + rows_++),
                             {kTime, properties.bytes()}));
  }

  // A row with one property.
  void Add(std::string_view name, const Value& value) {
    PropertyList properties;
    properties.Append(name, value);
    Add(properties);
  }

  PropertyList ZoneMap() {
    builder_.Finish();
    return builder_.summary().zone_map;
  }

 private:
  LeafBuilder builder_;
  int rows_ = 0;
};

PropertyList Expected(std::string_view name, const Value& least,
                      const Value& greatest) {
  PropertyList zone_map;
  zone_map.Append("Timestamp", Value::OfDateTime(kTime));
  zone_map.Append("", Value::OfDateTime(kTime));
  zone_map.Append(name, least);
  zone_map.Append("", greatest);
  return zone_map;
}

PropertyList OnlyTimestamp() {
  PropertyList zone_map;
  zone_map.Append("Timestamp", Value::OfDateTime(kTime));
  zone_map.Append("", Value::OfDateTime(kTime));
  return zone_map;
}

TEST(ZoneMapWriterTest, HoldsTheLeastAndTheGreatest) {
  const struct {
    Value least;
    Value between;
    Value greatest;
  } kCases[] = {
      {Value::Int32(-5), Value::Int32(0), Value::Int32(7)},
      {Value::Int64(std::numeric_limits<std::int64_t>::min()), Value::Int64(0),
       Value::Int64(std::numeric_limits<std::int64_t>::max())},
      {Value::Double(-std::numeric_limits<double>::infinity()),
       Value::Double(-1e300), Value::Double(0.5)},
      {Value::Boolean(false), Value::Boolean(false), Value::Boolean(true)},
      {Value::OfDateTime({kMinDateTime.ticks}), Value::OfDateTime(kTime),
       Value::OfDateTime({kMinDateTime.ticks + 9})},
      {Value::String(""), Value::String("B"), Value::String("a")},
  };
  for (const auto& [least, between, greatest] : kCases) {
    SCOPED_TRACE(EdmTypeName(least.type()));
    Page page;
    page.Add("P", between);
    page.Add("P", greatest);
    page.Add(PropertyList());
    page.Add("P", least);
    page.Add("P", between);

    EXPECT_EQ(page.ZoneMap(), Expected("P", least, greatest));
  }
}

// Characters above U+FFFF come before U+E000, and none is cut in two.
TEST(ZoneMapWriterTest, OrdersTextsAsTheServiceAndKeepsTheirBeginnings) {
  Page page;
  page.Add("S", Value::String("\U0001F600 and much else"));
  page.Add("S", Value::String("1234567\u00e9 and much else"));
  page.Add("S", Value::String("\uFF21"));

  EXPECT_EQ(page.ZoneMap(), Expected("S", Value::String("1234567\u00e9"),
                                     Value::String("\uFF21")));
}

TEST(ZoneMapWriterTest, HasNoZoneMapForTypesWithoutOrder) {
  Page mixed;
  mixed.Add("P", Value::Int32(1));
  mixed.Add("P", Value::Int64(1));
  Page no_number;
  no_number.Add("P", Value::Double(1));
  no_number.Add("P", Value::Double(std::numeric_limits<double>::quiet_NaN()));
  Page binary;
  binary.Add("P", Value::Binary("x"));

  EXPECT_EQ(mixed.ZoneMap(), OnlyTimestamp());
  EXPECT_EQ(no_number.ZoneMap(), OnlyTimestamp());
  EXPECT_EQ(binary.ZoneMap(), OnlyTimestamp());
}

TEST(ZoneMapWriterTest, KeepsWithinItsBounds) {
  PropertyList many;
  PropertyList long_names;
  for (int i = 0; i < 30; ++i) {
    const std::string number = std::to_string(10 + i);
    many.Append("P" + number, Value::Boolean(true));
    long_names.Append(std::string(200, 'P') + number, Value::Boolean(true));
  }
  Page page;
  page.Add(many);
  Page long_page;
  long_page.Add(long_names);

  const PropertyList few = long_page.ZoneMap();
  EXPECT_EQ(page.ZoneMap().count(), 2 * kMaxZoneMapColumns);
  EXPECT_LE(few.bytes().size(), kMaxZoneMapBytes);
  EXPECT_EQ(few.count(), 2U * 3);
}

}  // namespace
}  // namespace entitable
