#include "entitable/validate.h"

#include <gtest/gtest.h>

#include <chrono>
#include <cstddef>
#include <set>
#include <string>
#include <string_view>

#include "support/operations.h"
#include "support/print_violations.h"

namespace entitable {
namespace {

std::string Check(std::string_view body) {
  return Print(ValidateEntity(body).violations);
}

// A body with sound keys.
std::string CheckMembers(std::string_view members) {
  return Check(EntityBody("p", "r", members));
}

std::string Typed(std::string_view type, std::string_view json) {
  return "\"X@odata.type\":\"Edm." + std::string(type) +
         "\",\"X\":" + std::string(json);
}

std::string Quoted(std::string_view text) {
  return '"' + std::string(text) + '"';
}

// --------------------------------------------------------------------- names

TEST(ValidateTest, ListsEveryBrokenRuleOfATableName) {
  const struct {
    std::string name;
    std::string violations;
  } kCases[] = {
      {"Pets", ""},
      {std::string(63, 'a'), ""},
      {"ab", "table-name-length OutOfRangeInput 2<3"},
      {"", "table-name-length OutOfRangeInput 0<3"},
      {std::string(64, 'a'), "table-name-length OutOfRangeInput 64>63"},
      {"1pets", "table-name-character InvalidResourceName 1@0"},
      {"my-pets", "table-name-character InvalidResourceName -@2"},
      {"\U0001F600",
       "table-name-character InvalidResourceName \U0001F600@0\n"
       "table-name-length OutOfRangeInput 2<3"},
      {"a\u00e9_" + std::string(61, 'a'),
       "table-name-character InvalidResourceName \u00e9@1\n"
       "table-name-length OutOfRangeInput 64>63"},
      {"Tables", "table-name-reserved InvalidInput"},
      {"pets\xFF", "text-encoding InvalidInput"},
  };
  for (const auto& [name, violations] : kCases) {
    EXPECT_EQ(Print(ValidateTableName(name).violations), violations) << name;
  }
}

TEST(ValidateTest, ListsEveryBrokenRuleOfAPropertyName) {
  const struct {
    std::string name;
    std::string violations;
  } kCases[] = {
      {"Age", ""},
      {"RowKey", ""},
      {std::string(255, 'n'), ""},
      {"", "property-name-length PropertyNameInvalid 0<1"},
      {"a-b", "property-name-character PropertyNameInvalid -@1"},
      {"1a", "property-name-character PropertyNameInvalid 1@0"},
      {"a\U0001F600b",
       "property-name-character PropertyNameInvalid \U0001F600@1"},
      {"\u4e2d\u6587 x", "property-name-character PropertyNameInvalid  @2"},
      {std::string(256, 'n'),
       "property-name-length PropertyNameTooLong "
       "256>255"},
      {std::string(300, 'n') + '!',
       "property-name-length PropertyNameTooLong 301>255\n"
       "property-name-character PropertyNameInvalid !@300"},
      {"a\xC3", "text-encoding InvalidInput"},
  };
  for (const auto& [name, violations] : kCases) {
    EXPECT_EQ(Print(ValidatePropertyName(name).violations), violations) << name;
  }
}

TEST(ValidateTest, ListsEveryBrokenRuleOfAKey) {
  const std::string emoji = "\U0001F600";
  const struct {
    std::string key;
    std::string violations;
  } kCases[] = {
      {"", ""},
      {std::string(1'024, 'k'), ""},
      {std::string(1'025, 'k'), "key-length PropertyValueTooLarge 1025>1024"},
      {"a#b", "key-character OutOfRangeInput #@1"},
      {emoji + "\u0085" + "/", "key-character OutOfRangeInput \u0085@2"},
      {emoji + "/\u0085", "key-character OutOfRangeInput /@2"},
      {std::string(1'025, 'k') + "?",
       "key-character OutOfRangeInput ?@1025\n"
       "key-length PropertyValueTooLarge 1026>1024"},
      {"\xED\xA0\x80", "text-encoding InvalidInput"},
  };
  for (const auto& [key, violations] : kCases) {
    EXPECT_EQ(Print(ValidateKey(key).violations), violations) << key;
  }
}

// Differences of the spec, 6.2: 1,024 characters or 1 KiB.
TEST(ValidateTest, HoldsKeysToOneKibibyteUnderTheProfileOfTheService) {
  const std::string longest(512, 'k');
  std::string emoji;
  for (int i = 0; i < 256; ++i) emoji += "\U0001F600";

  for (const std::string& key : {longest, emoji}) {
    EXPECT_EQ(Print(ValidateKey(key, Profile::kService).violations), "");
    EXPECT_EQ(Print(ValidateKey(key).warnings), "");
    EXPECT_EQ(Print(ValidateKey(key + 'k', Profile::kService).violations),
              "key-length PropertyValueTooLarge 513>512");
    EXPECT_EQ(Print(ValidateKey(key + 'k', Profile::kService).warnings), "");
    EXPECT_EQ(Print(ValidateKey(key + 'k').violations), "");
    EXPECT_EQ(Print(ValidateKey(key + 'k').warnings),
              "key-length PropertyValueTooLarge 513>512");
  }
  const std::string body = EntityBody("p", longest + 'k');
  EXPECT_EQ(Print(ValidateEntity(body).warnings),
            "key-length RowKey PropertyValueTooLarge 513>512");
  EXPECT_EQ(Print(ValidateEntity(body, Profile::kService).violations),
            "key-length RowKey PropertyValueTooLarge 513>512");
}

// ------------------------------------------------------------------ entities

TEST(ValidateTest, NamesTheRuleThatAValueBreaks) {
  const struct {
    std::string members;
    std::string violations;
  } kCases[] = {
      {Typed("Int32", "5"), ""},
      {Typed("Int32", "5.0"), "int32-format X InvalidInput"},
      {Typed("Int32", R"("five")"), "int32-format X InvalidInput"},
      {Typed("Int32", R"("")"), "int32-format X InvalidInput"},
      {Typed("Int32", "2147483648"), "int32-range X InvalidInput"},
      {Typed("Int32", R"("-2147483649")"), "int32-range X InvalidInput"},
      {Typed("Int32", "true"), "value-type X InvalidInput"},
      {Typed("Int64", R"("1.5")"), "int64-format X InvalidInput"},
      {Typed("Int64", R"("9223372036854775808")"),
       "int64-range X InvalidInput"},
      {Typed("Int64", "false"), "value-type X InvalidInput"},
      {Typed("Double", R"("x")"), "double-format X InvalidInput"},
      {Typed("Double", R"("13e7705")"), "double-range X InvalidInput"},
      {Typed("Double", "true"), "value-type X InvalidInput"},
      {Typed("Boolean", R"("yes")"), "boolean-format X InvalidInput"},
      {Typed("Boolean", "1"), "value-type X InvalidInput"},
      {Typed("DateTime", R"("tomorrow")"), "date-time-format X InvalidInput"},
      {Typed("DateTime", R"("2021-02-29T00:00:00Z")"),
       "date-time-format X InvalidInput"},
      {Typed("DateTime", R"("1600-12-31T23:59:59Z")"),
       "date-time-range X OutOfRangeInput"},
      {Typed("DateTime", "2020"), "value-type X InvalidInput"},
      {Typed("Guid", R"("7b0b7a3e")"), "guid-format X InvalidInput"},
      {Typed("Guid", "7"), "value-type X InvalidInput"},
      {Typed("Binary", R"("%%%")"), "base64 X InvalidInput"},
      {Typed("Binary", "7"), "value-type X InvalidInput"},
      {Typed("String", "5"), "value-type X InvalidInput"},
      {Typed("Decimal", R"("1")"), "type-name X InvalidInput"},
      {R"("X@odata.type":5,"X":"1")", "type-name X InvalidInput"},
      {R"("X":{"a":1})", "value-type X InvalidInput"},
      {R"("X":[1])", "value-type X InvalidInput"},
      {R"("X":1e400)", "json X InvalidInput"},
      {R"("X":"\ud800")", "json X InvalidInput"},
      {R"("X":"a\u00g0")", "json X InvalidInput"},
      {"\"X\":" + Quoted(std::string(32'769, 's')),
       "string-length X PropertyValueTooLarge 32769>32768"},
      {Typed("Binary", Quoted(std::string(87'384, 'A'))),
       "binary-length X PropertyValueTooLarge 65538>65536"},
  };
  for (const auto& [members, violations] : kCases) {
    EXPECT_EQ(CheckMembers(members), violations) << members.substr(0, 80);
  }
}

TEST(ValidateTest, NamesTheRuleThatAKeyBreaks) {
  EXPECT_EQ(Check(R"({})"),
            "key-missing PartitionKey PropertiesNeedValue\n"
            "key-missing RowKey PropertiesNeedValue");
  EXPECT_EQ(Check(R"({"PartitionKey":5,"RowKey":null})"),
            "key-type PartitionKey InvalidInput\n"
            "key-missing RowKey PropertiesNeedValue");
  EXPECT_EQ(Check(R"({"PartitionKey":"a/b","RowKey":"\tc"})"),
            "key-character PartitionKey OutOfRangeInput /@1\n"
            "key-character RowKey OutOfRangeInput \t@0");
  EXPECT_EQ(Check(R"({"PartitionKey":{},"RowKey":"r"})"),
            "value-type PartitionKey InvalidInput");
}

TEST(ValidateTest, NamesTheRuleThatABodyBreaks) {
  for (const char* body : {"", "[]", "null", R"({"PartitionKey":"p")",
                           R"({"A":1}{})", "{\"A\":\"\xFF\"}"}) {
    EXPECT_EQ(Check(body), "json InvalidInput") << body;
  }
  EXPECT_EQ(Check(std::string(4'194'305, ' ')),
            "body-size RequestBodyTooLarge 4194305>4194304");
}

TEST(ValidateTest, NamesTheRulesOfAllPropertiesTogether) {
  EXPECT_EQ(CheckMembers(R"("A":1,"B":2,"A":3,"A":4,"B":5)"),
            "property-duplicate A DuplicatePropertiesSpecified\n"
            "property-duplicate B DuplicatePropertiesSpecified");

  std::string members;
  for (int i = 0; i < 253; ++i) members += ",\"n" + std::to_string(i) + "\":1";
  EXPECT_EQ(CheckMembers(members.substr(1)),
            "property-count TooManyProperties 253>252");

  // By the formula: each name has two units, each string 32,768.
  std::string strings;
  for (char c = 'A'; c < 'A' + 26; ++c) {
    strings +=
        ",\"" + std::string(2, c) + "\":" + Quoted(std::string(32'768, 's'));
  }
  EXPECT_EQ(CheckMembers(strings.substr(1)),
            "entity-size EntityTooLarge " +
                std::to_string(4 + 2 * 2 + 26 * (8 + 4 + 65'536 + 4)) +
                ">1048576");
}

TEST(ValidateTest, ListsWhatIsWrongEverywhereInTheOrderOfTheService) {
  const std::string body =
      R"({"L":")" + std::string(32'769, 's') +
      R"(","G@odata.type":"Edm.Guid","G":"x","a-b":1,"1":{},)"
      R"("@odata.type":"Edm.Int32","D@odata.type":"Edm.DateTime",)"
      R"("D":"0001-01-01T00:00:00Z","PartitionKey":"a/b","G":"y"})";

  EXPECT_EQ(Check(body),
            "value-type 1 InvalidInput\n"
            "property-duplicate G DuplicatePropertiesSpecified\n"
            "property-name-character a-b PropertyNameInvalid -@1\n"
            "property-name-character 1 PropertyNameInvalid 1@0\n"
            "property-name-character @odata.type PropertyNameInvalid @@0\n"
            "key-character PartitionKey OutOfRangeInput /@1\n"
            "key-missing RowKey PropertiesNeedValue\n"
            "guid-format G InvalidInput\n"
            "date-time-range D OutOfRangeInput\n"
            "guid-format G InvalidInput\n"
            "string-length L PropertyValueTooLarge 32769>32768");
}

TEST(ValidateTest, SaysItInTheWordsOfTheService) {
  const auto violations =
      ValidateEntity(R"({"PartitionKey":"a\\b","RowKey":"r","a b":1})")
          .violations;

  ASSERT_EQ(violations.size(), 2U);
  EXPECT_EQ(violations[0].message, "The property name is invalid.");
  EXPECT_EQ(violations[1].message,
            R"(The 'PartitionKey' parameter of value 'a\b' is out of range.)");
}

TEST(ValidateTest, PrintsFindingsAsJson) {
  Findings findings;
  EXPECT_EQ(ToJson(findings), R"({"violations":[],"warnings":[]})");

  findings = ValidateKey("\u00e9?" + std::string(600, 'k'));
  EXPECT_EQ(ToJson(findings),
            R"({"violations":[{"rule":"key-character",)"
            R"("code":"OutOfRangeInput",)"
            R"("message":"One of the request inputs is out of range.",)"
            R"("position":1,"character":"?"}],)"
            R"("warnings":[{"rule":"key-length",)"
            R"("code":"PropertyValueTooLarge","message":")" +
                findings.warnings.at(0).message +
                R"(","limit":512,"actual":602}]})");
  EXPECT_EQ(ToJson(ValidateEntity(R"({"PartitionKey":"p","RowKey":"r","":1})")),
            R"({"violations":[{"rule":"property-name-length","path":"",)"
            R"("code":"PropertyNameInvalid",)"
            R"("message":"The property name is invalid.",)"
            R"("limit":1,"actual":0}],"warnings":[]})");
}

TEST(ValidateTest, GivesEveryRuleANameOfItsOwn) {
  std::set<std::string_view> names;
  int count = 0;
#define ENTITABLE_X(name, code)             \
  ++count;                                  \
  EXPECT_EQ(RuleName(Rule::k##name), code); \
  names.insert(code);
  ENTITABLE_RULES(ENTITABLE_X)
#undef ENTITABLE_X
  EXPECT_EQ(names.size(), static_cast<std::size_t>(count));
}

// -------------------------------------------------------------------- bounds

TEST(ValidateTest, EndsTheListWhenItIsVeryLong) {
  std::string body = "{\"a\":1";
  for (int i = 0; i < 100'000; ++i) body += ",\"-" + std::to_string(i) + "\":1";

  EXPECT_EQ(ValidateEntity(body + '}').violations.size(), kMaxViolations);
}

// Quadratic work would take minutes.
TEST(ValidateTest, StaysQuickOverABodyOfAnnotations) {
  std::string body = "{\"PartitionKey\":\"p\",\"RowKey\":\"r\"";
  for (int i = 0; i < 80'000; ++i) {
    const std::string name = "n" + std::to_string(i);
    body.append(",\"").append(name).append("@odata.type\":\"Edm.Int64\"");
    body.append(",\"").append(name).append("\":1");
  }
  body += '}';
  ASSERT_LT(body.size(), 4'194'304U);
  const auto start = std::chrono::steady_clock::now();

  EXPECT_EQ(Check(body), "property-count TooManyProperties 80000>252");
  EXPECT_LT(std::chrono::steady_clock::now() - start, std::chrono::seconds(20));
}

}  // namespace
}  // namespace entitable
