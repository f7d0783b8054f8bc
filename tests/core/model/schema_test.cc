// Expected results come from JSON Schema 2020-12, "Validation", section 6.

#include "model/schema.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <string>
#include <vector>

#include "entitable/validate.h"
#include "model/limits.h"
#include "model/schema_format.h"
#include "support/print_violations.h"
#include "support/schema_bytes.h"

namespace entitable {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

std::string CheckEntity(const std::string& schema,
                        const PropertyList& properties) {
  const auto parsed = Schema::Parse(schema);
  if (!parsed) return parsed.error().message;
  Report report(kMaxViolations);
  parsed->Check({"p", "row"}, properties.bytes(), {}, report);
  return Print(report.violations());
}

// Whether the value of a property keeps a rule.
bool Keeps(const std::string& rule, const Value& value) {
  PropertyList properties;
  properties.Append("A", value);
  const std::string broken = CheckEntity(
      SchemaBytes({Required("A", value.type(), {rule})}), properties);
  EXPECT_TRUE(broken.empty() || broken.starts_with("schema-")) << broken;
  return broken.empty();
}

bool IsMultiple(double value, double divisor) {
  return Keeps(MultipleOf(Value::Double(divisor)), Value::Double(value));
}

DateTime At(const char* text) { return *DateTime::Parse(text); }

// ----------------------------------------------------------------- the rules

// Sections 6.3.1 and 6.3.2.
TEST(SchemaTest, CountsTheUnitsOfStrings) {
  EXPECT_TRUE(Keeps(MinLength(2), Value::String("ab")));
  EXPECT_FALSE(Keeps(MinLength(3), Value::String("ab")));
  EXPECT_TRUE(Keeps(MaxLength(2), Value::String("ab")));
  EXPECT_FALSE(Keeps(MaxLength(1), Value::String("ab")));
  EXPECT_TRUE(Keeps(MinLength(0), Value::String("")));
  EXPECT_FALSE(Keeps(MaxLength(1), Value::String("\U0001F600")));
  EXPECT_TRUE(Keeps(MaxLength(1), Value::String("\u00e9")));
  EXPECT_FALSE(Keeps(MinLength(UINT32_MAX), Value::String("ab")));
}

TEST(SchemaTest, CountsTheBytesOfBinaries) {
  EXPECT_TRUE(Keeps(MinBytes(2), Value::Binary("\xff\xfe")));
  EXPECT_FALSE(Keeps(MinBytes(3), Value::Binary("\xff\xfe")));
  EXPECT_TRUE(Keeps(MaxBytes(2), Value::Binary("\xff\xfe")));
  EXPECT_FALSE(Keeps(MaxBytes(1), Value::Binary("\xff\xfe")));
}

// Sections 6.2.2 to 6.2.5.
TEST(SchemaTest, ComparesNumbersExactlyInTheirOwnType) {
  const auto expect_order = [](const Value& less, const Value& more) {
    EXPECT_TRUE(Keeps(Minimum(less), less));
    EXPECT_TRUE(Keeps(Minimum(less), more));
    EXPECT_FALSE(Keeps(Minimum(more), less));
    EXPECT_TRUE(Keeps(Maximum(more), more));
    EXPECT_FALSE(Keeps(Maximum(less), more));
    EXPECT_FALSE(Keeps(ExclusiveMinimum(less), less));
    EXPECT_TRUE(Keeps(ExclusiveMinimum(less), more));
    EXPECT_FALSE(Keeps(ExclusiveMaximum(more), more));
    EXPECT_TRUE(Keeps(ExclusiveMaximum(more), less));
  };
  expect_order(Value::Int32(-5), Value::Int32(3));
  // A double holds neither of the two.
  expect_order(Value::Int64(9'007'199'254'740'993),
               Value::Int64(9'007'199'254'740'994));
  expect_order(Value::Int64(INT64_MIN), Value::Int64(INT64_MAX));
  expect_order(Value::Double(-0.5), Value::Double(-0.25));
  expect_order(Value::Double(1e308), Value::Double(kInfinity));
  expect_order(Value::OfDateTime(At("2024-01-01T00:00:00Z")),
               Value::OfDateTime(At("2024-01-01T00:00:00.0000001Z")));
}

TEST(SchemaTest, FindsNaNInNoRange) {
  const Value nan = Value::Double(std::nan(""));
  for (const auto& rule :
       {Minimum, Maximum, ExclusiveMinimum, ExclusiveMaximum, MultipleOf}) {
    EXPECT_FALSE(Keeps(rule(Value::Double(1)), nan));
  }
  EXPECT_FALSE(Keeps(Minimum(Value::Double(-kInfinity)), nan));
  EXPECT_FALSE(Keeps(Maximum(Value::Double(kInfinity)), nan));
  EXPECT_FALSE(Keeps(Enum({Value::Double(1)}), nan));
}

// Section 6.2.1.
TEST(SchemaTest, TakesFiniteDoublesOnlyIfItSaysSo) {
  const auto check = [](double value, std::uint8_t flags) {
    PropertyList properties;
    properties.Append("A", Value::Double(value));
    return CheckEntity(
        SchemaBytes({Required("A", EdmType::kDouble, {}, flags)}), properties);
  };
  const double all[] = {std::numeric_limits<double>::quiet_NaN(), kInfinity,
                        -kInfinity};
  for (const double value : all) {
    EXPECT_EQ(check(value, 0), "");
    EXPECT_TRUE(
        check(value, DeclaredProperty::kFinite).starts_with("schema-type"));
  }
  EXPECT_EQ(check(1e308, DeclaredProperty::kFinite), "");
  EXPECT_FALSE(Schema::Parse(SchemaBytes(
      {Required("A", EdmType::kInt32, {}, DeclaredProperty::kFinite)})));
  std::string first = SchemaBytes({});
  first[0] = 1;
  EXPECT_TRUE(Schema::Parse(first));
}

TEST(SchemaTest, DividesIntegersExactly) {
  EXPECT_TRUE(Keeps(MultipleOf(Value::Int32(7)), Value::Int32(-21)));
  EXPECT_TRUE(Keeps(MultipleOf(Value::Int32(7)), Value::Int32(0)));
  EXPECT_FALSE(Keeps(MultipleOf(Value::Int32(7)), Value::Int32(20)));
  EXPECT_TRUE(Keeps(MultipleOf(Value::Int64(3)),
                    Value::Int64(9'223'372'036'854'775'806)));
  EXPECT_FALSE(Keeps(MultipleOf(Value::Int64(3)), Value::Int64(INT64_MAX)));
  EXPECT_TRUE(Keeps(MultipleOf(Value::Int64(1)), Value::Int64(INT64_MIN)));
}

// The pairs 4.5/1.5, 35/1.5, 0.0075/0.0001, 0.00751/0.0001 and
// 12391239123/1e-8 are those of the JSON Schema test suite.
TEST(SchemaTest, DividesDoublesAsDecimals) {
  const double kMultiples[][2] = {
      {0.3, 0.1},          {4.5, 1.5},         {0.0075, 0.0001},
      {12391239123, 1e-8}, {19.99, 0.01},      {-0.7, 0.1},
      {0, 0.01},           {-0.0, 0.01},       {1e308, 0.5},
      {100, 1e-308},       {1e22, 1e21},       {5e-324, 5e-324},
      {1.1, 0.11},         {1e300, 3e299 / 3}, {9007199254740992, 1},
  };
  for (const auto& [value, divisor] : kMultiples) {
    EXPECT_TRUE(IsMultiple(value, divisor)) << value << " / " << divisor;
  }
  const double kOthers[][2] = {
      {35, 1.5},
      {0.00751, 0.0001},
      {0.35, 0.1},
      {0.1, 0.3},
      {1, 10},
      {1e-308, 1},
      {0.30000000000000004, 0.1},
      {1e300, 7},
      {kInfinity, 1},
      {-kInfinity, 1},
      {10, 3},
  };
  for (const auto& [value, divisor] : kOthers) {
    EXPECT_FALSE(IsMultiple(value, divisor)) << value << " / " << divisor;
  }
}

// Section 6.1.2.
TEST(SchemaTest, ListsValuesOfEveryType) {
  const std::vector<std::pair<Value, Value>> pairs{
      {Value::String("dog"), Value::String("cat")},
      {Value::Int32(1), Value::Int32(2)},
      {Value::Int64(9'007'199'254'740'993),
       Value::Int64(9'007'199'254'740'992)},
      {Value::Double(0.5), Value::Double(0.25)},
      {Value::Boolean(true), Value::Boolean(false)},
      {Value::OfDateTime(kMinDateTime), Value::OfDateTime(kMaxDateTime)},
      {Value::OfGuid({{1}}), Value::OfGuid({{2}})},
      {Value::Binary(std::string_view("\0", 1)), Value::Binary("")},
  };
  for (const auto& [one, other] : pairs) {
    EXPECT_TRUE(Keeps(Enum({other, one}), one)) << EdmTypeName(one.type());
    EXPECT_FALSE(Keeps(Enum({other}), one)) << EdmTypeName(one.type());
    EXPECT_FALSE(Keeps(Enum({}), one)) << EdmTypeName(one.type());
  }
}

// ---------------------------------------------------------------- the entity

TEST(SchemaTest, ReportsEveryViolationInItsOwnOrder) {
  const std::string schema = SchemaBytes(
      {
          Required("RowKey", EdmType::kString, {MinLength(4)}),
          Required("Name", EdmType::kString, {MinLength(1), MaxLength(3)}),
          Required("Gone", EdmType::kInt32, {Minimum(Value::Int32(0))}),
          Optional("Absent", EdmType::kInt32, {Minimum(Value::Int32(0))}),
          Required("Age", EdmType::kInt32,
                   {Minimum(Value::Int32(0)), Maximum(Value::Int32(40)),
                    MultipleOf(Value::Int32(2))}),
          Required("Weight", EdmType::kDouble, {Minimum(Value::Double(0))}),
          Required("PartitionKey", EdmType::kString, {MaxLength(1)}),
      },
      /*rejects_unknown=*/true);
  PropertyList properties;
  properties.Append("Extra", Value::Boolean(true));
  properties.Append("Weight", Value::Int32(-1));
  properties.Append("Age", Value::Int32(41));
  properties.Append("Name", Value::String("Beatrice"));
  properties.Append("More", Value::Boolean(true));

  EXPECT_EQ(CheckEntity(schema, properties),
            "schema-min-length RowKey SchemaViolation 3<4\n"
            "schema-max-length Name SchemaViolation 8>3\n"
            "schema-required Gone SchemaViolation\n"
            "schema-maximum Age SchemaViolation\n"
            "schema-multiple-of Age SchemaViolation\n"
            "schema-type Weight SchemaViolation\n"
            "schema-unknown Extra SchemaViolation\n"
            "schema-unknown More SchemaViolation");
}

TEST(SchemaTest, KeepsUnknownPropertiesAndKeysUnlessItRejectsThem) {
  PropertyList properties;
  properties.Append("Extra", Value::Boolean(true));

  EXPECT_EQ(CheckEntity(SchemaBytes({}), properties), "");
  EXPECT_EQ(CheckEntity(SchemaBytes({}, true), properties),
            "schema-unknown Extra SchemaViolation");
  EXPECT_EQ(CheckEntity(SchemaBytes({}, true), {}), "");
}

// The message that a value of a property gets.
std::string MessageOf(const std::string& rule, const Value& value) {
  PropertyList properties;
  properties.Append("A", value);
  const auto schema =
      Schema::Parse(SchemaBytes({Required("A", value.type(), {rule})}));
  Report report;
  schema->Check({"p", "r"}, properties.bytes(), {}, report);
  return report.FirstError().message;
}

TEST(SchemaTest, SaysInWordsWhatIsBrokenAndByWhichValue) {
  EXPECT_EQ(MessageOf(MinLength(3), Value::String("ab")),
            "Property \"A\" holds \"ab\", which has 2 UTF-16 units; "
            "the minLength of the schema is 3.");
  EXPECT_EQ(MessageOf(MaxBytes(1), Value::Binary("\xff\xfe")),
            "Property \"A\" has 2 bytes; the maxBytes of the schema is 1.");
  EXPECT_EQ(MessageOf(Maximum(Value::Int32(40)), Value::Int32(41)),
            "Property \"A\" holds 41; the maximum of the schema is 40.");
  EXPECT_EQ(MessageOf(Minimum(Value::Int64(INT64_MAX)), Value::Int64(-1)),
            "Property \"A\" holds -1; "
            "the minimum of the schema is 9223372036854775807.");
  EXPECT_EQ(MessageOf(ExclusiveMinimum(Value::Double(0)), Value::Double(-0.5)),
            "Property \"A\" holds -0.5; "
            "the exclusiveMinimum of the schema is 0.0.");
  EXPECT_EQ(
      MessageOf(ExclusiveMaximum(Value::OfDateTime(At("2024-01-01T00:00:00Z"))),
                Value::OfDateTime(At("2024-01-01T00:00:00.5Z"))),
      "Property \"A\" holds 2024-01-01T00:00:00.5Z; "
      "the exclusiveMaximum of the schema is 2024-01-01T00:00:00Z.");
  EXPECT_EQ(MessageOf(MultipleOf(Value::Int32(7)), Value::Int32(8)),
            "Property \"A\" holds 8; the multipleOf of the schema is 7.");
}

TEST(SchemaTest, CutsALongTextInAMessage) {
  const std::string text = "\u00e9" + std::string(70, 'a');

  EXPECT_EQ(MessageOf(Enum({Value::String("b")}), Value::String(text)),
            "Property \"A\" holds \"\u00e9" + std::string(62, 'a') +
                "\u2026\", which is not one of the values of the schema.");
}

TEST(SchemaTest, NamesTheTypeThatTheSchemaRequires) {
  const auto message_of = [](const PropertyList& properties) {
    const auto schema = Schema::Parse(SchemaBytes(
        {Required("A", EdmType::kInt32)}, /*rejects_unknown=*/true));
    Report report;
    schema->Check({"p", "r"}, properties.bytes(), {}, report);
    return report.FirstError().message;
  };
  PropertyList text;
  text.Append("A", Value::String("5"));
  EXPECT_EQ(message_of(text),
            "Property \"A\" is of type String; the schema requires Int32.");
  EXPECT_EQ(message_of({}),
            "Property \"A\" is missing, but the schema requires it.");
  PropertyList unknown;
  unknown.Append("A", Value::Int32(5));
  unknown.Append("B", Value::Int32(5));
  EXPECT_EQ(message_of(unknown),
            "Property \"B\" is not in the schema, which allows no others.");
}

// The service's rules come first, and what breaks one is not judged again.
TEST(SchemaTest, JoinsTheRulesOfTheService) {
  const std::string schema = SchemaBytes(
      {Required("PartitionKey", EdmType::kString, {MinLength(1)}),
       Required("A", EdmType::kInt32), Required("B", EdmType::kInt32)},
      /*rejects_unknown=*/true);
  const Findings findings = ValidateEntity(
      R"({"RowKey":"a/b","A":99999999999,"C":1})", Profile::kDefault, schema);

  EXPECT_EQ(Print(findings.violations),
            "key-missing PartitionKey PropertiesNeedValue\n"
            "key-character RowKey OutOfRangeInput /@1\n"
            "schema-type A SchemaViolation\n"
            "schema-required B SchemaViolation\n"
            "schema-unknown C SchemaViolation");
  EXPECT_EQ(Print(ValidateEntity(R"({"PartitionKey":"p","RowKey":"r",)"
                                 R"("A@odata.type":"Edm.Int32","A":"x","B":1})",
                                 Profile::kDefault, schema)
                      .violations),
            "int32-format A InvalidInput");
  EXPECT_EQ(Print(ValidateEntity("[", Profile::kDefault, schema).violations),
            "json InvalidInput");
}

TEST(SchemaTest, IsRefusedByValidationIfItCannotBeRead) {
  EXPECT_EQ(Print(ValidateEntity(R"({"PartitionKey":"p","RowKey":"r"})",
                                 Profile::kDefault, "nonsense")
                      .violations),
            "json InvalidInput");
}

// ----------------------------------------------------------- several schemas

std::string OutcomeOf(const Schemas& schemas) {
  const auto outcome = schemas.Check({"p", "r"}, {});
  return outcome ? "" : std::string(ErrorName(outcome.error().code));
}

TEST(SchemasTest, HoldWithoutASchema) {
  EXPECT_TRUE(Schemas().are_empty());
  EXPECT_EQ(OutcomeOf(Schemas()), "");
  EXPECT_EQ(OutcomeOf(Schemas(std::nullopt, SchemaBytes({}))), "");
}

TEST(SchemasTest, SayThatTheStoredOneCannotBeRead) {
  EXPECT_EQ(OutcomeOf(Schemas(std::nullopt, std::string_view("\3\0x", 3))),
            "StorageVersionNewer");
  EXPECT_EQ(OutcomeOf(Schemas(std::nullopt, std::string_view("\1\0x", 3))),
            "StorageDamaged");
}

TEST(SchemasTest, ReportAPropertyOnce) {
  const std::string both = SchemaBytes(
      {Required("A", EdmType::kInt32), Required("B", EdmType::kGuid)});
  const std::optional<Schema> given =
      *Schema::Parse(SchemaBytes({Required("A", EdmType::kString)}));
  const auto outcome = Schemas(given, both).Check({"p", "r"}, {});

  ASSERT_FALSE(outcome.has_value());
  const std::string& found = outcome.error().violations;
  EXPECT_EQ(found.find(R"("path":"A")"), found.rfind(R"("path":"A")"));
  EXPECT_TRUE(found.contains(R"("path":"B")")) << found;
}

// ---------------------------------------------------------------- the grammar

TEST(SchemaTest, RefusesBytesThatDoNotFollowTheGrammar) {
  const Value one = Value::Int32(1);
  const auto of = [](const std::string& property) {
    return SchemaBytes({property});
  };
  const auto rule = [&](EdmType type, const std::string& bytes) {
    return of(Required("A", type, {bytes}));
  };
  const std::string nan = Packed(Value::Double(std::nan("")));
  const std::string kCases[] = {
      "",
      "\1",
      std::string("\0\0", 2),
      std::string("\3\0", 2),
      std::string("\1\4", 2),
      of("A"),
      of(Required("A", static_cast<EdmType>(0))),
      of(Required("A", static_cast<EdmType>(9))),
      of(Required("A", EdmType::kInt32, {}, 2)),
      of(Required("", EdmType::kInt32)),
      of(Required("a b", EdmType::kInt32)),
      of(Required("\xff", EdmType::kInt32)),
      of(Required("Timestamp", EdmType::kDateTime)),
      of(Required("RowKey", EdmType::kInt32)),
      of(Optional("PartitionKey", EdmType::kString)),
      SchemaBytes(
          {Required("A", EdmType::kInt32), Required("A", EdmType::kGuid)}),
      rule(EdmType::kInt32, std::string(1, '\0')),
      rule(EdmType::kInt32, "\x0b"),
      rule(EdmType::kInt32, MinLength(1)),
      rule(EdmType::kString, MinBytes(1)),
      rule(EdmType::kBinary, MaxLength(1)),
      rule(EdmType::kString, MaxLength(std::uint64_t{1} << 32)),
      rule(EdmType::kString, Minimum(Value::String("a"))),
      rule(EdmType::kBoolean, Minimum(Value::Boolean(true))),
      rule(EdmType::kGuid, Minimum(Value::OfGuid({}))),
      rule(EdmType::kInt32, MultipleOf(Value::Int32(0))),
      rule(EdmType::kInt32, MultipleOf(Value::Int32(-1))),
      rule(EdmType::kInt64, MultipleOf(Value::Int64(0))),
      rule(EdmType::kDouble, MultipleOf(Value::Double(0))),
      rule(EdmType::kDouble, MultipleOf(Value::Double(kInfinity))),
      rule(EdmType::kDouble, "\x09" + nan),
      rule(EdmType::kDouble, "\x05" + nan),
      rule(EdmType::kDateTime, MultipleOf(Value::OfDateTime(kMinDateTime))),
      rule(EdmType::kString, Enum({Value::String("\xff")})),
      rule(EdmType::kBoolean, "\x0a\1\2"),
      rule(EdmType::kInt32, LengthRule(10, UINT64_MAX)),
      of(Required("A", EdmType::kInt32, {Minimum(one)}).substr(0, 6)),
      of(Required("A", EdmType::kInt32)) + "x",
  };
  for (const std::string& bytes : kCases) {
    const auto schema = Schema::Parse(bytes);
    ASSERT_FALSE(schema.has_value()) << testing::PrintToString(bytes);
    EXPECT_EQ(schema.error().code, ErrorCode::kInvalidInput);
    EXPECT_EQ(schema.error().message, "The schema cannot be read.");
  }
}

TEST(SchemaTest, RefusesMoreThanItsLimit) {
  std::string schema = SchemaBytes({});
  for (int i = 0; schema.size() < kMaxSchemaBytes - 300; ++i) {
    schema += Required("N" + std::to_string(i), EdmType::kInt32);
  }
  const auto with_name = [&](std::size_t length) {
    return schema + Required(std::string(length, 'x'), EdmType::kInt32);
  };
  // Beside its name, the property takes 4 bytes up to a name of 127.
  while (kMaxSchemaBytes - schema.size() > 130) {
    schema += Required("M" + std::to_string(schema.size()), EdmType::kInt32);
  }
  const std::size_t most = kMaxSchemaBytes - schema.size() - 4;
  ASSERT_LT(most, 128U);

  EXPECT_EQ(with_name(most).size(), kMaxSchemaBytes);
  EXPECT_TRUE(Schema::Parse(with_name(most)).has_value());
  EXPECT_FALSE(Schema::Parse(with_name(most + 1)).has_value());
}

}  // namespace
}  // namespace entitable
