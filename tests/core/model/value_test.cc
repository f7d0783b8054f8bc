#include "model/value.h"

#include <gtest/gtest.h>

#include <limits>

namespace entitable {
namespace {

TEST(ValueTest, GivesBackWhatWentIn) {
  const Guid guid = *Guid::Parse("7b0b7a3e-52d7-4a43-9c1b-51e6f3f0c001");

  EXPECT_EQ(Value::String("text").string(), "text");
  EXPECT_EQ(Value::Int32(std::numeric_limits<std::int32_t>::min()).int32(),
            std::numeric_limits<std::int32_t>::min());
  EXPECT_EQ(Value::Int64(std::numeric_limits<std::int64_t>::min()).int64(),
            std::numeric_limits<std::int64_t>::min());
  EXPECT_EQ(Value::Double(-2.5).real(), -2.5);
  EXPECT_TRUE(Value::Boolean(true).boolean());
  EXPECT_FALSE(Value::Boolean(false).boolean());
  EXPECT_EQ(Value::OfDateTime(kMaxDateTime).date_time(), kMaxDateTime);
  EXPECT_EQ(Value::OfGuid(guid).guid(), guid);
  EXPECT_EQ(Value::Binary("\xFF").binary(), "\xFF");
}

TEST(ValueTest, KnowsItsType) {
  EXPECT_EQ(Value::String("").type(), EdmType::kString);
  EXPECT_EQ(Value::Int32(0).type(), EdmType::kInt32);
  EXPECT_EQ(Value::Int64(0).type(), EdmType::kInt64);
  EXPECT_EQ(Value::Double(0).type(), EdmType::kDouble);
  EXPECT_EQ(Value::Boolean(false).type(), EdmType::kBoolean);
  EXPECT_EQ(Value::OfDateTime({}).type(), EdmType::kDateTime);
  EXPECT_EQ(Value::OfGuid({}).type(), EdmType::kGuid);
  EXPECT_EQ(Value::Binary("").type(), EdmType::kBinary);
}

TEST(ValueTest, CopiesWithItsTypeAndContent) {
  Value value = Value::String("text");
  const Value copy = value;
  value = Value::Int32(7);

  EXPECT_EQ(copy.string(), "text");
  EXPECT_EQ(value.int32(), 7);
}

TEST(ValueTest, NamesTheEightTypes) {
  const struct {
    EdmType type;
    std::string_view name;
  } kCases[] = {
      {EdmType::kString, "Edm.String"},   {EdmType::kInt32, "Edm.Int32"},
      {EdmType::kInt64, "Edm.Int64"},     {EdmType::kDouble, "Edm.Double"},
      {EdmType::kBoolean, "Edm.Boolean"}, {EdmType::kDateTime, "Edm.DateTime"},
      {EdmType::kGuid, "Edm.Guid"},       {EdmType::kBinary, "Edm.Binary"},
  };
  for (const auto& [type, name] : kCases) {
    EXPECT_EQ(EdmTypeName(type), name);
    EXPECT_EQ(ParseEdmType(name), type) << name;
  }
}

// Source: data model, 1.5: "There is no ...".
TEST(ValueTest, KnowsNoOtherType) {
  for (const std::string_view name :
       {"", "Edm.", "String", "edm.string", "Edm.string", "Edm.Byte",
        "Edm.SByte", "Edm.Int16", "Edm.Single", "Edm.Decimal", "Edm.Time",
        "Edm.DateTimeOffset", "Edm.String "}) {
    EXPECT_FALSE(ParseEdmType(name).has_value()) << name;
  }
}

// The stored formats hold these numbers.
TEST(ValueTest, KeepsTheNumbersOfTheTypes) {
  EXPECT_EQ(static_cast<int>(EdmType::kString), 1);
  EXPECT_EQ(static_cast<int>(EdmType::kInt32), 2);
  EXPECT_EQ(static_cast<int>(EdmType::kInt64), 3);
  EXPECT_EQ(static_cast<int>(EdmType::kDouble), 4);
  EXPECT_EQ(static_cast<int>(EdmType::kBoolean), 5);
  EXPECT_EQ(static_cast<int>(EdmType::kDateTime), 6);
  EXPECT_EQ(static_cast<int>(EdmType::kGuid), 7);
  EXPECT_EQ(static_cast<int>(EdmType::kBinary), 8);
}

}  // namespace
}  // namespace entitable
