#include "model/entity.h"

#include <gtest/gtest.h>

#include <limits>
#include <optional>
#include <random>
#include <vector>

#include "model/limits.h"
#include "support/key_table_of.h"
#include "support/print_properties.h"
#include "support/random.h"

namespace entitable {
namespace {

constexpr Guid kGuid{{0x7b, 0x0b, 0x7a, 0x3e, 0x52, 0xd7, 0x4a, 0x43, 0x9c,
                      0x1b, 0x51, 0xe6, 0xf3, 0xf0, 0xc0, 0x01}};

PropertyList OneOfEachType() {
  PropertyList list;
  list.Append("S", Value::String("caf\u00e9"));
  list.Append("I", Value::Int32(std::numeric_limits<std::int32_t>::min()));
  list.Append("L", Value::Int64(std::numeric_limits<std::int64_t>::min()));
  list.Append("D", Value::Double(-0.1));
  list.Append("B", Value::Boolean(true));
  list.Append("T", Value::OfDateTime(kMaxDateTime));
  list.Append("G", Value::OfGuid(kGuid));
  list.Append("X", Value::Binary(std::string_view("\0\xFF", 2)));
  return list;
}

constexpr char kOneOfEachType[] =
    "S:Edm.String=caf\u00e9 I:Edm.Int32=-2147483648 "
    "L:Edm.Int64=-9223372036854775808 D:Edm.Double=-0.10000000000000001 "
    "B:Edm.Boolean=true T:Edm.DateTime=9999-12-31T23:59:59.9999999Z "
    "G:Edm.Guid=7b0b7a3e-52d7-4a43-9c1b-51e6f3f0c001 X:Edm.Binary=00ff";

PropertyList ListOf(std::initializer_list<std::string_view> names) {
  PropertyList list;
  for (const std::string_view name : names) {
    list.Append(name, Value::Int32(static_cast<int>(list.count())));
  }
  return list;
}

TEST(PropertyListTest, KeepsEachTypeAndTheOrder) {
  const PropertyList list = OneOfEachType();

  EXPECT_EQ(list.count(), 8U);
  EXPECT_EQ(Print(list), kOneOfEachType);
}

TEST(PropertyListTest, ComesBackFromItsBytes) {
  const PropertyList list = OneOfEachType();

  const auto again = PropertyList::FromBytes(list.bytes());

  ASSERT_TRUE(again.has_value());
  EXPECT_EQ(again->count(), 8U);
  EXPECT_EQ(Print(*again), kOneOfEachType);
  EXPECT_TRUE(PropertyList::FromBytes("").has_value());
}

// The grammar at PropertyList in entity.h, written out by hand.
TEST(PropertyListTest, HasTheBytesOfItsGrammar) {
  using std::string_literals::operator""s;
  PropertyList list;
  list.Append("Ab", Value::String("xyz"));
  list.Append("I", Value::Int32(-2));
  list.Append("B", Value::Boolean(true));

  EXPECT_EQ(list.bytes(), "\x01\x02"s + "Ab\x03xyz" +
                              "\x02\x01I\xFE\xFF\xFF\xFF" + "\x05\x01" +
                              "B\x01");
}

TEST(PropertyListTest, RefusesBytesAgainstTheGrammar) {
  using std::string_literals::operator""s;
  for (const std::string& bytes : {
           "\x00\x01"
           "A\x00"s,  // no type 0
           "\x09\x01"
           "A\x00"s,  // no type 9
           "\x05\x01"
           "A\x02"s,             // no such Boolean
           "\x01\x01\xFF\x00"s,  // a name not UTF-8
           "\x01\x01"
           "A\x01\xFF"s,  // a String not UTF-8
           "\x01\x01"
           "A\x81\x00x"s,  // a length too long
           "\x06\x01"
           "A\x00\x00\x00\x00\x00\x00\x00\x00"s,  // before 1601
           "\x06\x01"
           "A\xFF\xFF\xFF\xFF\xFF\xFF\xFF\x7F"s,  // after 9999
       }) {
    EXPECT_FALSE(PropertyList::FromBytes(bytes).has_value())
        << testing::PrintToString(bytes);
  }
}

TEST(PropertyListTest, RefusesBytesThatAreCutOffInsideAProperty) {
  const PropertyList list = OneOfEachType();
  std::size_t accepted = 0;
  for (std::size_t size = 0; size < list.bytes().size(); ++size) {
    const auto cut = PropertyList::FromBytes(list.bytes().substr(0, size));
    if (!cut) continue;
    EXPECT_EQ(cut->count(), accepted++) << size;
  }
  EXPECT_EQ(accepted, 8U);  // Nothing, and each of the seven shorter lists.
}

TEST(PropertyListTest, SurvivesAnyBytes) {
  std::mt19937_64 random(TestSeed());
  SCOPED_TRACE(TestSeed());
  for (int i = 0; i < 20'000; ++i) {
    std::string bytes(OneOfEachType().bytes());
    for (auto flips = random() % 4; flips > 0; --flips) {
      bytes[random() % bytes.size()] = static_cast<char>(random());
    }
    const auto list = PropertyList::FromBytes(bytes);
    if (list) Print(*list);
  }
}

TEST(PropertyListTest, FindsAPropertyByItsExactName) {
  const PropertyList list = OneOfEachType();

  ASSERT_TRUE(list.Find("B").has_value());
  EXPECT_EQ(list.Find("B")->type(), EdmType::kBoolean);
  EXPECT_FALSE(list.Find("b").has_value());
  EXPECT_FALSE(list.Find("").has_value());
}

// Source: data model of the spec, 1.3.1 and 1.3.4: ordinal is by UTF-16 unit.
TEST(PropertyListTest, IsSortedByTheOrdinalOrderOfNames) {
  const PropertyList list = ListOf({"b", "a", "B", "_", "aa", "\u00e9", "A1"});

  EXPECT_EQ(Print(SortedByName(list)),
            "A1:Edm.Int32=6 B:Edm.Int32=2 _:Edm.Int32=3 a:Edm.Int32=1 "
            "aa:Edm.Int32=4 b:Edm.Int32=0 \u00e9:Edm.Int32=5");
  EXPECT_EQ(Print(SortedByName(PropertyList())), "");
}

TEST(PropertyListTest, MergesByNameAndTakesThePatchWhereBothHaveOne) {
  PropertyList base;
  base.Append("c", Value::Int32(1));
  base.Append("a", Value::Int32(2));
  PropertyList patch;
  patch.Append("b", Value::Boolean(false));
  patch.Append("a", Value::String("x"));

  EXPECT_EQ(Print(MergedByName(base.bytes(), patch)),
            "a:Edm.String=x b:Edm.Boolean=false c:Edm.Int32=1");
  EXPECT_EQ(Print(MergedByName(base.bytes(), {})),
            "a:Edm.Int32=2 c:Edm.Int32=1");
  EXPECT_EQ(Print(MergedByName({}, patch)),
            "a:Edm.String=x b:Edm.Boolean=false");
}

// Source: data model of the spec, 1.4, with its example.
TEST(EntitySizeTest, FollowsThePublishedFormula) {
  PropertyList example;
  example.Append("Age", Value::Int32(7));
  example.Append("Name", Value::String("Ann"));
  EXPECT_EQ(EntitySize({"p", "r"}, example), 52U);

  EXPECT_EQ(EntitySize({"", ""}, {}), 4U);
  EXPECT_EQ(EntitySize({"\U0001F600", "\u00e9"}, {}), 4U + 2 * (2 + 1));

  const struct {
    Value value;
    std::size_t size;
  } kCases[] = {
      {Value::String(""), 4},
      {Value::String("\U0001F600\u00e9"), 2 * 3 + 4},
      {Value::Binary(""), 4},
      {Value::Binary("\xFF\xFE\xFD"), 3 + 4},
      {Value::OfDateTime(kMinDateTime), 8},
      {Value::OfGuid(kGuid), 16},
      {Value::Double(1), 8},
      {Value::Int32(1), 4},
      {Value::Int64(1), 8},
      {Value::Boolean(true), 1},
  };
  for (const auto& [value, size] : kCases) {
    PropertyList list;
    list.Append("N\u00e9", value);
    EXPECT_EQ(EntitySize({"", ""}, list), 4 + 8 + 2 * 2 + size)
        << EdmTypeName(value.type());
  }
}

// Source: data model of the spec, 1.4; cases 133, 134, 214 and 215.
TEST(EntityLimitsTest, LieExactlyWhereTheServiceHasThem) {
  PropertyList many;
  for (std::size_t i = 0; i < kMaxCustomProperties; ++i) {
    many.Append("n" + std::to_string(i), Value::Boolean(true));
  }
  EXPECT_TRUE(CheckEntityLimits({"p", "r"}, many).has_value());
  many.Append("one_more", Value::Boolean(true));
  const auto too_many = CheckEntityLimits({"p", "r"}, many);
  ASSERT_FALSE(too_many.has_value());
  EXPECT_EQ(too_many.error().code, ErrorCode::kTooManyProperties);

  const std::string bytes(65'536, 'x');
  PropertyList large;
  for (int i = 1; i <= 15; ++i) {
    large.Append("b" + std::string(i < 10 ? "0" : "") + std::to_string(i),
                 Value::Binary(bytes));
  }
  PropertyList too_large = large;
  large.Append("b16", Value::Binary(bytes.substr(0, 65'240)));
  too_large.Append("b16", Value::Binary(bytes.substr(0, 65'241)));
  EXPECT_EQ(EntitySize({"p", "r"}, large), kMaxEntityBytes);
  EXPECT_TRUE(CheckEntityLimits({"p", "r"}, large).has_value());
  const auto refused = CheckEntityLimits({"p", "r"}, too_large);
  ASSERT_FALSE(refused.has_value());
  EXPECT_EQ(refused.error().code, ErrorCode::kEntityTooLarge);
  EXPECT_FALSE(CheckEntityLimits({"pp", "r"}, large).has_value());
}

TEST(EntityRowTest, ShowsTheSystemPropertiesBesideTheOthers) {
  Entity entity{kMinDateTime, {}};
  entity.properties.Append("A", Value::Int32(1));
  entity.properties.Append("partitionKey", Value::Int32(2));
  const EntityRow row({"p", "r"}, entity);

  const KeyTable names = KeyTableOf({"PartitionKey", "A", "rowKey", "RowKey",
                                     "partitionKey", "Timestamp", "B"});
  std::vector<std::optional<Value>> values(names.size());

  EXPECT_EQ(row.FindAll(names, values), 2U);

  EXPECT_EQ(Print(*values[0]), "p");
  EXPECT_EQ(Print(*values[1]), "1");
  EXPECT_FALSE(values[2].has_value());
  EXPECT_EQ(Print(*values[3]), "r");
  EXPECT_EQ(Print(*values[4]), "2");
  EXPECT_EQ(Print(*values[5]), "1601-01-01T00:00:00Z");
  EXPECT_FALSE(values[6].has_value());
}

// After a value is found, the values behind it are not read.
TEST(EntityRowTest, GoesOverNoMoreThanIsAskedFor) {
  Entity entity{kMinDateTime, {}};
  for (const char* const name : {"A", "B", "C", "D"}) {
    entity.properties.Append(name, Value::Int32(1));
  }
  const KeyTable names = KeyTableOf({"B", "RowKey"});
  std::vector<std::optional<Value>> values(names.size());

  EXPECT_EQ(EntityRow({"p", "r"}, entity).FindAll(names, values), 2U);
}

}  // namespace
}  // namespace entitable
